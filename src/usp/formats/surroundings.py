"""The elements around entries: roots, and whatever else stands there, which is looked through."""

import re

from usp.formats.meanings import Meanings
from usp.formats.namespaces import NAMESPACES
from usp.formats.vocabulary import Attributes, Grammar
from usp.problems import ProblemLog

ENTRY = re.compile(rb"<(?:[\w.-]{1,64}:)?(?:url|sitemap|item|entry)[\s/>]", re.IGNORECASE)
"""The start tag of an entry of any kind, as bytes of a document."""

_ENTRY_BEGUN = re.compile(rb"<(?:[\w.-]{1,64}:)?(?:url|sitemap|item|entry)(?:[\s/><]|$)", re.IGNORECASE)
_END_OF_ENTRY = re.compile(rb"</(?:[\w.-]{1,64}:)?(?:url|sitemap|item|entry)\s*>", re.IGNORECASE)


_LONGEST_NAME = 100
_REOPENED = 8
"""Roots opened anew behind a fault; a feed has two, and hostile nesting must not make faults dear."""


class Surroundings:
    """Which elements are open around the entries of one document; ``path`` has their raw names.

    ``ended`` is True while every root that began has ended; ``root_attributes`` are those of the root begun last.
    ``loose`` is the line of a leaf that stands in no entry, for whose start tag something else was written.
    """

    __slots__ = ("_grammar", "_log", "_meanings", "_roots", "ended", "loose", "path", "root_attributes")

    def __init__(self, grammar: Grammar, meanings: Meanings, log: ProblemLog) -> None:
        self._grammar = grammar
        self._meanings = meanings
        self._log = log
        self._roots = 0
        self.ended = False
        self.loose = 0
        self.path: list[str] = []
        self.root_attributes: Attributes = {}

    @property
    def open_roots(self) -> bool:
        """Whether a root is open."""
        return self._roots > 0

    def is_root(self, name: str) -> bool:
        """Whether a raw name is a root's."""
        return len(name) <= _LONGEST_NAME and name.lower().rpartition(":")[2] in self._grammar.roots

    def begin(self, name: str, attributes: Attributes, line: int) -> None:
        """An element begins."""
        self.path.append(name)
        if not self.is_root(name):
            self._begin_other(name, line)
            return
        if self._roots and not self._grammar.quiet:
            self._log.add("nested-root", name, line)
        elif self.ended:
            self._log.add("second-root", name, line)
        self._roots += 1
        self.ended = False
        self.root_attributes = attributes
        self._meanings.namespaces.declare(self.root_attributes)
        if not self._grammar.quiet:
            self._judge_root(name, line)

    def end(self, name: str) -> None:
        """An element ends."""
        if self.path:
            self.path.pop()
        if self._roots and self.is_root(name):
            self._roots -= 1
            self.ended = not self._roots

    def _begin_other(self, name: str, line: int) -> None:
        local = name.lower().rpartition(":")[2]
        if not self.loose and any(local in section.leaves for section in self._grammar.entries.values()):
            self.loose = line
        if self.ended:
            self.note_junk(line)
        elif not self._grammar.quiet:
            self._log.add("unknown-element", name, line)

    def fault(self, detail: str, line: int, token: bytes) -> bool:
        """Expat stopped within this token, or in text if it is empty. True if an entry is to be skipped."""
        if _ENTRY_BEGUN.match(token):
            self._log.add("broken-entry", detail, line)
            return True
        if self.loose and _END_OF_ENTRY.match(token):
            self._log.add("broken-entry", "its start tag is damaged", self.loose)
            self.loose = 0
        elif self.ended:
            self.note_junk(line)
        else:
            self._log.add("stray-tag" if token.startswith(b"</") else "bad-markup", detail, line)
        return False

    def note_junk(self, line: int) -> None:
        """Something follows the end: noted once, however much it is."""
        if not self._log.count("junk-after-root"):
            self._log.add("junk-after-root", line=line)

    def _judge_root(self, name: str, line: int) -> None:
        prefix, _, local = name.rpartition(":")
        self._meanings.root_prefix = prefix.lower()
        if local != local.lower():
            self._log.add("unusual-case", name, line)
        namespace = self._meanings.namespaces.declared(prefix.lower())
        if namespace is None:
            self._log.add("undeclared-prefix" if prefix else "missing-namespace", prefix, line)
        elif NAMESPACES.get(namespace) != self._grammar.family:
            self._log.add("wrong-namespace", namespace, line)

    def reopen(self, ending: str = "") -> list[str]:
        """What is open in a new expat parser: the roots, up to one that is about to end."""
        path = [name for name in self.path if self.is_root(name)][-_REOPENED:]
        if ending in path:
            while path[-1] != ending:
                path.pop()
        self.path = path
        self._roots = len(path)
        return path
