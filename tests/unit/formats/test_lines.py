"""Lines are whole, numbered and bounded, however the text is cut."""

import pytest

from usp.formats.lines import Lines


def lines_of(pieces: list[str], longest: int = 100, line: int = 1) -> tuple[list[tuple[int, str]], int]:
    lines = Lines(longest, line)
    found = [pair for piece in pieces for pair in lines.feed(piece)]
    return [*found, *lines.close()], lines.cut


@pytest.mark.parametrize("pieces", [["a\n\nbc"], ["a", "\n", "\n", "b", "c"], ["", "a\n", "", "\nb", "c", ""]])
def test_lines_are_the_same_for_any_split(pieces: list[str]) -> None:
    assert lines_of(pieces) == ([(1, "a"), (2, ""), (3, "bc")], 0)


def test_numbers_begin_where_the_document_does() -> None:
    assert lines_of(["a\nb"], line=7) == ([(7, "a"), (8, "b")], 0)


def test_an_end_is_followed_by_an_empty_line() -> None:
    assert lines_of(["a\n"])[0] == [(1, "a"), (2, "")]


@pytest.mark.parametrize(
    "pieces", [["ab cdef\nabcde\nabcd"], list("ab cdef\nabcde\nabcd"), ["ab ", "cdef\nabc", "de\nab", "cd"]]
)
def test_what_is_too_long_is_cut_behind_a_whole_word_and_counted(pieces: list[str]) -> None:
    assert lines_of(pieces, longest=5) == ([(1, "ab "), (2, "abcde"), (3, "abcd")], 1)


def test_an_endless_line_is_not_kept() -> None:
    lines = Lines(1000)
    for _ in range(10_000):
        assert list(lines.feed("a" * 100)) == []
    assert sum(map(len, lines._rest)) <= 1001
    assert list(lines.close()) == [(1, "")], "nobody wrote half a word"
    assert lines.cut == 1
