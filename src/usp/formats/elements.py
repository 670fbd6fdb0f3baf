"""The dispatch of XML events to what they mean: the hot path of the Python reader.

Laws: a dict from the raw name to its meaning here is all that a known element costs; names are resolved once. The text
of a leaf goes from expat into a list without a Python frame. Within the unknown the dict is empty and a depth counts.
Whatever ends an entry early leaves nothing behind for the next one. What is noted, and on which line, depends on the
document alone, never on how its text was split.
"""

from abc import ABC, abstractmethod
from typing import Any, ClassVar
from xml.parsers.expat import XMLParserType

from usp.formats.bounds import bound_depth, bound_names
from usp.formats.canonical import CanonicalEntries
from usp.formats.entries import PARTS_A_PAGE, Entries
from usp.formats.leaf_text import LeafText
from usp.formats.meanings import Context, Leaf, Meanings
from usp.formats.stray import StrayText
from usp.formats.surroundings import Surroundings
from usp.formats.vocabulary import Attributes, Extension, Grammar, Section, Values
from usp.messages import Kind

_NOTHING: dict[str, Any] = {}
_NONE, _ATTRIBUTES = -1, -2
"""No leaf is open; an element is that is all attributes."""


class AbstractXMLSitemapParser(ABC):
    """The events of one XML document in, entries out; one concrete parser for each kind of root."""

    kind: ClassVar[Kind]
    grammar: ClassVar[Grammar]

    def __init__(self, entries: Entries) -> None:
        self.entries = entries
        self.log = entries.log
        self._meanings = Meanings(self.grammar, self.log)
        self.around = Surroundings(self.grammar, self._meanings, self.log)
        self._text = LeafText(self.log)
        self._runs = self._text.parts
        self._take_text = self._text.take
        self._stray = StrayText()
        self._take_stray = self._stray.take
        self._unclosed = 0  # entries that never ended, in this expat parser
        self._names = 0  # how many names it had met when they were bounded last
        # the entry at hand, and the section of it that is being read
        self.entry_line = 0
        self._context = self._meanings.around
        self._memo = self._context.memo
        self._values: Values = []
        self._entry_attributes: Attributes = _NOTHING
        self._stack: list[tuple[Context, Values]] = []
        self._parts = 0
        # the leaf at hand
        self._leaf = _NONE
        self._special = False  # it wants more than its text stored
        self._attributes: tuple[str | None, ...] | None = None
        # the unknown, which is left out
        self._skipped = 0  # how many elements deep
        self._interrupted = _NONE  # the leaf in which it stands
        self._suspect = 0  # how deep within it an entry seems to begin
        self._suspect_name = ""

    def attach(self, parser: XMLParserType, lines: int) -> None:
        """Take the events of this expat parser, whose first line is that many lines into the document."""
        self._parser = parser
        self._lines = lines
        self._unclosed = self._names = 0
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.StartCdataSectionHandler = self._start_cdata
        parser.EndCdataSectionHandler = self._end_cdata
        parser.CharacterDataHandler = self._stray.take

    def pass_over(self, lines: int) -> None:
        """That many lines, with whole entries on them, are read by somebody else."""
        self._lines += lines
        self.around.loose = 0

    @property
    def idle(self) -> bool:
        """Whether this is a place between entries, of one root alone, with nothing to be noted."""
        return not self.entry_line and len(self.path) == 1 and not self._stray.pending()

    @property
    def path(self) -> list[str]:
        """The raw names of the elements open around entries."""
        return self.around.path

    def _line(self) -> int:
        return self._lines + self._parser.CurrentLineNumber

    def canonical_entries(self) -> CanonicalEntries | None:
        """The short way through the entries, if there is one."""
        return None

    @abstractmethod
    def finish_entry(self, section: Section, values: Values, line: int, parts: int) -> None:
        """An entry is whole, with that many extensions: add what it is."""

    # -- the hot path

    def start(self, name: str, attributes: Attributes) -> None:
        """An element begins: of expat."""
        if attributes and len(self._parser.intern) > self._names:
            self._bound_attributes(attributes)
        meaning: Any = self._memo.get(name)
        kind = meaning.__class__
        if self._leaf != _NONE or meaning is None:
            self._start_other(name, attributes)
        elif kind is int:
            self._leaf = meaning
            self._parser.CharacterDataHandler = self._take_text
        elif kind is Extension:
            self._leaf = _ATTRIBUTES
            self._hang(meaning, attributes)
        elif kind is Leaf:
            self._start_leaf(meaning, attributes)
        elif meaning.entry:
            self._start_entry(meaning, attributes)
        else:
            self._start_section(meaning)

    def end(self, name: str) -> None:
        """An element ends: of expat."""
        leaf = self._leaf
        if leaf >= 0:
            runs = self._runs
            value = runs.pop() if runs else ""
            if runs:
                value = "".join(runs) + value
                runs.clear()
            self._leaf = _NONE
            self._parser.CharacterDataHandler = self._take_stray
            if self._values[leaf] is None and not self._special and not self._text.spoiled:
                self._values[leaf] = value.strip() or None
            else:
                self._store(leaf, value.strip() or None)
        elif leaf == _ATTRIBUTES:
            self._leaf = _NONE
        elif self._skipped:
            self._skipped -= 1
            if not self._skipped:
                self._end_unknown()
        elif self._stack:
            self._end_section()
        elif self.entry_line:
            self._end_entry()
        else:
            self._end_around(name)

    def _bound_attributes(self, attributes: Attributes) -> None:
        """Expat met new names, perhaps in these attributes: those of known elements are as many as an enemy likes."""
        bound_names(self._parser, attributes)
        self._names = len(self._parser.intern)

    # -- leaves that are not plain, or not for the first time

    def _start_leaf(self, leaf: Leaf, attributes: Attributes) -> None:
        """A leaf whose attributes are kept: its value is a tuple of its text and theirs."""
        self._leaf = leaf.slot
        self._special = True
        self._attributes = tuple(attributes.get(name, "").strip() or None for name in leaf.attributes)
        self._parser.CharacterDataHandler = self._take_text

    def _store(self, leaf: int, value: Any) -> None:
        if self._text.spoiled:
            self.log.add(self._text.spoiled, line=self._line())
            self._text.spoiled = ""
            value = None
        if self._attributes is not None:
            value = (value, *self._attributes)
            self._attributes = None
        self._special = False
        present = self._values[leaf]
        if value is None:
            return
        if present is None:
            self._values[leaf] = value
        elif leaf not in self._context.section.lists:
            self.log.add("repeated-field", line=self._line())
        elif not isinstance(present, list):
            self._values[leaf] = [present, value]
        elif len(present) < PARTS_A_PAGE:
            present.append(value)
        else:
            self.log.add("too-many-parts", line=self._line())

    def _start_cdata(self) -> None:
        if self._leaf >= 0:
            self._text.start_cdata()

    def _end_cdata(self) -> None:
        self._text.end_cdata(self._line)

    def bound_text(self) -> None:
        """Between two pieces."""
        self._text.bound()
        self._stray.bound()

    # -- text between elements

    def _look_for_stray_text(self) -> None:
        """Called at fixed places of a document only."""
        if not self._stray.met() or self.grammar.quiet:
            return
        if self.around.ended:
            self.around.note_junk(self._line())
        else:
            self.log.add("stray-text", line=self._line())

    # -- entries and their sections

    def _start_other(self, name: str, attributes: Attributes) -> None:
        """An element within a leaf or the unknown, or one whose name was not met before."""
        bound_names(self._parser, (name, *attributes))
        if self._skipped:
            self._start_in_unknown(name, attributes)
        elif self._leaf != _NONE:
            self._start_unknown(name, attributes)
        elif name not in self._memo:
            self._meanings.resolve(self._context, name, attributes, self._line())
            self.start(name, attributes)
        elif self.entry_line:
            self._start_unknown(name, attributes)
        else:
            self._start_around(name, attributes)

    def _start_entry(self, context: Context, attributes: Attributes) -> None:
        if self.entry_line:
            self.drop_entry("it is not closed")
            self._unclosed += 1
            bound_depth(self._parser, self._unclosed)
        if attributes:
            self._meanings.declare(attributes)
        self.entry_line = self._lines + self._parser.CurrentLineNumber
        self.around.loose = 0
        if self.around.ended:
            self.around.note_junk(self.entry_line)
        self._context = context
        self._memo = context.memo
        self._values = [None] * context.section.size
        self._entry_attributes = attributes

    def _end_entry(self) -> None:
        self._look_for_stray_text()
        line, section, parts = self.entry_line, self._context.section, self._parts
        self.entry_line = 0
        self._parts = 0
        self._context = around = self._meanings.around
        self._memo = around.memo
        self.finish_entry(section, self._values, line, parts)

    def drop_entry(self, detail: str) -> None:
        """The entry being read is broken: note it, and forget all of it."""
        self.log.add("broken-entry", detail, self.entry_line)
        self._parser.CharacterDataHandler = self._stray.take
        self._stray.forget()
        self._forget_entry()

    def _forget_entry(self) -> None:
        """Nothing of an entry is left."""
        self.entry_line = 0
        self._parts = 0
        self._context = self._meanings.around
        self._memo = self._context.memo
        self._stack.clear()
        self._text.forget()
        self._leaf = self._interrupted = _NONE
        self._special = False
        self._attributes = None
        self._skipped = self._suspect = 0

    def _start_section(self, context: Context) -> None:
        """An extension, or a group within one, which fills the values of the extension."""
        bound_depth(self._parser, len(self._stack))
        self._stack.append((self._context, self._values))
        if context is not self._context:
            self._values = [None] * context.section.size
        self._context = context
        self._memo = context.memo

    def _end_section(self) -> None:
        context, values = self._context, self._values
        self._context, self._values = self._stack.pop()
        self._memo = self._context.memo
        if context is not self._context and context.extension is not None:
            self._hang(context.extension, values)

    def _hang(self, extension: Extension, part: Any) -> None:
        """Hang what one element of an extension says on the page."""
        row = extension.finish(part, self._usable_url)
        if not row:
            if row is None:
                self.log.add(extension.incomplete, line=self._line())
            return
        self._parts += 1
        rows: Any = self._values[extension.slot]
        if rows is None:
            self._values[extension.slot] = [row] if extension.several else row
        elif not extension.several:
            self.log.add("repeated-field", extension.element, self._line())
        elif len(rows) < PARTS_A_PAGE:
            rows.append(row)
        else:
            self.log.add("too-many-parts", extension.element, self._line())

    def _usable_url(self, written: str) -> str | None:
        return self.entries.usable_url(written, self._line())

    # -- the unknown

    def _start_unknown(self, name: str, attributes: Attributes) -> None:
        """Leave out an element with all that is in it; only its text counts, in a leaf where markup is allowed."""
        self._skipped = 1
        self._memo = _NOTHING
        if self._leaf == _NONE:
            self._look_for_stray_text()
        elif self._leaf not in self._context.section.mixed:
            # With the element left out the rest would be a value that nobody wrote.
            self._text.spoiled = self._text.spoiled or "markup-in-value"
            self._parser.CharacterDataHandler = self._take_stray
        self._interrupted, self._leaf = self._leaf, _NONE
        self._look_for_entry(name, attributes)

    def _end_unknown(self) -> None:
        self._memo = self._context.memo
        self._suspect = 0
        self._stray.forget()
        self._leaf, self._interrupted = self._interrupted, _NONE
        if self._leaf >= 0:
            self._parser.CharacterDataHandler = self._take_text

    def _start_in_unknown(self, name: str, attributes: Attributes) -> None:
        self._skipped += 1
        bound_depth(self._parser, self._skipped)
        self._look_for_entry(name, attributes)

    def _look_for_entry(self, name: str, attributes: Attributes) -> None:
        """An entry with a leaf of its own within something unknown: what is around it was never closed."""
        local = name.lower().rpartition(":")[2]
        if local in self.grammar.entries:
            self._suspect, self._suspect_name = self._skipped, name
        elif self._suspect and self._skipped == self._suspect + 1:
            entry = self._meanings.resolve(self._meanings.around, self._suspect_name, _NOTHING, self._line())
            if isinstance(entry, Context) and local in entry.section.leaves:
                self._start_entry(entry, _NOTHING)
                self.start(name, attributes)
        elif self._skipped <= self._suspect:
            self._suspect = 0

    # -- around entries

    def _start_around(self, name: str, attributes: Attributes) -> None:
        self._look_for_stray_text()
        self.around.begin(name, attributes, self._line())
        bound_depth(self._parser, len(self.path))

    def _end_around(self, name: str) -> None:
        if self.around.is_root(name):
            self._look_for_stray_text()
        self._stray.forget()
        self.around.end(name)

    # -- faults and the end

    @property
    def in_entry(self) -> bool:
        """Whether an entry is open."""
        return self.entry_line > 0

    def fault(self, detail: str, line: int, token: bytes) -> bool:
        """Expat stopped within this token, or in text if it is empty. True if an entry is to be skipped."""
        if self.entry_line:
            self.drop_entry(detail)
            return True
        # How much of the text before the fault expat handed over depends on the split; setting this gives the rest.
        self._parser.CharacterDataHandler = self._take_stray
        self._stray.forget()
        return self.around.fault(detail, line, token)

    def reopen(self, ending: str = "") -> list[str]:
        """What to open in a new expat parser."""
        self._stray.forget()
        return self.around.reopen(ending)

    def finish(self, *, line: int, unfinished: int) -> bool:
        """The end of the text, on this line, perhaps within a token of that line; True if the document is cut off."""
        self._look_for_stray_text()
        if self.entry_line or (unfinished and not self.around.ended):
            self.log.add("truncated-document", line=self.entry_line or unfinished)
            return True
        if self.around.open_roots:
            self.log.add("missing-end", line=line)
        return False
