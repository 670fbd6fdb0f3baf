"""Places of the tree, and the resources that they wait for.

Laws: a place is decided by the document that declares it, never by the order of answers. A resource is one URL (by its
identity) and is fetched once; any number of places share its answer, and each judges it from where it stands, for
ancestors, level and callbacks differ. Nothing here decides what comes next; ``plan.py`` does.
"""

from collections.abc import Iterator

from usp.crawl.sources.seed import Role, Seed
from usp.messages import Document, Failure, Redirect
from usp.values.urls import identity, origin


class Resource:
    """One URL to be fetched, and what became of it.

    It is asked for by its identity, not as some place spells it: which place is the first depends on timing, and
    relative URLs in the document would with it.
    """

    __slots__ = (
        "again",
        "answer",
        "has_grown",
        "host",
        "identity",
        "key",
        "not_before",
        "partial",
        "queued",
        "seconds",
        "status",
        "ticket",
        "tries",
        "waiting",
        "wanted",
    )

    def __init__(self, identity: str) -> None:
        self.identity = identity
        self.host = origin(identity).partition("://")[2]
        self.waiting: list[Place] = []
        self.wanted = 0
        """So many of those waiting are in the tree."""
        self.key: tuple[int, ...] | None = None
        """The earliest place that wants it; None while nobody does, and once it is answered."""
        self.queued = False
        self.not_before = 0.0
        """When it may be asked for again."""
        self.ticket = 0
        self.tries = 0
        self.again: Resource | None = None
        """The same URL, to be asked once more: redirects that set a cookie led back to it."""
        self.has_grown = False
        """Whether its document stands in the tree with the children that it declares."""
        self.answer: Document | Failure | Redirect | None = None
        self.partial: Document | None = None
        """What an answer had said before it broke off."""
        self.status: int | None = None
        self.seconds = 0.0

    def settle(self, answer: Document | Failure | Redirect) -> None:
        """Take the answer that counts."""
        self.answer = answer
        self.key = self.partial = None


class Branch:
    """One first URL of the crawl, with all that comes to stand below it."""

    __slots__ = ("accepted", "key", "parent_urls", "parents", "passed", "place", "quiet", "role", "unsettled")

    def __init__(self, seed: Seed, key: tuple[int, ...]) -> None:
        self.key = key
        self.role = seed.role
        self.quiet = seed.quiet or seed.role is not Role.DECLARED
        self.parent_urls = seed.parent_urls
        self.parents = frozenset(map(identity, seed.parent_urls))
        """The identities of the URLs above it in somebody else's tree."""
        self.place = Place(seed.url, self, None, 0, seed.level)
        self.accepted = False
        """Whether it is in the tree."""
        self.passed = False
        """Whether all is known: it has grown, or leaves nothing."""
        self.unsettled = 0
        """Places that wait for something, while it grows."""


class Place:
    """One place of the tree: a URL that is declared there, and what is below it."""

    __slots__ = (
        "branch",
        "chain",
        "children",
        "dropped",
        "filtered",
        "index",
        "lastmod",
        "level",
        "parent",
        "redirected",
        "refusal",
        "settled",
        "url",
    )

    def __init__(self, url: str, branch: Branch, parent: "Place | None", index: int, level: int) -> None:
        self.url = url
        self.branch = branch
        self.parent = parent
        self.index = index
        self.level = level
        self.lastmod: str | None = None
        """The date under which the parent declares it, as written there."""
        self.chain: list[Resource] = []
        """What was asked for, one after the other, as redirects led on."""
        self.redirected: str | None = None
        """Where the last of the redirects led, as written there."""
        self.children: list[Place] = []
        self.filtered: tuple[str, ...] = ()
        """The URLs that the caller's filters left out below this place."""
        self.refusal: Failure | None = None
        """Why this place gives nothing, whatever the resource has to say."""
        self.settled = False
        self.dropped = False
        """Whether a limit cut it off."""

    @property
    def final_url(self) -> str:
        """Where redirects led, as written."""
        return self.redirected or self.url

    @property
    def answer(self) -> Document | Failure | None:
        """What this place has to say; None while that is not known."""
        if self.refusal is not None:
            return self.refusal
        answer = self.chain[-1].answer if self.chain else None
        return None if isinstance(answer, Redirect) else answer

    @property
    def document(self) -> Document | None:
        """The sitemap that stands here, if there is one."""
        answer = self.answer
        return answer if isinstance(answer, Document) and answer.usable else None

    def key(self) -> tuple[int, ...]:
        """The way from the root: earlier places have smaller keys."""
        indices: list[int] = []
        place: Place | None = self
        while place is not None and place.parent is not None:
            indices.append(place.index)
            place = place.parent
        return (*self.branch.key, *reversed(indices))

    def self_and_ancestors(self) -> Iterator["Place"]:
        place: Place | None = self
        while place is not None:
            yield place
            place = place.parent

    def identities_above(self) -> set[str]:
        """The identities of all URLs that led to the places above."""
        above = self.parent.self_and_ancestors() if self.parent else ()
        return {url for ancestor in above for url in ancestor.urls()} | self.branch.parents

    def urls(self) -> Iterator[str]:
        """The identities of all URLs that led here, the declared one first."""
        yield from (resource.identity for resource in self.chain)
