"""Entries as nearly every program writes them, read by one regex each: the short way past expat.

Laws: only what the long way (``clean.py``, ``push.py``, ``elements.py``) would read without a word is read here, with
the same result; before the first entry that is unusual this reader stops, and the long way takes over. It is never
needed: the long way is the definition. It reads plain entries three times as fast.

Canonical are: names without capitals, under the usual prefixes, declared as defined; no comments, CDATA sections or
references but the five of XML; an absolute URL first, each field once, in any order.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from usp.formats.entries import PARTS_A_PAGE, Entries
from usp.formats.extensions.hreflang import HREFLANG
from usp.formats.extensions.image import IMAGE
from usp.formats.extensions.news import NEWS
from usp.formats.vocabulary import Extension
from usp.values.urls import HTTP_URL

_BLANK = r"[ \t\n]*+"
_VALUE = r"[^<>\x00-\x08\x0b-\x1f]*+"
_WORD = r"[^<>&\x00-\x08\x0b-\x1f]*+"
_ATTRIBUTE = r'"([^"<>\x00-\x20][^"<>\x00-\x1f]*+)"'
_LOC = rf"<loc>{_BLANK}(https?://[^/?#\s<>\x00-\x1f]{_VALUE})</loc>"

_LINK = rf'<xhtml:link rel="alternate" hreflang={_ATTRIBUTE} href="(https?://[^"<>\x00-\x1f]*+)" ?+/>'
_NO_GROUPS = re.compile(r"\((?!\?)")


def _leaves(extension: Extension, group: str) -> str:
    """Any number of an extension's leaves."""
    names = "|".join(extension.section.leaves) if extension.section else ""
    return rf"(?:<{extension.prefix}:(?P<{group}>{names})>{_VALUE}</{extension.prefix}:(?P={group})>{_BLANK})*+"


_PARTS = {
    HREFLANG: _NO_GROUPS.sub("(?:", _LINK),
    IMAGE: rf"<image:image>{_BLANK}{_leaves(IMAGE, 'of_image')}</image:image>",
    NEWS: (
        rf"<news:news>{_BLANK}{_leaves(NEWS, 'before')}(?:<news:publication>{_BLANK}{_leaves(NEWS, 'publication')}"
        rf"</news:publication>{_BLANK})?+{_leaves(NEWS, 'after')}</news:news>"
    ),
}
_LINKS = re.compile(r'hreflang="([^"]+)" href="([^"]+)"')
_FIELDS = {
    extension: re.compile(rf"<{extension.prefix}:(\w+)>([^<]+)</{extension.prefix}:") for extension in (IMAGE, NEWS)
}
"""What is found by these was judged by ``_PARTS`` before."""

_REFERENCE = re.compile("&(amp|lt|gt|quot|apos);")
_CHARACTERS = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}

_is_http = HTTP_URL.match


class Unusual(Exception):
    """The entry is not canonical after all."""


@cache
def _page(extensions: tuple[Extension, ...]) -> re.Pattern[str]:
    """A page: its URL, then its fields, each at most once, and parts of these extensions."""
    fields = "|".join(
        rf"(?({group})(?!)|<{name}>({_WORD})</{name}>)"
        for group, name in enumerate(("lastmod", "changefreq", "priority"), 3)
    )
    parts = "|".join(_PARTS[extension] for extension in extensions) or "(?!)"
    return re.compile(rf"{_BLANK}(<url>){_BLANK}{_LOC}{_BLANK}(?>(?:{fields}|(?P<part>{parts})){_BLANK})*+</url>")


_SITEMAP = re.compile(rf"{_BLANK}(<sitemap>){_BLANK}{_LOC}{_BLANK}(?:<lastmod>({_WORD})</lastmod>{_BLANK})?+</sitemap>")


class CanonicalEntries:
    """Reads canonical entries of a document whose root declares ``extensions`` as they are defined."""

    __slots__ = ("_entries", "_match", "_pages", "_part", "line", "opening")

    def __init__(self, entries: Entries, extensions: tuple[Extension, ...], *, pages: bool) -> None:
        self._entries = entries
        self._pages = pages
        pattern = _page(tuple(extension for extension in extensions if extension in _PARTS)) if pages else _SITEMAP
        self._match = pattern.match
        self._part = pattern.groupindex.get("part", 0)
        self.opening = "<url>" if pages else "<sitemap>"
        self.line = 0

    def read(self, text: str, start: int, line: int) -> int:
        """Read what is canonical from a place on that line; where it ends, on the line that is then ``self.line``."""
        self.line = line
        if not text.isascii() and ("\ufffe" in text or "\uffff" in text):
            return start
        position = self._read_pages(text, start, line) if self._pages else self._read_references(text, start, line)
        self.line += text.count("\n", start, position)
        return position

    def _read_pages(self, text: str, start: int, line: int) -> int:
        """Add the pages from a place on; where they end. Everything here happens once a page."""
        entries, match, of_part, count = self._entries, self._match, self._part, text.count
        position = counted = start
        only_ampersands = count("&") == count("&amp;")
        rows: list[tuple[Any, ...]] = []
        try:
            while (found := match(text, position)) is not None:
                url, lastmod, changefreq, priority, part = found.group(2, 3, 4, 5, of_part)
                beginning = found.start(1)
                line += count("\n", counted, beginning)
                counted = beginning
                if "&" in url:
                    url = url.replace("&amp;", "&") if only_ampersands else _decoded(url)
                lastmod = (lastmod and lastmod.strip()) or None
                changefreq = (changefreq and changefreq.strip()) or None
                priority = (priority and priority.strip()) or None
                if part is None:
                    rows.append((url.strip(), lastmod, changefreq, priority, line))
                else:
                    parts, number = _parts(found[0])
                    if rows:
                        entries.add_pages(rows)
                        rows = []
                    entries.add_page((url.strip(), lastmod, changefreq, priority, line, *parts), number)
                position = found.end()
        except Unusual:
            pass
        entries.add_pages(rows)
        return position

    def _read_references(self, text: str, start: int, line: int) -> int:
        """Add the references from a place on; where they end."""
        position = counted = start
        try:
            while (found := self._match(text, position)) is not None:
                url, lastmod = found.group(2, 3)
                beginning = found.start(1)
                line += text.count("\n", counted, beginning)
                counted = beginning
                self._entries.add_reference(_decoded(url).strip(), (lastmod and lastmod.strip()) or None, line)
                position = found.end()
        except Unusual:
            pass
        return position


def _parts(written: str) -> tuple[tuple[Any, ...], int]:
    """What hangs on a page, in the order of ``Row``, and how much that is."""
    value_of: Callable[[str], str] = str
    if marks := written.count("&"):
        if marks == written.count("&amp;"):  # nearly always: decode the whole entry at once
            written = written.replace("&amp;", "&")
        else:
            value_of = _decoded
    story = _story(written, value_of) if "<news:" in written else None
    images = _images(written, value_of) if "<image:" in written else None
    alternates = _alternates(written, value_of) if "<xhtml:" in written else None
    return (story, images, None, alternates), bool(story) + len(images or ()) + len(alternates or ())


def _alternates(written: str, value_of: Callable[[str], str]) -> list[tuple[str, str]]:
    alternates = _LINKS.findall(written)
    if len(alternates) > PARTS_A_PAGE:
        raise Unusual
    if value_of is str and written.isascii() and ' "' not in written:
        return alternates  # nothing to decode or to trim: no attribute ends in a space, and none begins so
    return [(value_of(language).strip(), value_of(href).strip()) for language, href in alternates]


def _images(written: str, value_of: Callable[[str], str]) -> list[tuple[str | None, ...]]:
    images = [_values(part, IMAGE, value_of) for part in written.split("<image:image>")[1:]]
    if len(images) > PARTS_A_PAGE or not all(image[0] and _is_http(image[0]) for image in images):
        raise Unusual
    return images


def _story(written: str, value_of: Callable[[str], str]) -> tuple[str | None, ...]:
    if written.count("<news:news>") > 1:
        raise Unusual
    return _values(written, NEWS, value_of)


def _values(written: str, extension: Extension, value_of: Callable[[str], str]) -> tuple[str | None, ...]:
    """The values of one element of an extension, by slot."""
    fields = _FIELDS[extension].findall(written)
    values = {name: value_of(value).strip() or None for name, value in fields}
    if len(values) != len(fields):
        raise Unusual
    return tuple(map(values.get, extension.section.leaves)) if extension.section else ()


def _decoded(value: str) -> str:
    """A value without references, of which only those of XML itself are canonical."""
    marks = value.count("&")
    if marks == value.count("&amp;"):
        return value.replace("&amp;", "&") if marks else value
    decoded, references = _REFERENCE.subn(lambda found: _CHARACTERS[found[1]], value)
    if references != marks:
        raise Unusual
    return decoded
