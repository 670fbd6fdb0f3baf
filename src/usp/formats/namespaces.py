"""Namespaces and prefixes as sites write them, resolved to families; the tolerances are in the tables at the top."""

import re
from collections.abc import Mapping

from usp.formats.extensions import EXTENSIONS
from usp.problems import ProblemLog

CORE = "sitemap"
IGNORED = "ignored"
ATOM = "atom"
RSS = "rss"
DUBLIN_CORE = "dc"

NAMESPACES: Mapping[str, str] = {
    "http://www.sitemaps.org/schemas/sitemap/0.9": CORE,
    **{namespace: extension.family for extension in EXTENSIONS for namespace in extension.namespaces},
    "http://www.google.com/schemas/sitemap-mobile/1.0": IGNORED,  # feature phones; Google ignores it since 2016
    "http://www.google.com/schemas/sitemap-pagemap/1.0": IGNORED,  # Programmable Search: attributes of a page
    "http://www.w3.org/2001/XMLSchema-instance": IGNORED,
    "http://www.w3.org/2005/Atom": ATOM,
    "http://purl.org/atom/ns#": ATOM,  # Atom 0.3
    "http://purl.org/rss/1.0/": RSS,
    "http://my.netscape.com/rdf/simple/0.9/": RSS,  # RSS 0.90
    "http://channel.netscape.com/rdf/simple/0.9/": RSS,
    "http://backend.userland.com/rss2": RSS,
    "http://purl.org/dc/elements/1.1/": DUBLIN_CORE,
}

PREFIXES: Mapping[str, str] = {
    **{extension.prefix: extension.family for extension in EXTENSIONS},
    "mobile": IGNORED,
    "pagemap": IGNORED,
    "xsi": IGNORED,
    "atom": ATOM,
    "dc": DUBLIN_CORE,
}
"""What a prefix means where the document does not declare it, or declares nonsense for it."""

_NEAR = (
    # Google's first schema, other versions, wrong hosts: told apart by the part of the path that names the schema
    (re.compile(r"sitemap[-_]news"), "news"),
    (re.compile(r"sitemap[-_]image"), "image"),
    (re.compile(r"sitemap[-_]video"), "video"),
    (re.compile(r"sitemap[-_](mobile|pagemap)"), IGNORED),
    (re.compile(r"schemas?/sitemap|sitemaps?\.org"), CORE),
    (re.compile(r"w3\.org/(1999|tr)/xhtml"), "xhtml"),
    (re.compile(r"w3\.org/2005/atom|purl\.org/atom"), ATOM),
    (re.compile(r"purl\.org/rss/[\d.]+/?$|netscape\.com/rdf"), RSS),
    (re.compile(r"purl\.org/dc/"), DUBLIN_CORE),
)
_LONGEST = 200
_MOST_PREFIXES = 100


def family_of(namespace: str) -> str | None:
    """The family that a namespace means, however it is written."""
    exact = NAMESPACES.get(namespace)
    if exact is not None or len(namespace) > _LONGEST:
        return exact
    lowered = namespace.strip().lower()
    return next((family for pattern, family in _NEAR if pattern.search(lowered)), None)


class Namespaces:
    """The prefixes of one document. Declarations count for the whole document: scopes are no use in practice."""

    __slots__ = ("_declared", "_noted", "log")

    def __init__(self, log: ProblemLog) -> None:
        self.log = log
        self._declared: dict[str, str] = {}
        self._noted: set[str] = set()

    def declare(self, attributes: Mapping[str, str]) -> bool:
        """Take note of the declarations among an element's attributes; True if one of them was new."""
        new = False
        for name, value in attributes.items():
            if name.startswith("xmlns") and (name == "xmlns" or name[5] == ":"):
                prefix = name[6:].lower()
                if prefix not in self._declared and len(self._declared) < _MOST_PREFIXES:
                    self._declared[prefix] = value
                    new = True
        return new

    def declared(self, prefix: str) -> str | None:
        """The namespace declared for a prefix; "" is the prefix of names without one."""
        return self._declared.get(prefix)

    def family(self, prefix: str, line: int) -> str | None:
        """What the prefix of a name stands for; a note, once a prefix, where that had to be guessed."""
        namespace = self._declared.get(prefix)
        family = family_of(namespace) if namespace is not None else None
        if family is None:
            family = PREFIXES.get(prefix)
        if (
            prefix
            and family not in (None, IGNORED)
            and prefix not in self._noted
            and NAMESPACES.get(namespace or "") is None
        ):
            self._noted.add(prefix)
            if namespace is None:
                self.log.add("undeclared-prefix", prefix, line)
            else:
                self.log.add("wrong-namespace", namespace, line)
        return family
