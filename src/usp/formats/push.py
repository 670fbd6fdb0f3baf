"""Drives expat over cleaned bytes, and goes on where expat cannot.

Laws: expat stops for good at its first error, so that a new parser is started behind the fault; entries already read
stay read, the entry with the fault is dropped, its neighbours are not. Every restart is further on than the one before.
A synthetic root is fed first: junk after the root, a second root and fragments then need no special case. Old expat
reads an unfinished token again at every feed: tokens are bounded, so that time stays linear.
"""

import contextlib
import re
from typing import Protocol
from xml.parsers import expat

from usp.formats.elements import ENTRY, TooDeep
from usp.limits import TOKEN
from usp.problems import ProblemLog

_SYNTHETIC_ROOT = b"<usp-synthetic-root>"
_FAULTS = 1_000_000
"""Restarts in one document; each costs 15 microseconds, so that a document of nothing but faults costs 15 seconds."""

_OVERLAP = 80
"""Bytes kept while skipping, since what is searched for may lie across two pieces."""

_RESUME = re.compile(
    ENTRY.pattern + rb"|</?(?:[\w.-]{1,64}:)?(?:urlset|sitemapindex|rss|rdf|channel|feed)[\s/>]", re.IGNORECASE
)
_END_TAG = re.compile(rb"</([^\s<>/]{1,200})\s*>")


class Events(Protocol):
    """Who takes the events of expat: a concrete parser, or what finds the root."""

    def attach(self, parser: expat.XMLParserType, lines: int) -> None:
        """Take the events of this parser."""

    @property
    def path(self) -> list[str]:
        """The raw names of the elements that are open around entries."""

    def fault(self, detail: str, line: int, token: bytes) -> bool:
        """Expat stopped at this token; True to skip to the next entry."""

    def reopen(self, ending: str = "") -> list[str]:
        """What to open anew."""

    def bound_text(self) -> None:
        """Between two pieces."""


class PushParser:
    """Bytes in by ``feed``, events out to ``events``."""

    __slots__ = ("_faults", "_lines", "_log", "_origin", "_parser", "_skipping", "_window", "events", "exhausted")

    def __init__(self, events: Events, log: ProblemLog, line: int) -> None:
        self.events = events
        self.exhausted = False
        self._log = log
        self._faults = 0
        self._skipping = False
        self._window = b""  # fed, or being skipped, and still needed: an unfinished token
        self._start([], line - 1)

    def _start(self, path: list[str], lines: int) -> None:
        """A new expat parser, with these elements open."""
        self._parser = parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        if hasattr(parser, "SetReparseDeferralEnabled"):
            # It would hold back events; the bound on tokens does what it is for.
            parser.SetReparseDeferralEnabled(False)
        opening = _SYNTHETIC_ROOT + b"".join(b"<%b>" % name.encode() for name in path)
        parser.Parse(opening, False)
        self._origin = len(opening)  # expat's index of the first byte of the window
        self._lines = lines
        self.events.attach(parser, lines)

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        if self.exhausted or not data:
            return
        fed = len(self._window)
        data = self._window + data
        start = 0
        if self._skipping:
            start = fed = self._resume(data, 0, self._lines + 1)
        while start >= 0 and not self.exhausted:
            stopped = self._parse(data, start, fed)
            if stopped is None:
                break
            start = fed = self._recover(data, start, *stopped)
        self.events.bound_text()

    def _parse(self, data: bytes, start: int, fed: int) -> tuple[int, int, str] | None:
        """Feed what was not fed yet of the data from ``start`` on; where, on which line and why expat stopped."""
        parser = self._parser
        try:
            parser.Parse(memoryview(data)[fed:], False)
        except expat.ExpatError as error:
            index, line, detail = parser.ErrorByteIndex, parser.ErrorLineNumber, expat.ErrorString(error.code)
        except TooDeep as error:
            index, line, detail = error.index, error.line, "too many open elements"
        else:
            index = parser.CurrentByteIndex
            pending = self._origin + len(data) - start - index
            if pending <= TOKEN:
                self._window = data[len(data) - pending :]
                self._origin = index
                return None
            line, detail = parser.CurrentLineNumber, "a tag or comment is too long"
        return start + index - self._origin, self._lines + line, detail

    def _recover(self, data: bytes, start: int, stop: int, line: int, detail: str) -> int:
        """Go on behind the fault: where in the data, or -1 if the rest of it is of no use."""
        self._faults += 1
        if self._faults > _FAULTS:
            self._log.add("too-many-faults", line=line)
            self.exhausted = True
            return -1
        token = max(data.rfind(b"<", start, stop + 1), start)
        line -= data.count(b"\n", token, stop)
        ending = _END_TAG.match(data, token) if stop <= token + 2 else None
        name = ending[1].decode() if ending else ""
        if self.events.fault(detail, line, data[token : token + _OVERLAP]):
            return self._resume(data, token if ending else token + 1, line)
        if name in self.events.path:
            return self._restart(data, token, line, token, name)
        markup = data.find(b"<", token + 1)
        return self._restart(data, markup if markup >= 0 else len(data), line, token)

    def _resume(self, data: bytes, position: int, line: int) -> int:
        """Go on at the next entry, or the end of the root; look in what follows if it is not in this data."""
        found = _RESUME.search(data, position)
        if found is not None:
            return self._restart(data, found.start(), line, position)
        kept = max(position, len(data) - _OVERLAP)
        self._skipping = True
        self._window = data[kept:]
        self._lines = line - 1 + data.count(b"\n", position, kept)
        return -1

    def _restart(self, data: bytes, position: int, line: int, counted: int, ending: str = "") -> int:
        """Start a new parser at a position; ``line`` is that of the position ``counted``."""
        self._skipping = False
        self._start(self.events.reopen(ending), line - 1 + data.count(b"\n", counted, position))
        return position

    def close(self) -> bool:
        """The end of the bytes. True if they end within a token."""
        unfinished = self._window.startswith(b"<") and not self._skipping
        with contextlib.suppress(expat.ExpatError, TooDeep):
            # Only to make expat hand over the text that it still buffers.
            self._parser.Parse(_SYNTHETIC_ROOT.replace(b"<", b"</"), True)
        return unfinished
