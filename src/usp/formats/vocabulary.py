"""What elements mean, as values: the leaves and sections of an entry, and the extensions that may hang on it.

A name means something by its namespace's *family* and its local name in lower case; a site's own prefixes and spellings
are resolved once a document (``namespaces.py``), never for each element.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Values = list[Any]
"""What an entry or a part of it holds while it is read, by slot: None, a string, or a list where several may stand."""

Attributes = Mapping[str, str]
"""Of an element, by their raw names."""

UsableURL = Callable[[str], str | None]
"""Judges and resolves a URL in the document that is being read."""


@dataclass(frozen=True, slots=True, eq=False)
class Section:
    """An element with leaves, and which slot each of them fills."""

    size: int
    leaves: Mapping[str, int]
    attributes: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Slots whose leaf is kept with attributes, as a tuple of its text (or None) and theirs."""
    lists: frozenset[int] = frozenset()
    """Slots that may be filled several times; of the others the first one counts."""
    mixed: frozenset[int] = frozenset()
    """Slots whose text may hold markup."""
    groups: frozenset[str] = frozenset()
    """Elements that only wrap leaves of the section."""
    extensible: bool = False
    """Whether extensions may hang on it."""
    ignored: frozenset[str] = frozenset()
    """Elements that are documented and not kept; not worth a note."""


@dataclass(frozen=True, slots=True, eq=False)
class Extension:
    """An XML namespace whose elements hang on a page."""

    family: str
    namespaces: tuple[str, ...]
    """The defined one first; the others are read with a note."""
    prefix: str
    """Means this extension where the document declares nothing, or nonsense, for it."""
    element: str
    slot: int
    """Where in the page's row it goes."""
    section: Section | None
    """None where all is in the attributes of the element."""
    finish: Callable[[Any, UsableURL], tuple[Any, ...] | None]
    """The row of one such element, from its values (or its attributes where there is no section): None if it is not
    usable, an empty one for what is not kept, or had a problem recorded already."""
    incomplete: str = ""
    """The problem to record where it is not usable; none where everything is."""
    several: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """What may stand in one kind of XML document."""

    family: str
    """Whose names need no prefix here."""
    other_families: Mapping[str, str] = field(default_factory=dict)
    """Further families with leaves of an entry, and the prefix of their names in its section."""
    roots: frozenset[str]
    """Elements that hold entries."""
    entries: Mapping[str, Section]
    quiet: bool = False
    """Feeds are full of elements that are none of our business; sitemaps are not: there they are worth a note."""


def filled(value: Any) -> list[Any]:
    """The values of a slot that may be filled several times."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
