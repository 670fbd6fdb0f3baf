"""What the layers say to each other. Frozen values; nothing here does anything.

A ``Request`` asks for one URL. It is answered by a ``Response`` (a head, and the body's bytes as they came over the
wire) or by a ``Failure``. Reading a Response gives a ``Document``: all that one answer said.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

import msgspec

from usp.problems import Outcome, Problems
from usp.rows import Block

MayDial = Callable[[str, str], bool]
"""Asked before a connection is made: the host as the URL names it, and the IP address about to be dialled."""


class Request(msgspec.Struct, frozen=True):
    """One URL to be fetched by GET, one hop, exactly as written.

    ``guessed`` says that nobody declared the URL, so that nothing being there is no news. ``trusted`` says whether the
    URL is of the origin that the caller named, so that the caller's credentials may go there. ``headers`` are to be
    sent as they are. ``may_dial`` is asked for every address about to be dialled; None allows all.
    """

    url: str
    guessed: bool = False
    trusted: bool = False
    headers: Mapping[str, str] = {}
    may_dial: MayDial | None = None


class Response(msgspec.Struct, frozen=True):
    """An answer. ``body`` gives the bytes of the wire and can be read once.

    ``headers`` have lower-case names; the values of a repeated one are joined by ``", "``, those of ``set-cookie`` by
    ``"\\n"``. ``url`` is the URL requested, or the final one if the fetcher cannot help following redirects itself.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    body: AsyncIterator[bytes]
    phrase: str = ""


class Failure(msgspec.Struct, frozen=True):
    """No answer, or none that can be used: why, in one sentence.

    ``retryable`` says whether it may pass; ``connected`` whether there was a connection at all; ``wait`` is what the
    server asked for by Retry-After, in seconds; ``partial`` is what an answer had said before it broke off.
    """

    url: str
    outcome: Outcome
    reason: str
    status: int | None = None
    retryable: bool = False
    connected: bool = True
    wait: float | None = None
    partial: "Document | None" = None


class Redirect(msgspec.Struct, frozen=True):
    """The answer is to be had at another URL. ``fresh_cookie`` if it set one: asking again may give another answer."""

    url: str
    target: str
    status: int
    fresh_cookie: bool = False


class SitemapRef(msgspec.Struct, frozen=True, gc=False):
    """A sitemap that a document declares: its URL as written (resolved if relative), its ``lastmod`` as written."""

    url: str
    lastmod: str | None = None
    line: int | None = None


class Kind(StrEnum):
    """What a document is."""

    URLSET = "urlset"
    INDEX = "sitemapindex"
    RSS = "rss"
    ATOM = "atom"
    TEXT = "text"
    ROBOTS = "robots"
    HTML = "html"
    UNKNOWN = "unknown"


class Document(msgspec.Struct, frozen=True):
    """What one response said: pages as packed blocks, references to other sitemaps, problems."""

    url: str
    kind: Kind
    outcome: Outcome
    blocks: tuple[Block, ...] = ()
    references: Sequence[SitemapRef] = ()
    feeds: tuple[SitemapRef, ...] = ()
    problems: Problems = Problems()

    @property
    def usable(self) -> bool:
        """Whether the document is a sitemap at all, whole or in part."""
        return self.kind not in (Kind.HTML, Kind.UNKNOWN) and self.outcome in (Outcome.OK, Outcome.TRUNCATED)

    @property
    def reason(self) -> str:
        """Why the document is no sitemap, in one sentence."""
        worst = self.problems.worst()
        return next((str(problem) for problem in self.problems if problem.severity == worst), str(self.outcome))


class Answered(NamedTuple):
    """What asking for one URL gave, the status that came with it and the seconds that it took."""

    answer: Document | Failure | Redirect
    status: int | None = None
    seconds: float = 0.0
