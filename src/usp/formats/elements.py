"""The dispatch of XML events to what they mean: the hot path of the Python reader.

Laws: a dict from the raw name to its meaning here is all that a known element costs; names are resolved once. The text
of a leaf goes from expat into a list without a Python frame. Within the unknown the dict is empty and a depth counts.
Whatever ends an entry early leaves nothing behind for the next one.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar
from xml.parsers.expat import XMLParserType

from usp.formats.entries import PARTS_A_PAGE, Entries
from usp.formats.extensions import EXTENSIONS
from usp.formats.namespaces import IGNORED, NAMESPACES, Namespaces, family_of
from usp.formats.vocabulary import Extension, Section, Values
from usp.limits import DEPTH, TOKEN
from usp.messages import Kind
from usp.values.text import decode_references

ENTRY = re.compile(rb"<(?:[\w.-]{1,64}:)?(?:url|sitemap|item|entry)[\s/>]", re.IGNORECASE)
"""The start tag of an entry of any kind, as bytes of a document."""

_MEMO = 1000
"""Raw names remembered in one context; a document with more of them pays for each."""

_EXTENSIONS = {(extension.family, extension.element): extension for extension in EXTENSIONS}
_NOTHING: dict[str, Any] = {}
_NO_LEAF = -1
_GAPS = 64
"""Runs of text between elements that are kept before they are looked at."""


class TooDeep(Exception):  # noqa: N818 (control flow through expat, never seen by a caller)
    """Elements are nested, or entries left open, beyond the bound: at that byte of expat's, on that line of its."""

    def __init__(self, parser: XMLParserType) -> None:
        self.index = parser.CurrentByteIndex
        self.line = parser.CurrentLineNumber


class Context:
    """A section being read, with what raw names turned out to mean in it."""

    __slots__ = ("entry", "memo", "section")

    def __init__(self, section: Section, *, entry: bool = False) -> None:
        self.section = section
        self.entry = entry
        self.memo: dict[str, Any] = {}


class AbstractXMLSitemapParser(ABC):
    """The events of one XML document in, entries out; one concrete parser for each kind of root.

    A raw name means an int (the slot of a leaf), a ``Context`` (a section or an entry), an ``Extension`` whose all is in
    its attributes, or None (unknown).
    """

    kind: ClassVar[Kind]
    family: ClassVar[str]
    """Whose names need no prefix here."""
    other_families: ClassVar[Mapping[str, str]] = {}
    """Further families with leaves of an entry, and the prefix of their names in its section."""
    roots: ClassVar[frozenset[str]]
    """Elements that hold entries."""
    entry_sections: ClassVar[Mapping[str, Section]]
    extensible: ClassVar[bool] = False
    quiet: ClassVar[bool] = False
    """Feeds are full of elements that are none of our business; sitemaps are not: there they are worth a note."""

    def __init__(self, entries: Entries) -> None:
        self.entries = entries
        self.log = entries.log
        self.names = Namespaces(entries.log)
        self.path: list[str] = []
        """The raw names of the open elements around entries."""
        self.ended = False
        self._open_roots = 0
        self._root_prefix = ""
        self._document = Context(Section(size=0, leaves={}))
        self._entries = {name: Context(section, entry=True) for name, section in self.entry_sections.items()}
        self._sections = {extension: Context(extension.section) for extension in EXTENSIONS if extension.section}
        self._section_extensions = {context: extension for extension, context in self._sections.items()}
        self._text: list[str] = []
        self._gaps: list[str] = []
        self._stray = False
        self._unclosed = 0
        self._between_entries()

    def attach(self, parser: XMLParserType, lines: int) -> None:
        """Take the events of this expat parser, whose first line is that many lines into the document."""
        self._parser = parser
        self._lines = lines
        self._unclosed = 0
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.StartCdataSectionHandler = self._start_cdata
        parser.EndCdataSectionHandler = self._end_cdata
        parser.CharacterDataHandler = self._gaps.append

    def _between_entries(self) -> None:
        """Nothing of an entry is left."""
        self._context = self._document
        self._memo = self._document.memo
        self._values: Values = []
        self._stack: list[tuple[Context, Values, Extension | None]] = []
        self._leaf = _NO_LEAF
        self._leaf_attributes: Mapping[str, str] = _NOTHING
        self._overlong = False
        self._cdata = _NO_LEAF
        self._skipped = 0
        self._suspect = 0
        self._suspect_name = ""
        self.parts = 0
        self.entry_line = 0
        self._text.clear()

    def line(self) -> int:
        """The line of the event at hand."""
        return self._lines + self._parser.CurrentLineNumber

    @abstractmethod
    def begin_entry(self, attributes: Mapping[str, str]) -> None:
        """An entry begins."""

    @abstractmethod
    def finish_entry(self, section: Section, values: Values, line: int) -> None:
        """An entry is whole: add what it is."""

    # -- the hot path

    def start(self, name: str, attributes: dict[str, str]) -> None:
        meaning = self._memo.get(name)
        if meaning.__class__ is int and self._leaf < 0:
            self._leaf = meaning
            self._leaf_attributes = attributes
            self._parser.CharacterDataHandler = self._text.append
        else:
            self._start_other(name, attributes, meaning)

    def end(self, name: str) -> None:
        leaf = self._leaf
        if leaf >= 0 and not self._skipped:
            text = self._text
            value = (text[0] if len(text) == 1 else "".join(text)).strip()
            text.clear()
            self._leaf = _NO_LEAF
            self._parser.CharacterDataHandler = self._gaps.append
            values = self._values
            if values[leaf] is None and leaf not in self._context.section.attributes and not self._overlong:
                values[leaf] = value or None
            else:
                self._store(leaf, value)
        elif self._skipped:
            self._skipped -= 1
            if not self._skipped:
                self._end_skip()
        else:
            self._end_other(name)

    # -- leaves that are not plain

    def _store(self, leaf: int, value: str) -> None:
        """Store a leaf with attributes, one that may be repeated, one that should not be."""
        section, values = self._context.section, self._values
        if self._overlong:
            self._overlong = False
            self.log.add("long-value", line=self.line())
            value = ""
        stored: Any = value or None
        if leaf in section.attributes:
            given = self._leaf_attributes
            stored = (stored, *(given.get(attribute, "").strip() or None for attribute in section.attributes[leaf]))
        elif stored is None:
            return
        present = values[leaf]
        if present is None:
            values[leaf] = stored
        elif leaf not in section.lists:
            self.log.add("repeated-field", line=self.line())
        elif isinstance(present, list):
            if len(present) < PARTS_A_PAGE:
                present.append(stored)
        else:
            values[leaf] = [present, stored]

    def _start_cdata(self) -> None:
        if self._leaf >= 0:
            self._cdata = len(self._text)

    def _end_cdata(self) -> None:
        """XML decodes nothing in a CDATA section; sites write references there all the same, and mean characters."""
        if self._cdata < 0:
            return
        written = "".join(self._text[self._cdata :])
        if "&" in written:
            decoded = decode_references(written)
            if decoded != written:
                self.log.add("reference-in-cdata", line=self.line())
                self._text[self._cdata :] = [decoded]
        self._cdata = _NO_LEAF

    def bound_text(self) -> None:
        """Called between two pieces: no text may grow without end."""
        if len(self._text) > TOKEN // 8192 and (self._overlong or sum(map(len, self._text)) > TOKEN):
            self._overlong = True
            self._text.clear()
            self._cdata = min(self._cdata, 0)
        if len(self._gaps) > 64:
            self._look_at_gaps()

    def _look_at_gaps(self) -> None:
        self._stray = self._stray or not ("".join(self._gaps) + " ").isspace()
        self._gaps.clear()

    def note_gaps(self) -> None:
        """Called at fixed places of a document only, so that the notes do not depend on how the text was split."""
        self._look_at_gaps()
        if self._stray:
            self._stray = False
            if not self.quiet:
                self.log.add("junk-after-root" if self.ended else "stray-text", line=self.line())

    # -- elements that are no plain leaf

    def _start_other(self, name: str, attributes: dict[str, str], meaning: Any) -> None:
        if self._skipped:
            self._start_in_skip(name, attributes)
            return
        if self._leaf >= 0:
            self._skip(mixed=self._leaf in self._context.section.mixed)
            self._look_for_entry(name, attributes)
            return
        if meaning is None and name not in self._memo:
            meaning = self._resolve(name, attributes)
        if meaning is None:
            if self.entry_line:
                self._skip()
                self._look_for_entry(name, attributes)
            else:
                self._open(name, attributes)
        elif meaning.__class__ is int:
            self.start(name, attributes)
        elif meaning.__class__ is Extension:
            self._add_extension(meaning, attributes)
            self._skip()
        elif meaning.entry:
            self._start_entry(meaning, attributes)
        else:
            self._start_section(meaning)

    def _end_other(self, name: str) -> None:
        if self._stack:
            values = self._values
            self._context, self._values, extension = self._stack.pop()
            self._memo = self._context.memo
            if extension is not None:
                self._add_extension(extension, values)
        elif self.entry_line:
            self._end_entry()
        else:
            self._close(name)

    def _start_entry(self, context: Context, attributes: Mapping[str, str]) -> None:
        if self.entry_line:
            self.drop_entry("it is not closed")
            self._unclosed += 1
            if self._unclosed > DEPTH:
                raise TooDeep(self._parser)
        self.entry_line = self._lines + self._parser.CurrentLineNumber
        self._context = context
        self._memo = context.memo
        self._values = [None] * context.section.size
        self.begin_entry(attributes)

    def _end_entry(self) -> None:
        if self._gaps:
            self.note_gaps()
        line, section, values = self.entry_line, self._context.section, self._values
        self.entry_line = self.parts = 0
        self._context = self._document
        self._memo = self._document.memo
        self.finish_entry(section, values, line)

    def drop_entry(self, detail: str) -> None:
        """The entry being read is broken: note it, and forget all of it."""
        self.log.add("broken-entry", detail, self.entry_line)
        self._parser.CharacterDataHandler = self._gaps.append
        self._between_entries()
        self._gaps.clear()

    def _start_section(self, context: Context) -> None:
        extension = self._section_extensions.get(context) if not self._stack else None
        self._stack.append((self._context, self._values, extension))
        if extension is not None:
            self._values = [None] * context.section.size
        self._context = context
        self._memo = context.memo

    def _add_extension(self, extension: Extension, values: Any) -> None:
        line = self.line()
        row = extension.finish(values, lambda written: self.entries.usable_url(written, line))
        if row is None:
            self.log.add(extension.incomplete, line=line)
        elif row:
            present = self._values[extension.slot]
            self.parts += 1
            if present is None:
                self._values[extension.slot] = [row] if extension.several else row
            elif not extension.several:
                self.log.add("repeated-field", extension.element, line)
            elif len(present) < PARTS_A_PAGE:
                present.append(row)
            else:
                self.log.add("too-many-parts", extension.element, line)

    # -- the unknown

    def _skip(self, *, mixed: bool = False) -> None:
        """Leave out an element with all that is in it; only its text counts where markup is allowed."""
        self._skipped = 1
        self._memo = _NOTHING
        if not mixed:
            self._parser.CharacterDataHandler = self._gaps.append

    def _end_skip(self) -> None:
        self._memo = self._context.memo
        self._suspect = 0
        if self._leaf >= 0:
            self._parser.CharacterDataHandler = self._text.append
        self._gaps.clear()

    def _start_in_skip(self, name: str, attributes: Mapping[str, str]) -> None:
        self._skipped += 1
        if self._skipped > DEPTH:
            raise TooDeep(self._parser)
        self._look_for_entry(name, attributes)

    def _look_for_entry(self, name: str, attributes: Mapping[str, str]) -> None:
        """An entry with a leaf of its own within something unknown: what is around it was never closed."""
        meaning = self._document.memo.get(name)
        if meaning.__class__ is Context:
            self._suspect, self._suspect_name = self._skipped, name
        elif self._suspect and self._skipped == self._suspect + 1:
            entry = self._document.memo[self._suspect_name]
            if name.lower().rpartition(":")[2] in entry.section.leaves:
                self._start_entry(entry, _NOTHING)
                self.start(name, dict(attributes))
        elif self._skipped <= self._suspect:
            self._suspect = 0

    # -- names

    def _resolve(self, name: str, attributes: Mapping[str, str]) -> Any:
        """What a raw name means here; remembered."""
        if attributes and self.names.declare(attributes):
            self._forget_names()
        meaning = self._meaning(name, attributes)
        if meaning is None and self.entry_line and not self.quiet:
            self._note_unknown(name, attributes)
        if len(self._memo) < _MEMO:
            self._memo[name] = meaning
        return meaning

    def _forget_names(self) -> None:
        """A new declaration may change what prefixes mean."""
        for context in (self._document, *self._entries.values(), *self._sections.values()):
            context.memo.clear()

    def _meaning(self, name: str, attributes: Mapping[str, str]) -> Any:
        prefix, _, local = name.lower().rpartition(":")
        section = self._context.section
        if self._stack:
            if local in section.groups:
                return self._context
            return section.leaves.get(local)
        family = self._family(prefix, attributes)
        known = self._known_name(family, local)
        if known in self._entries:
            meaning: Any = self._entries[known]
        else:
            meaning = section.leaves.get(known)
            if meaning is None and self.extensible and self.entry_line and family is not None:
                extension = _EXTENSIONS.get((family, local))
                meaning = self._sections.get(extension, extension) if extension else None
        if meaning is not None and not self.quiet and local not in name:
            self.log.add("unusual-case", name, self.line())
        return meaning

    def _family(self, prefix: str, attributes: Mapping[str, str]) -> str | None:
        """The family of a name; one without a prefix is of the document's own unless its element says otherwise."""
        if not prefix:
            own = attributes.get("xmlns")
            return (own and family_of(own)) or self.family
        family = self.names.family(prefix, self.line())
        return self.family if family is None and prefix == self._root_prefix else family

    def _known_name(self, family: str | None, local: str) -> str:
        """The name of a leaf or an entry, as the sections of this parser have it."""
        if family == self.family:
            return local
        return self.other_families.get(family or "", "?") + local

    def _note_unknown(self, name: str, attributes: Mapping[str, str]) -> None:
        prefix, _, local = name.lower().rpartition(":")
        if local not in self._context.section.ignored and self._family(prefix, attributes) != IGNORED:
            self.log.add("unknown-element", name, self.line())

    # -- elements around entries

    def _open(self, name: str, attributes: Mapping[str, str]) -> None:
        """A root, or something unknown around entries, which is looked through."""
        if self._gaps:
            self.note_gaps()
        if self._is_root(name):
            self._open_root(name, attributes)
        elif not self.quiet:
            self.log.add("unknown-element", name, self.line())
        self.path.append(name)
        if len(self.path) > DEPTH:
            raise TooDeep(self._parser)

    def _is_root(self, name: str) -> bool:
        return name.lower().rpartition(":")[2] in self.roots

    def _open_root(self, name: str, attributes: Mapping[str, str]) -> None:
        if not self.quiet and self._open_roots:
            self.log.add("nested-root", name, self.line())
        elif self.ended:
            self.log.add("second-root", name, self.line())
            self.ended = False
        self._open_roots += 1
        self.begin_root(name, attributes)

    def begin_root(self, name: str, attributes: Mapping[str, str]) -> None:
        """A root begins: judge its name and namespace."""
        self.names.declare(attributes)
        prefix, _, local = name.rpartition(":")
        self._root_prefix = prefix.lower()
        if self.quiet:
            return
        if local != local.lower():
            self.log.add("unusual-case", name, self.line())
        namespace = self.names.declared(self._root_prefix)
        if namespace is None:
            self.log.add("undeclared-prefix" if prefix else "missing-namespace", prefix, self.line())
        elif NAMESPACES.get(namespace) != self.family:
            self.log.add("wrong-namespace", namespace, self.line())

    def _close(self, name: str) -> None:
        if self._is_root(name) and self._open_roots:
            self.note_gaps()
            self._open_roots -= 1
            self.ended = not self._open_roots
        self._gaps.clear()
        if self.path:
            self.path.pop()

    # -- faults

    def fault(self, detail: str, line: int, token: bytes) -> bool:
        """Expat stopped at this token. True if that cost an entry, whose remains are to be skipped."""
        if self.entry_line:
            self.drop_entry(detail)
            return True
        self._gaps.clear()
        if ENTRY.match(token):
            self.log.add("broken-entry", detail, line)
            return True
        self.log.add(self._code_of(token), detail, line)
        return False

    def _code_of(self, token: bytes) -> str:
        if self.ended:
            return "junk-after-root"
        return "stray-tag" if token.startswith(b"</") else "bad-markup"

    def reopen(self, ending: str = "") -> list[str]:
        """The elements around entries to be opened anew in a new expat parser: roots only, up to one that now ends."""
        path = [name for name in self.path if self._is_root(name)]
        if ending in path:
            while path[-1] != ending:
                path.pop()
        self.path = path
        self._open_roots = len(path)
        return path

    def finish(self, *, unfinished: bool) -> bool:
        """The end of the text, perhaps within a token; True if the document is cut off."""
        if self._gaps or self._stray:
            self.note_gaps()
        if self.entry_line or (unfinished and not self.ended):
            self.log.add("truncated-document", line=self.entry_line or self.line())
            return True
        if self._open_roots:
            self.log.add("missing-end", line=self.line())
        return False
