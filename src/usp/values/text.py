"""Text as sites write it: HTML references, lists, and which characters XML allows.

Laws: never raises; references are decoded once, never twice; only those closed by a semicolon, because in
``?a=1&copy=2`` nothing is meant to be ©; linear in the length of the text.
"""

import re
from collections.abc import Mapping
from functools import cache

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
"""What stands for a character that cannot be."""

_REFERENCE = re.compile(r"&(?:#([0-9]+)|#[xX]([0-9A-Fa-f]+)|([A-Za-z][A-Za-z0-9]{0,31}));")
_DIGITS = 7
"""Digits of the greatest code point, in either notation; what has more is none (and ``int`` refuses 4,301 digits)."""


def decode_references(text: str) -> str:
    """Decode the HTML references in a text once; what is none, or not closed by a semicolon, stays.

    >>> decode_references("R&amp;amp;D &#8211; caf&eacute; ?a=1&copy=2")
    'R&amp;D – café ?a=1&copy=2'
    """
    return _REFERENCE.sub(_decoded, text) if "&" in text else text


def entity(name: str) -> str | None:
    """The text of an HTML entity, given its name without ampersand and semicolon.

    >>> entity("eacute"), entity("unheard")
    ('é', None)
    """
    return _entities().get(name + ";")


def html_unescape_strip(string: str | None) -> str | None:
    """Decode HTML references as browsers do, strip white space; None for nothing.

    >>> html_unescape_strip(" Q&amp;A ")
    'Q&A'
    >>> html_unescape_strip("") is None
    True
    """
    if not string:
        return None
    from html import unescape

    try:
        decoded = unescape(string)
    except ValueError:  # a number of more digits than int takes
        decoded = decode_references(string)
    return decoded.strip() or None


def split_list(words: str | None) -> list[str]:
    """The items of a list separated by commas, trimmed; empty ones are dropped.

    >>> split_list("PressRelease, Blog,,")
    ['PressRelease', 'Blog']
    """
    if not words:
        return []
    items = [item.strip() for item in words.split(",")]
    return [item for item in items if item] if "" in items else items


def is_xml_character(code_point: int) -> bool:
    """Whether XML 1.0 allows a character (section 2.2 of its definition).

    >>> is_xml_character(0x20), is_xml_character(0x00), is_xml_character(0xD800)
    (True, False, False)
    """
    if code_point < 0x20:
        return code_point in (0x9, 0xA, 0xD)
    return code_point < 0xD800 or 0xE000 <= code_point < 0xFFFE or 0x10000 <= code_point < 0x110000


@cache  # not at import: two thousand names that most documents do not need
def _entities() -> Mapping[str, str]:
    from html.entities import html5

    return html5


def _decoded(reference: re.Match[str]) -> str:
    decimal, hexadecimal, name = reference.groups()
    if name:
        return entity(name) or reference[0]
    digits = (decimal or hexadecimal).lstrip("0") or "0"
    if len(digits) > _DIGITS:
        return REPLACEMENT
    code_point = int(digits, 10 if decimal else 16)
    return chr(code_point) if is_xml_character(code_point) else REPLACEMENT
