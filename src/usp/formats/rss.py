"""Feeds of pages: RSS 0.9x and 2.0 (<rss>) and RSS 1.0 (<rdf:RDF>).

https://www.rssboard.org/rss-specification and http://web.resource.org/rss/1.0/spec
"""

from usp.formats.elements import AbstractXMLSitemapParser
from usp.formats.namespaces import DUBLIN_CORE, RSS
from usp.formats.vocabulary import Grammar, Section, Values, filled
from usp.messages import Kind
from usp.rows import Row
from usp.values.urls import HTTP_URL

_LINK, _GUID, _TITLE, _DESCRIPTION, _DATE, _DC_DATE = range(6)

ITEM = Section(
    size=6,
    leaves={
        "link": _LINK,
        "guid": _GUID,
        "title": _TITLE,
        "description": _DESCRIPTION,
        "pubdate": _DATE,
        "dc:date": _DC_DATE,
    },
    attributes={_LINK: ("href",), _GUID: ("isPermaLink",)},
    lists=frozenset({_LINK}),
    mixed=frozenset({_TITLE, _DESCRIPTION}),
)


class PagesRSSSitemapParser(AbstractXMLSitemapParser):
    """Reads RSS; an item is a page if it has a link, whatever else it lacks."""

    Page = Row
    kind = Kind.RSS
    grammar = Grammar(
        family=RSS,
        other_families={DUBLIN_CORE: "dc:"},
        roots=frozenset({"rss", "rdf", "channel"}),
        entries={"item": ITEM},
        quiet=True,
    )

    def finish_entry(self, section: Section, values: Values, line: int, parts: int) -> None:  # noqa: ARG002
        written = self._link(values)
        if written is None:
            self.log.add("missing-loc", line=line)
            return
        url = self.entries.usable_url(written, line)
        if url is not None:
            story = (values[_TITLE] or values[_DESCRIPTION], values[_DATE] or values[_DC_DATE])
            self.entries.add_page((url, None, None, None, line, story), parts=1)

    @staticmethod
    def _link(values: Values) -> str | None:
        """The first link that says something, by its text or its href; else a guid that is one."""
        for text, href in filled(values[_LINK]):
            if text or href:
                return text or href  # type: ignore[no-any-return]
        guid, permanent = values[_GUID] or (None, None)
        if guid and (permanent or "true").lower() == "true" and HTTP_URL.match(guid):
            return str(guid)
        return None
