"""What the layers say to each other. Frozen values; nothing here does anything.

A ``Request`` asks for one URL. It is answered by a ``Response`` (a head, and the body's bytes as they came over the
wire) or by a ``Failure``. Reading a Response gives a ``Document``: all that one answer said.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum

import msgspec

from usp.problems import Outcome, Problems
from usp.rows import Block


class Request(msgspec.Struct, frozen=True):
    """One URL to be fetched, exactly as written."""

    url: str


class Response(msgspec.Struct, frozen=True):
    """An answer. ``headers`` have lower-case names; ``body`` gives the bytes of the wire and can be read once."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: Iterable[bytes]


class Failure(msgspec.Struct, frozen=True):
    """No answer, or none that can be used: why, in one sentence."""

    url: str
    outcome: Outcome
    reason: str


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
    references: tuple[SitemapRef, ...] = ()
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
