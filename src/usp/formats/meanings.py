"""What raw names mean in one document: resolved once for each name and context, then looked up in a dict.

A raw name means a slot (an int: a plain leaf), a ``Leaf`` (one that is kept with attributes), a ``Context`` (a section
or an entry), an ``Extension`` whose all is in its attributes, or None (unknown).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from usp.formats.extensions import EXTENSIONS
from usp.formats.namespaces import IGNORED, Namespaces, family_of
from usp.formats.vocabulary import Attributes, Extension, Grammar, Section
from usp.problems import ProblemLog

_MEMO = 1000
"""Raw names remembered in one context; a document with more of them has them resolved again."""

_EXTENSIONS = {(extension.family, extension.element): extension for extension in EXTENSIONS}
_NO_SECTION = Section(size=0, leaves={})


class Leaf(NamedTuple):
    """A leaf that is more than its text."""

    slot: int
    attributes: tuple[str, ...]


class Context:
    """A section being read, with what raw names turned out to mean in it."""

    __slots__ = ("entry", "extension", "memo", "section")

    def __init__(self, section: Section, *, entry: bool = False, extension: Extension | None = None) -> None:
        self.section = section
        self.entry = entry
        self.extension = extension
        self.memo: dict[str, Meaning] = {}


Meaning = int | Leaf | Context | Extension | None


class Meanings:
    """The names of one document; ``around`` is the context outside of entries."""

    __slots__ = ("_entries", "_extensions", "_grammar", "_log", "around", "namespaces", "root_prefix")

    def __init__(self, grammar: Grammar, log: ProblemLog) -> None:
        self._grammar = grammar
        self._log = log
        self.namespaces = Namespaces(log)
        self.root_prefix = ""
        self.around = Context(_NO_SECTION)
        self._entries = {name: Context(section, entry=True) for name, section in grammar.entries.items()}
        self._extensions = {
            extension: Context(extension.section, extension=extension) for extension in EXTENSIONS if extension.section
        }

    def resolve(self, context: Context, name: str, attributes: Attributes, line: int) -> Meaning:
        """What a raw name means in a context; remembered."""
        self.declare(attributes)
        prefix, _, local = name.lower().rpartition(":")
        if context.extension is None:
            family = self._family(prefix, attributes, line)
            meaning = self._meaning_in_entry(context, family, local)
        else:
            # Names of an extension's own section need no family: nothing else stands there.
            family = context.extension.family
            meaning = self._meaning_in_section(context, local)
        if not self._grammar.quiet:
            self._note(context, name, local, family, meaning, line)
        if len(context.memo) >= _MEMO:
            context.memo.clear()
        context.memo[name] = meaning
        return meaning

    def declare(self, attributes: Attributes) -> None:
        """Take note of the declarations among attributes: a new one may change what prefixes mean."""
        if attributes and self.namespaces.declare(attributes):
            for context in (self.around, *self._entries.values(), *self._extensions.values()):
                context.memo.clear()

    def _meaning_in_entry(self, context: Context, family: str | None, local: str) -> Meaning:
        known = self._known_name(family, local)
        if known in self._entries:
            return self._entries[known]
        meaning = self._meaning_in_section(context, known)
        if meaning is None and context.section.extensible and family is not None:
            extension = _EXTENSIONS.get((family, local))
            return extension and self._extensions.get(extension, extension)
        return meaning

    def _meaning_in_section(self, context: Context, local: str) -> Meaning:
        section = context.section
        if local in section.groups:
            return context
        slot = section.leaves.get(local)
        if slot is not None and slot in section.attributes:
            return Leaf(slot, section.attributes[slot])
        return slot

    def _family(self, prefix: str, attributes: Mapping[str, str], line: int) -> str | None:
        """The family of a name; one without a prefix is of the document's own unless its element says otherwise."""
        own = self._grammar.family
        if not prefix:
            declared = attributes.get("xmlns")
            return (family_of(declared) if declared else None) or own
        family = self.namespaces.family(prefix, line)
        return own if family is None and prefix == self.root_prefix else family

    def _known_name(self, family: str | None, local: str) -> str:
        """The name of a leaf or an entry as the grammar has it."""
        if family == self._grammar.family:
            return local
        return self._grammar.other_families.get(family or "", "?") + local

    def _note(self, context: Context, name: str, local: str, family: str | None, meaning: Meaning, line: int) -> None:
        if meaning is not None:
            if not name.endswith(local):
                self._log.add("unusual-case", name, line)
        elif context is not self.around and family != IGNORED and local not in context.section.ignored:
            self._log.add("unknown-element", name, line)
