"""Sitemaps of pages: <urlset>. https://www.sitemaps.org/protocol.html#xmlTagDefinitions"""

from typing import ClassVar

from usp.formats.canonical import CanonicalEntries
from usp.formats.elements import AbstractXMLSitemapParser
from usp.formats.extensions import EXTENSIONS
from usp.formats.namespaces import CORE
from usp.formats.vocabulary import Grammar, Section, Values, filled
from usp.messages import Kind
from usp.rows import Row
from usp.values.urls import HTTP_URL

_LOC, _LASTMOD, _CHANGEFREQ, _PRIORITY, _LINE, _NEWS = range(6)
_FIELDS = len(Row.__struct_fields__)

_is_http = HTTP_URL.match

PAGE = Section(
    size=_FIELDS,
    leaves={"loc": _LOC, "lastmod": _LASTMOD, "changefreq": _CHANGEFREQ, "priority": _PRIORITY},
    extensible=True,
)
REFERENCE = Section(
    size=2,
    leaves={"loc": _LOC, "lastmod": _LASTMOD},
    lists=frozenset({_LOC}),  # some plugins write several loc in one <sitemap>: each is a child
)


class PagesXMLSitemapParser(AbstractXMLSitemapParser):
    """Reads <urlset>; also <sitemap> elements in it, for elements act as what they are."""

    Page = Row
    kind = Kind.URLSET
    grammar = Grammar(
        family=CORE,
        roots=frozenset({"urlset", "sitemapindex"}),
        entries={"url": PAGE, "sitemap": REFERENCE},
    )
    own_entry: ClassVar[Section] = PAGE

    def canonical_entries(self) -> CanonicalEntries | None:
        """The short way through the entries, if the root is written as the protocol has it."""
        if self.path != [str(self.kind)]:
            return None
        declared = tuple(
            extension
            for extension in EXTENSIONS
            if self._meanings.namespaces.declared(extension.prefix) == extension.namespaces[0]
        )
        return CanonicalEntries(self.entries, declared, pages=self.own_entry is PAGE)

    def finish_entry(self, section: Section, values: Values, line: int, parts: int) -> None:
        if section is not self.own_entry and not self.log.count("misplaced-element"):
            self.log.add("misplaced-element", line=line)
        if section is not PAGE:
            self._finish_reference(values, line)
            return
        url = values[_LOC]
        if url is None:
            self.log.add("missing-loc", line=line)
            return
        if not _is_http(url):
            url = self.entries.usable_url(url, line)
            if url is None:
                return
        if parts:
            self.entries.add_page((url, *values[1:_LINE], line, *values[_NEWS:]), parts)
        else:
            self.entries.add_page((url, values[_LASTMOD], values[_CHANGEFREQ], values[_PRIORITY], line))

    def _finish_reference(self, values: Values, line: int) -> None:
        locations = filled(values[_LOC])
        if not locations:
            self.log.add("missing-loc", line=line)
        for written in locations:
            url = self.entries.usable_url(written, line)
            if url is not None:
                self.entries.add_reference(url, values[_LASTMOD], line)
