"""Numbers as sites write them -> typed values.

Laws: never raises; plain ASCII notation only (``Decimal`` and ``int`` would take ``1_0``, ``٣``, ``1e5`` and ``inf``);
no exponent, because ``1e999999999`` costs gigabytes as soon as somebody calls ``int`` on it; length is bounded; what
is not certainly a number is None, or the protocol's default for a priority.
"""

import re
from decimal import Decimal

DEFAULT_PRIORITY = Decimal("0.5")
"""What the protocol says about a page without a priority."""

LONGEST = 100
"""Characters of the longest number read; a double written out in full has some 60."""

_REMEMBERED = 256
"""Sites use a handful of priorities; a hostile one that uses millions must not be remembered for it."""

_is_decimal = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)").fullmatch
_is_whole = re.compile(r"\+?[0-9]{1,18}").fullmatch  # fits 64 bits

_priorities: dict[str, Decimal] = {}

_YES_NO = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


def parse_priority(words: str | None) -> Decimal:
    """The priority that a page has: from 0 to 1, and 0.5 for whatever else is written.

    >>> parse_priority("0.8"), parse_priority("0,8"), parse_priority(None)
    (Decimal('0.8'), Decimal('0.5'), Decimal('0.5'))
    """
    if words is None:
        return DEFAULT_PRIORITY
    try:
        return _priorities[words]
    except KeyError:
        return _remember_priority(words)


def is_priority(words: str | None) -> bool:
    """Whether the words are a number from 0 to 1.

    >>> is_priority("1.0"), is_priority("1.1"), is_priority("high")
    (True, False, False)
    """
    return _priority(words) is not None


def parse_whole_number(words: str | None) -> int | None:
    """A whole number that is not negative, of at most 18 digits.

    >>> parse_whole_number("600"), parse_whole_number("-1"), parse_whole_number("10 min")
    (600, None, None)
    """
    if not words or len(words) > LONGEST:
        return None
    number = words.strip()
    return int(number) if _is_whole(number) else None


def parse_decimal(words: str | None) -> Decimal | None:
    """A finite number written without an exponent.

    >>> parse_decimal("4.2"), parse_decimal("nan"), parse_decimal("1e5")
    (Decimal('4.2'), None, None)
    """
    if not words or len(words) > LONGEST:
        return None
    number = words.strip()
    return Decimal(number) if _is_decimal(number) else None


def parse_yes_no(words: str | None) -> bool | None:
    """Yes or no, in the spellings of the extensions' definitions and in any letter case.

    >>> parse_yes_no("Yes"), parse_yes_no("0"), parse_yes_no("maybe")
    (True, False, None)
    """
    if not words or len(words) > LONGEST:
        return None
    return _YES_NO.get(words.strip().lower())


def _priority(words: str | None) -> Decimal | None:
    number = parse_decimal(words)
    return number.copy_abs() if number is not None and 0 <= number <= 1 else None  # "-0" is 0


def _remember_priority(words: str) -> Decimal:
    number = _priority(words)
    if number is None:
        return DEFAULT_PRIORITY  # not remembered: it may be a megabyte long, and is rare
    if len(_priorities) >= _REMEMBERED:
        _priorities.clear()
    _priorities[words] = number
    return number
