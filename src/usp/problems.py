"""The world's mistakes, as values: what was tolerated, lost or unusable in something a web site said.

Laws: reading never raises for what a site does, it records a ``Problem``. Every code stands in ``CATALOGUE`` with its
severity, one sentence and one remedy; ``docs/reference/problems.md`` is generated from it. Counts are exact; of each
code only the first few problems are kept, so that a document with a million faults costs no more than one with ten.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, overload

import msgspec

KEPT_A_CODE = 10
DETAIL_LENGTH = 200


class Severity(StrEnum):
    """How grave a problem is."""

    NOTE = "note"
    """Tolerated; nothing is missing."""
    LOSS = "loss"
    """Something was dropped."""
    FATAL = "fatal"
    """Nothing usable."""


class Outcome(StrEnum):
    """What became of one URL that was tried."""

    OK = "ok"
    ABSENT = "absent"
    BLOCKED = "blocked"
    UNREACHABLE = "unreachable"
    BROKEN = "broken"
    EMPTY = "empty"
    TRUNCATED = "truncated"
    REFUSED = "refused"
    FILTERED = "filtered"


class Problem(msgspec.Struct, frozen=True, gc=False):
    """One fault of one document.

    ``line`` counts from 1 in the decoded text; it is None where a line means nothing (compression, the whole document).
    """

    code: str
    severity: Severity
    url: str
    detail: str = ""
    line: int | None = None

    def __str__(self) -> str:
        place = f"line {self.line}: " if self.line is not None else ""
        detail = f" ({self.detail})" if self.detail else ""
        return f"{place}{self.severity} {self.code}: {CATALOGUE[self.code].sentence}{detail}"


class Problems(Sequence[Problem]):
    """The problems of one document: a sequence of those kept, and the exact count of each code."""

    __slots__ = ("_kept", "counts")

    def __init__(self, kept: Sequence[Problem] = (), counts: Mapping[str, int] | None = None) -> None:
        self._kept = tuple(kept)
        self.counts: dict[str, int] = dict(counts or {})

    @property
    def total(self) -> int:
        """How many problems there were, kept or not."""
        return sum(self.counts.values())

    def worst(self) -> Severity | None:
        """The gravest severity met, or None where there was no problem."""
        met = {CATALOGUE[code].severity for code in self.counts}
        return next((severity for severity in reversed(Severity) if severity in met), None)

    @overload
    def __getitem__(self, index: int) -> Problem: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Problem]: ...
    def __getitem__(self, index: int | slice) -> Problem | Sequence[Problem]:
        return self._kept[index]

    def __len__(self) -> int:
        return len(self._kept)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Problems):
            return NotImplemented
        return self._kept == other._kept and self.counts == other.counts

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Problems {self.counts}>"


class ProblemLog:
    """Collects the problems of one document while it is read."""

    __slots__ = ("_counts", "_kept", "url")

    def __init__(self, url: str) -> None:
        self.url = url
        self._kept: list[Problem] = []
        self._counts: dict[str, int] = {}

    def add(self, code: str, detail: str = "", line: int | None = None) -> None:
        """Record one problem; what is longer than a detail should be is cut."""
        count = self._counts.get(code, 0)
        self._counts[code] = count + 1
        if count < KEPT_A_CODE:
            if len(detail) > DETAIL_LENGTH:
                detail = detail[:DETAIL_LENGTH] + "…"
            self._kept.append(Problem(code, CATALOGUE[code].severity, self.url, detail, line))

    def count(self, code: str) -> int:
        """How many problems of this code there were."""
        return self._counts.get(code, 0)

    def keeps(self, code: str) -> bool:
        """Whether another problem of this code would be kept, and is worth working out a line for."""
        return self._counts.get(code, 0) < KEPT_A_CODE

    def problems(self) -> Problems:
        """What was recorded, in order of line: the layers of the reader run ahead of each other by up to a piece."""
        kept = sorted(self._kept, key=lambda problem: (problem.line or 0, problem.code))
        return Problems(kept, dict(sorted(self._counts.items())))


class Entry(NamedTuple):
    """One kind of problem: how grave it is, what it says, and what the owner of the site can do about it."""

    severity: Severity
    sentence: str
    remedy: str


_NOTE, _LOSS, _FATAL = Severity.NOTE, Severity.LOSS, Severity.FATAL

CATALOGUE: Mapping[str, Entry] = {
    # bytes: compression and charset
    "truncated-compression": Entry(_LOSS, "The compressed data ends too early.", "Upload the whole file again."),
    "corrupt-compression": Entry(_LOSS, "The compressed data is damaged.", "Compress and upload the file again."),
    "junk-after-compression": Entry(
        _NOTE, "Bytes that are no compressed data follow it.", "Write nothing after the last gzip member."
    ),
    "wrong-content-encoding": Entry(
        _NOTE,
        "The Content-Encoding header does not describe the body.",
        "Send the header only for bodies that the server itself compressed.",
    ),
    "unknown-content-encoding": Entry(
        _NOTE, "The Content-Encoding header names no known encoding.", "Use gzip, br, zstd or deflate."
    ),
    "too-many-encodings": Entry(
        _FATAL, "The body is compressed more often than the limit allows.", "Compress a sitemap once."
    ),
    "compression-ratio": Entry(
        _FATAL, "The body inflates like a bomb, not like a sitemap.", "Raise `Limits.ratio` if the site is trusted."
    ),
    "too-large": Entry(
        _LOSS,
        "The document is larger than the limit; what lies beyond it was not read.",
        "Split the sitemap (the protocol allows 50 MB), or raise `Limits`.",
    ),
    "unknown-charset": Entry(_NOTE, "The declared charset is unknown; UTF-8 was assumed.", "Declare and use UTF-8."),
    "charset-contradiction": Entry(
        _NOTE, "The bytes show another charset than the one declared.", "Make the declaration and the bytes agree."
    ),
    "invalid-bytes": Entry(
        _NOTE,
        "Bytes that are invalid in the document's charset became U+FFFD.",
        "Write the file in the charset that it declares, best UTF-8.",
    ),
    # the answer itself
    "interrupted": Entry(_LOSS, "The answer broke off; what came before was kept.", "Look at the server's logs."),
    "partial-content": Entry(
        _LOSS, "The server sent a part that nobody asked for.", "Answer with the whole document and status 200."
    ),
    "guard-unseen": Entry(
        _NOTE,
        "Addresses were checked as URLs name them: what is dialled cannot be seen here.",
        "Use the default fetcher without a proxy where strangers choose the site.",
    ),
    "challenge-page": Entry(
        _FATAL,
        "The site shows a challenge instead of the sitemap: it blocks us.",
        "Let sitemaps through to everybody; as a reader, ask the owner, or use another user agent, address or rate.",
    ),
    # what kind of document it is
    "empty-document": Entry(_FATAL, "There is nothing in the document.", "Serve the sitemap's content."),
    "html-page": Entry(
        _FATAL,
        "This is an HTML page, not a sitemap.",
        "Serve the sitemap itself, or answer 404 where there is none; check for a login or a challenge.",
    ),
    "unknown-root": Entry(
        _FATAL, "The XML document is no kind of sitemap.", "Use urlset, sitemapindex, RSS, RDF or Atom."
    ),
    "no-urls": Entry(_FATAL, "The text holds no URL at all.", "Write one URL a line, each with its scheme."),
    "junk-before-document": Entry(
        _NOTE, "Text stands before the document.", "Remove what is printed first, often a warning of the program."
    ),
    # XML
    "late-declaration": Entry(
        _NOTE, "Something stands before the XML declaration.", "Begin the file with the declaration."
    ),
    "repeated-declaration": Entry(_NOTE, "There is more than one XML declaration.", "Write it once, at the start."),
    "doctype": Entry(_NOTE, "A DOCTYPE was skipped.", "Sitemaps need none: remove it."),
    "doctype-declares": Entry(
        _FATAL, "The DOCTYPE declares entities or elements; such documents are refused.", "Remove the DOCTYPE."
    ),
    "missing-namespace": Entry(
        _NOTE, "The document's namespace is missing.", "Declare the namespace of the protocol on the root element."
    ),
    "wrong-namespace": Entry(_NOTE, "A namespace is not the one defined.", "Copy the namespace from its definition."),
    "undeclared-prefix": Entry(_NOTE, "A prefix is used but not declared.", "Declare it on the root element."),
    "unusual-case": Entry(_NOTE, "A name is not written in lower case.", "XML tells cases apart: use lower case."),
    "unknown-element": Entry(_NOTE, "An element is not known here and was skipped.", "Check its name and its place."),
    "misplaced-element": Entry(
        _NOTE,
        "An entry stands in a document of the other kind and was read.",
        "Keep pages and sitemaps apart.",
    ),
    "nested-root": Entry(_NOTE, "A root element stands inside a root element.", "Write one root element."),
    "second-root": Entry(_NOTE, "Another document follows the first one.", "Serve one document a file."),
    "junk-after-root": Entry(_NOTE, "Something follows the end of the document.", "Write nothing after the root."),
    "stray-text": Entry(_NOTE, "Text stands between elements.", "Put text into the element that it belongs to."),
    "stray-tag": Entry(_NOTE, "An end tag closes nothing.", "Remove it, or write its start tag."),
    "bad-markup": Entry(_NOTE, "Something that is no markup stands between the entries.", "Remove it."),
    "missing-end": Entry(_NOTE, "The end tag of the document is missing.", "Close the root element."),
    "truncated-document": Entry(
        _LOSS,
        "The document ends in the middle; complete entries were kept.",
        "Upload the whole file again.",
    ),
    "broken-entry": Entry(_LOSS, "An entry is not well-formed and was dropped.", "Make the entry well-formed XML."),
    "html-entity": Entry(_NOTE, "An HTML entity was read; XML does not know it.", "Write the character itself."),
    "bare-ampersand": Entry(_NOTE, "An ampersand is not escaped.", "Write `&amp;` for `&`."),
    "invalid-reference": Entry(
        _NOTE, "A character reference names no XML character; it became U+FFFD.", "Remove the reference."
    ),
    "invalid-character": Entry(_NOTE, "Characters that XML forbids were taken out.", "Remove such characters."),
    "lone-surrogate": Entry(
        _NOTE, "Lone surrogates in a text became U+FFFD.", "Decode the bytes without `surrogateescape`."
    ),
    "reference-in-cdata": Entry(
        _NOTE, "An HTML reference in a CDATA section was decoded.", "Write the character itself within CDATA."
    ),
    # entries
    "missing-loc": Entry(_LOSS, "An entry has no URL and was dropped.", "Give every entry one loc (or link)."),
    "not-http": Entry(_LOSS, "A URL is not an HTTP(S) URL and was dropped.", "List http:// and https:// URLs only."),
    "relative-url": Entry(_NOTE, "A URL is relative.", "Write absolute URLs."),
    "repeated-field": Entry(_NOTE, "An entry repeats a field; the first one counts.", "Write every field once."),
    "duplicate-url": Entry(_NOTE, "A URL is listed again in the same document; the first one counts.", "List it once."),
    "incomplete-image": Entry(_LOSS, "An image has no usable loc and was dropped.", "Give the image a loc."),
    "incomplete-alternate": Entry(
        _LOSS, "An alternate lacks its hreflang or its href and was dropped.", "Write both attributes."
    ),
    "too-many-parts": Entry(
        _LOSS, "A page has more images, videos or alternates than are kept.", "Search engines read 1,000 images a page."
    ),
    "long-value": Entry(_LOSS, "A value is too long and was dropped.", "Shorten the value."),
    "markup-in-value": Entry(_LOSS, "A value holds elements and was dropped.", "Write nothing but the value."),
    "too-many-faults": Entry(_LOSS, "Reading stopped: the document is more fault than content.", "Make it XML."),
    "unusual-root": Entry(_NOTE, "The root element is not one of the protocol.", "Use urlset or sitemapindex."),
    "wrapped-url": Entry(
        _NOTE, "A URL stands in quotes, brackets or invisible characters, which were left out.", "Write the URL alone."
    ),
    "not-a-url": Entry(
        _NOTE, "Lines hold something that is no URL and was skipped.", "Write one URL a line and nothing else."
    ),
    "bad-sitemap-line": Entry(
        _NOTE, "A Sitemap line holds no usable URL.", "Write the full URL of the sitemap after the colon."
    ),
    "long-line": Entry(_LOSS, "A line is too long and was read up to the limit only.", "Break the line."),
    # values: judged by one explicit pass over the rows, never while reading
    "bad-date": Entry(_NOTE, "A date is not certainly a date.", "Use 2024-12-31 or 2024-12-31T23:59:59+00:00."),
    "unusual-date": Entry(_NOTE, "A date is not in W3C form.", "Use 2024-12-31 or 2024-12-31T23:59:59+00:00."),
    "bad-priority": Entry(_NOTE, "A priority is no number from 0.0 to 1.0; 0.5 counts.", "Write 0.0 to 1.0."),
    "bad-changefreq": Entry(
        _NOTE, "A change frequency is unknown; `always` counts.", "Use always … never of the protocol."
    ),
    "long-url": Entry(_NOTE, "A URL is longer than 2,048 characters.", "Shorten the URL."),
    "damaged-url": Entry(_NOTE, "A URL holds U+FFFD: its bytes were damaged.", "Write the URL in UTF-8 or %-escapes."),
    "space-in-url": Entry(_NOTE, "A URL holds white space or control characters.", "Escape them with %-escapes."),
    "incomplete-news": Entry(_NOTE, "A news story lacks its title or its date.", "Give both: they are required."),
}
