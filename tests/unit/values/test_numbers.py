from collections.abc import Callable
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from usp.values import numbers
from usp.values.numbers import (
    DEFAULT_PRIORITY,
    LONGEST,
    is_priority,
    parse_decimal,
    parse_priority,
    parse_whole_number,
    parse_yes_no,
)


@pytest.mark.parametrize(
    "words",
    ["0", "1", "0.0", "1.0", "0.8", "0.85", ".5", "1.", "+0.3", "00.7", " 0.9\n", "0." + "3" * 60, "-0", "-0.0"],
)
def test_numbers_from_0_to_1_are_priorities(words: str) -> None:
    assert is_priority(words)
    assert parse_priority(words) == Decimal(words.strip())
    assert not parse_priority(words).is_signed()


@pytest.mark.parametrize(
    "words",
    [
        *(None, "", " ", ".", "+", "-", "high", "0,5", "1,0", "0.5.5", "1.1", "-0.1", "10", "1.0000001", "80%", "1/2"),
        *(
            "nan",
            "NaN",
            "sNaN",
            "inf",
            "-Infinity",
            "1e-1",
            "5E-1",
            "0_1",
            "0x1",
            "--1",
            "0 .5",
            "٠.٥",
            "０",
            "½",
            "\x00",
        ),
        "0" * (LONGEST + 1),
    ],
)
def test_anything_else_has_the_default_priority(words: str | None) -> None:
    assert not is_priority(words)
    assert parse_priority(words) == DEFAULT_PRIORITY == Decimal("0.5")


def test_a_hostile_site_cannot_fill_the_memory_of_priorities() -> None:
    for count in range(10_000):
        assert parse_priority(f"0.{count:05}") == Decimal(f"0.{count:05}")
        parse_priority(f"text {count}")
    assert 0 < len(numbers._priorities) <= numbers._REMEMBERED
    assert max(map(len, numbers._priorities)) <= LONGEST
    assert parse_priority("0.00001") is parse_priority("0.00001")


@pytest.mark.parametrize(
    ("words", "number"),
    [("0", 0), ("600", 600), ("+7", 7), (" 42 ", 42), ("007", 7), ("9" * 18, 10**18 - 1)],
)
def test_whole_numbers_are_read(words: str, number: int) -> None:
    assert parse_whole_number(words) == number


@pytest.mark.parametrize(
    "words", [None, "", " ", "-1", "1.0", "1,000", "1_000", "1 000", "1e3", "10 min", "٣", "²", "9" * 19, "1" * 10_000]
)
def test_what_is_no_whole_number_is_none(words: str | None) -> None:
    assert parse_whole_number(words) is None


@pytest.mark.parametrize("words", ["0", "4.2", "-4.2", "+4.20", ".5", "5.", " 1 ", "9" * LONGEST])
def test_decimals_keep_their_digits(words: str) -> None:
    number = parse_decimal(words)
    assert number is not None
    assert str(number) == str(Decimal(words))


@pytest.mark.parametrize(
    "words", [None, "", "-", ".", "1,5", "nan", "inf", "-Infinity", "1e5", "1_0", "٣", "$5", "1" * (LONGEST + 1)]
)
def test_what_is_no_decimal_is_none(words: str | None) -> None:
    assert parse_decimal(words) is None


@pytest.mark.parametrize(("words", "answer"), [("yes", True), ("true", True), ("1", True), ("no", False)])
@pytest.mark.parametrize("written", [str.lower, str.upper, str.title, "{} ".format])
def test_yes_and_no_are_read_in_any_letter_case(words: str, answer: bool, written: Callable[[str], str]) -> None:
    assert parse_yes_no(written(words)) is answer


@pytest.mark.parametrize("words", ["false", "FALSE", "0", "No"])
def test_no_has_three_spellings(words: str) -> None:
    assert parse_yes_no(words) is False


@pytest.mark.parametrize("words", [None, "", "y", "maybe", "2", "00", "yes no", "yes" * LONGEST])
def test_what_is_neither_yes_nor_no_is_none(words: str | None) -> None:
    assert parse_yes_no(words) is None


@given(st.text() | st.text("0123456789.,+-eE_ n"))
def test_no_text_raises(words: str) -> None:
    assert 0 <= parse_priority(words) <= 1
    assert parse_priority(words) == (Decimal(words.strip()) if is_priority(words) else DEFAULT_PRIORITY)
    number, whole = parse_decimal(words), parse_whole_number(words)
    assert number is None or number.is_finite()
    assert whole is None or whole == number
    assert parse_yes_no(words) in (True, False, None)


@given(st.decimals(0, 1, places=6))
def test_every_priority_is_read_back(number: Decimal) -> None:
    assert parse_priority(f"{number:f}") == number
