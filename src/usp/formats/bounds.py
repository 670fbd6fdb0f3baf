"""What one expat parser may be made to hold: open elements and names. Beyond that it is given up, as at a fault."""

from collections.abc import Iterable
from xml.parsers.expat import XMLParserType

from usp.limits import DEPTH

_NAMES, _NAME_LENGTH = 2000, 1000
"""How many names of elements and attributes an expat parser may keep, and how long; real documents have some 50."""


class TooMuch(Exception):
    """Too many elements are open, or too many names kept: at that byte of expat's, on that line of its."""

    def __init__(self, parser: XMLParserType) -> None:
        self.index = parser.CurrentByteIndex
        self.line = parser.CurrentLineNumber


def bound_names(parser: XMLParserType, names: Iterable[str]) -> None:
    """Raise ``TooMuch`` if one of these is too long, or if there were too many: expat keeps every name it ever met."""
    if len(parser.intern) > _NAMES or max(map(len, names)) > _NAME_LENGTH:
        raise TooMuch(parser)


def bound_depth(parser: XMLParserType, depth: int) -> None:
    """Raise ``TooMuch`` if so many elements are too many."""
    if depth > DEPTH:
        raise TooMuch(parser)
