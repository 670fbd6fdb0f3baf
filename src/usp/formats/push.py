"""Drives expat over cleaned bytes, and goes on where expat cannot.

Laws: expat stops for good at its first error, so that a new parser is started behind the fault; entries already read
stay read, the entry with the fault is dropped, its neighbours are not. Every restart is further on than the one before.
A synthetic root is fed first: junk after the root, a second root and fragments then need no special case. Old expat
reads an unfinished token again at every feed: tokens are bounded, so that time stays linear.
"""

import contextlib
import re
from typing import NamedTuple, Protocol
from xml.parsers import expat

from usp.formats.bounds import TooMuch
from usp.formats.surroundings import ENTRY
from usp.limits import TOKEN
from usp.problems import ProblemLog

_SYNTHETIC_ROOT = b"<usp-synthetic-root>"
_FAULTS = 1_000_000
"""Restarts in one document; each costs 15 microseconds, so that a document of nothing but faults costs 15 seconds."""

_OVERLAP = 80
"""Bytes kept while skipping, since what is searched for may lie across two pieces."""

_RESUME = re.compile(
    # The cleaner hands over a CDATA section whole: what stands in it is no entry.
    rb"<!\[CDATA\[(?:(?!<!\[CDATA\[).)*?\]\]>|("
    + ENTRY.pattern
    + rb"|</?(?:[\w.-]{1,64}:)?(?:urlset|sitemapindex|rss|rdf|channel|feed)[\s/>])",
    re.IGNORECASE | re.DOTALL,
)
_MARKUP = re.compile(rb"(<)")
_END_TAG = re.compile(rb"</([^\s<>/]{1,200})\s*>")
_HANDLERS = (
    "StartElementHandler",
    "EndElementHandler",
    "StartCdataSectionHandler",
    "EndCdataSectionHandler",
    "CharacterDataHandler",
)
_MISMATCH = expat.errors.codes[expat.errors.XML_ERROR_TAG_MISMATCH]


class Stop(NamedTuple):
    """Where, on which line and why expat stopped."""

    position: int
    line: int
    detail: str
    whole_token: bool = False
    """Whether the token that begins there is at fault, and not a character of one that began before."""


class Events(Protocol):
    """Who takes the events of expat: a concrete parser, or what finds the root."""

    def attach(self, parser: expat.XMLParserType, lines: int) -> None:
        """Take the events of this parser."""

    @property
    def path(self) -> list[str]:
        """The raw names of the elements that are open around entries."""

    def pass_over(self, lines: int) -> None:
        """That many lines of the document are read by somebody else."""

    def fault(self, detail: str, line: int, token: bytes) -> bool:
        """Expat stopped within this token, or in text if it is empty; True to skip to the next entry."""

    def reopen(self, ending: str = "") -> list[str]:
        """What to open anew."""

    @property
    def in_entry(self) -> bool:
        """Whether an entry is open."""

    def bound_text(self) -> None:
        """Between two pieces."""


class PushParser:
    """Bytes in by ``feed``, events out to ``events``."""

    __slots__ = ("_faults", "_lines", "_log", "_origin", "_parser", "_sought", "_window", "events", "exhausted")

    def __init__(self, events: Events, log: ProblemLog, line: int) -> None:
        self.events = events
        self.exhausted = False
        self._log = log
        self._faults = 0
        self._sought: re.Pattern[bytes] | None = None  # what is being skipped to
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

    @property
    def idle(self) -> bool:
        """Whether expat has read all that was fed, to the end of a token."""
        return self._sought is None and not self._window and not self.exhausted

    def pass_over(self, lines: int) -> None:
        """That many lines of the document are read by somebody else."""
        self._lines += lines
        self.events.pass_over(lines)

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        if self.exhausted or not data:
            return
        fed = len(self._window)
        data = self._window + data
        start = 0
        if self._sought is not None:
            start = fed = self._skip(data, 0, self._lines + 1)
        while start >= 0 and not self.exhausted:
            stop = self._parse(data, start, fed)
            if stop is None:
                break
            start = fed = self._recover(data, start, stop)
        self.events.bound_text()

    def _parse(self, data: bytes, start: int, fed: int) -> Stop | None:
        """Feed what was not fed yet of the data from ``start`` on."""
        parser = self._parser
        before = start - self._origin
        try:
            parser.Parse(memoryview(data)[fed:], False)
        except expat.ExpatError as error:
            position, line = before + parser.ErrorByteIndex, self._lines + parser.ErrorLineNumber
            if error.code == _MISMATCH:  # expat points at the name
                position -= 2
            return Stop(position, line, expat.ErrorString(error.code), whole_token=error.code == _MISMATCH)
        except TooMuch as error:
            return Stop(
                before + error.index,
                self._lines + error.line,
                "too many open elements, or too many names",
                whole_token=True,
            )
        index = parser.CurrentByteIndex
        pending = len(data) - before - index
        if pending > TOKEN:
            line = self._lines + parser.CurrentLineNumber
            return Stop(before + index, line, "a tag is too long", whole_token=True)
        self._window = data[len(data) - pending :]
        self._origin = index
        return None

    def _recover(self, data: bytes, start: int, stop: Stop) -> int:
        """Go on behind the fault: where in the data, or -1 if the rest of it is of no use.

        Only what lies before the stop may count: what lies behind it may not have come yet.
        """
        self._faults += 1
        if self._faults > _FAULTS:
            self._log.add("too-many-faults", line=stop.line)
            self.exhausted = True
            return -1
        token = _token(data, start, stop)
        line = stop.line - data.count(b"\n", token, stop.position)
        ending = _END_TAG.match(data, token) if stop.whole_token else None
        name = ending[1].decode() if ending else ""
        if name in self.events.path and not self.events.in_entry:
            return self._restart(data, token, line, token, name)
        in_text = token == stop.position and not stop.whole_token
        written = ending[0] if ending else data[token : min(stop.position + 1, token + _OVERLAP)]
        if self.events.fault(stop.detail, line, b"" if in_text else written):
            self._sought = _RESUME
            behind = token if in_text or written.startswith(b"</") else token + 1
        else:
            self._sought = _MARKUP
            behind = max(token if in_text else token + 1, stop.position, start + 1)
        return self._skip(data, behind, line + data.count(b"\n", token, behind))

    def _skip(self, data: bytes, position: int, line: int) -> int:
        """Go on at what is sought; look for it in what follows if it is not in this data."""
        behind = position
        for found in (self._sought or _MARKUP).finditer(data, position):
            if found[1] is not None:
                return self._restart(data, found.start(), line, position)
            behind = found.end()
        kept = max(behind, len(data) - _OVERLAP)
        self._window = data[kept:]
        self._lines = line - 1 + data.count(b"\n", position, kept)
        return -1

    def _restart(self, data: bytes, position: int, line: int, counted: int, ending: str = "") -> int:
        """Start a new parser at a position; ``line`` is that of the position ``counted``."""
        self._sought = None
        self._start(self.events.reopen(ending), line - 1 + data.count(b"\n", counted, position))
        return position

    def close(self) -> int:
        """The end of the bytes: the line on which a token begins that does not end, else 0."""
        line = 0
        if self._window.startswith(b"<") and self._sought is None:
            line = self._lines + self._parser.CurrentLineNumber
        self._parser.EndElementHandler = None
        with contextlib.suppress(expat.ExpatError, TooMuch):
            # Only to make expat hand over the text that it still buffers.
            self._parser.Parse(_SYNTHETIC_ROOT.replace(b"<", b"</"), True)
        for name in _HANDLERS:  # expat and who takes its events hold each other: megabytes until garbage is collected
            setattr(self._parser, name, None)
        return line


def _token(data: bytes, start: int, stop: Stop) -> int:
    """Where the token begins in which expat stopped; where it stopped if that is in text."""
    if stop.whole_token:
        return stop.position
    # A "<" at which expat stopped is one too many in the token before.
    token = data.rfind(b"<", start, stop.position + (data[stop.position : stop.position + 1] != b"<"))
    if token < 0 or b">" in data[token : stop.position]:
        return stop.position
    return token
