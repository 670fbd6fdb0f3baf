"""Feeds of pages: Atom 0.3 and 1.0 (<feed>). https://www.rfc-editor.org/rfc/rfc4287"""

from usp.formats.elements import AbstractXMLSitemapParser
from usp.formats.namespaces import ATOM
from usp.formats.vocabulary import Grammar, Section, Values, filled
from usp.messages import Kind
from usp.rows import Row
from usp.values.urls import resolve_base

_LINK, _TITLE, _SUMMARY, _CONTENT, _PUBLISHED, _ISSUED, _CREATED, _UPDATED, _MODIFIED = range(9)
_LEAVES = ("link", "title", "summary", "content", "published", "issued", "created", "updated", "modified")

_RELATIONS = "http://www.iana.org/assignments/relation/"
"""RFC 4287, section 4.2.7.2: with this before it a relation means the same as alone."""

ENTRY = Section(
    size=len(_LEAVES),
    leaves={name: slot for slot, name in enumerate(_LEAVES)},
    attributes={_LINK: ("rel", "href", "xml:base")},
    lists=frozenset({_LINK}),
    mixed=frozenset({_TITLE, _SUMMARY, _CONTENT}),
)


class PagesAtomSitemapParser(AbstractXMLSitemapParser):
    """Reads Atom; an entry is a page if it has a link, whatever else it lacks."""

    Page = Row
    kind = Kind.ATOM
    grammar = Grammar(family=ATOM, roots=frozenset({"feed"}), entries={"entry": ENTRY}, quiet=True)

    def finish_entry(self, section: Section, values: Values, line: int, parts: int) -> None:  # noqa: ARG002
        href, base = self._link(values)
        if href is None:
            self.log.add("missing-loc", line=line)
            return
        url = self.entries.usable_url(href, line, base)
        if url is not None:
            title = values[_TITLE] or values[_SUMMARY] or values[_CONTENT]
            updated = values[_UPDATED] or values[_MODIFIED]
            published = values[_PUBLISHED] or values[_ISSUED] or values[_CREATED] or updated
            self.entries.add_page((url, updated, None, None, line, (title, published)), parts=1)

    def _link(self, values: Values) -> tuple[str | None, str | None]:
        """The first link that is alternate or says no relation, else the one to the entry itself; and its base."""
        own: tuple[str | None, str | None] = (None, None)
        feed_base = resolve_base(self.entries.base, self.around.root_attributes.get("xml:base"))
        entry_base = resolve_base(feed_base, self._entry_attributes.get("xml:base"))
        for text, relation, href, base in filled(values[_LINK]):
            target = href or text
            if not target:
                continue
            link = target, resolve_base(entry_base, base)
            relation = (relation or "alternate").lower().removeprefix(_RELATIONS)
            if relation == "alternate":
                return link
            if relation == "self" and own[0] is None:
                own = link
        return own
