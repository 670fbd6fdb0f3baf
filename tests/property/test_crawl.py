"""Any site, answered in any order, gives the tree that going through it one by one would give, within all bounds."""

import math
from collections import Counter
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from tests.crawls import Drive, Says, Site, absolute, fails, has, homepage, leads_to, lists, robots
from usp.crawl import plan
from usp.crawl.callbacks import RecurseCallbackType
from usp.crawl.politeness import Politeness
from usp.crawl.retry import Retry
from usp.crawl.rules import Rules
from usp.crawl.sources import Role, Seed
from usp.limits import Limits
from usp.messages import Document, Failure, Kind, Redirect, Request
from usp.objects.sitemap import AbstractSitemap, IndexWebsiteSitemap, InvalidSitemap
from usp.problems import Outcome
from usp.values.urls import identity, origin

NAMES = ["a", "b", "c", "d", "HTTPS://EXAMPLE.com:443/a", "https://maps.example.org/e", "https://maps.example.org/f"]

ATTEMPTS = 2


class Said(NamedTuple):
    """What a URL of a made-up site says."""

    kind: str
    urls: tuple[str, ...] = ()
    pages: int = 0
    cookie: bool = False


def says(said: Said) -> Says:
    match said.kind:
        case "index":
            return lists(*said.urls, pages=said.pages)
        case "robots":
            return robots(*said.urls)
        case "links":
            return homepage(*said.urls[:2], feeds=said.urls[2:])
        case "redirect":
            return leads_to(said.urls[0], cookie=said.cookie)
        case "pages":
            return has(said.pages)
        case "busy":
            return fails(Outcome.UNREACHABLE, 503, wait=3.0)
        case "blocked":
            return fails(Outcome.BLOCKED, 403)
    return fails()


names = st.sampled_from(NAMES)
some_names = st.lists(names, min_size=1, max_size=5, unique=True).map(tuple)
indexes = st.builds(Said, st.just("index"), some_names, st.integers(0, 2))
answers = st.one_of(
    indexes,
    indexes,
    st.builds(Said, st.just("pages"), pages=st.integers(0, 3)),
    st.builds(Said, st.sampled_from(["robots", "links"]), some_names),
    st.builds(Said, st.just("redirect"), st.tuples(names), cookie=st.booleans()),
    st.builds(Said, st.sampled_from(["busy", "blocked", "absent"])),
)
sites = st.fixed_dictionaries(
    {name: st.lists(answers, min_size=1, max_size=2) for name in dict.fromkeys(map(identity, map(absolute, NAMES)))}
)
seeds = st.lists(st.tuples(names, st.sampled_from(Role)), min_size=1, max_size=5)
limits = st.builds(
    Limits,
    sitemaps=st.integers(1, 12) | st.just(300),
    pages=st.integers(1, 8) | st.just(10_000),
    depth=st.integers(1, 4),
    redirects=st.integers(1, 3),
)
follows: st.SearchStrategy[RecurseCallbackType] = st.sampled_from(
    [
        lambda url, level, parents: True,
        lambda url, level, parents: True,
        lambda url, level, parents: not url.endswith("b"),
        lambda url, level, parents: level != 1 or url.endswith(("a", "e")),
        lambda url, level, parents: not any(parent.endswith("c") for parent in parents),
    ]
)
politenesses = st.builds(
    Politeness,
    connections=st.integers(1, 3),
    connections_in_all=st.integers(1, 5),
    delay=st.sampled_from([0.0, 0.0, 2.0]),
)


class Ended(Exception):
    """The limit on pages was reached."""


class Node(NamedTuple):
    """A sitemap as it should be."""

    url: str
    reason: str
    pages: tuple[str, ...]
    children: "list[Node]"


class Parent(NamedTuple):
    """A sitemap above another one: its final URL, and all URLs that led to it."""

    url: str
    chain: set[str]


class OneByOne:
    """Goes through a site as somebody would by hand: one URL after the other, depth first, and nothing kept waiting."""

    def __init__(self, site: Site, limits: Limits, follow: RecurseCallbackType) -> None:
        self._site = {identity(absolute(url)): said for url, said in site.items()}
        self._limits = limits
        self._follows = follow
        self._said: dict[str, list[Document | Failure | Redirect]] = {}
        self._taken: Counter[str] = Counter()
        self._pages = 0
        self._places = 0
        self._in_tree: set[str] = set()
        self._found = False
        self.short = set[str]()
        self.attempts: dict[str, tuple[str, str, Outcome]] = {}
        self._asked: set[str] = set()
        self.nodes: list[Node] = []

    def go(self, seeds: list[Seed]) -> None:
        waiting, feeds = list(seeds), list[Seed]()
        try:
            while waiting:
                seed = waiting.pop(0)
                waiting[:0] = self._begin(seed, feeds)
                if not waiting and not self._found:
                    waiting, feeds = feeds, []
        except Ended:
            self.short = {"pages"}

    def _begin(self, seed: Seed, feeds: list[Seed]) -> list[Seed]:
        """Go through all below one first URL; gives the first URLs that it links to."""
        if seed.role is Role.DECLARED and self._is_full():
            return []
        chain, url, answer, refusal = self._follow(seed.url, set())
        leaves_something = seed.role is Role.DECLARED or _is_usable(answer)
        if seed.role is Role.GUESSED and not self._in_tree.isdisjoint(chain):
            leaves_something = False
        if seed.role in (Role.LINKS, Role.LINKS_AND_FEEDS) or not leaves_something or self._is_full():
            self._try(seed.url, url, chain, _seen_from_outside(answer, seed.role))
            if seed.role not in (Role.LINKS, Role.LINKS_AND_FEEDS) or not isinstance(answer, Document):
                return []
            of_page = [Seed(one.url, Role.GUESSED) for one in answer.feeds]
            if seed.role is Role.LINKS:
                feeds += of_page
                of_page = []
            linked = [Seed(one.url, Role.DECLARED) for one in answer.references]
            return [one for one in linked if identity(one.url) not in self._in_tree] + of_page
        self._places += 1
        self._settle(self.nodes, seed.url, (chain, url, answer, refusal), [])
        return []

    def _is_full(self) -> bool:
        if self._places >= self._limits.sitemaps:
            self.short.add("sitemaps")
        return self._places >= self._limits.sitemaps

    def _settle(self, beside: list[Node], declared: str, found: Any, parents: list[Parent]) -> None:
        chain, url, answer, refused = found
        self._in_tree.update(chain)
        self._try(declared, url, chain, answer.outcome)
        if not _is_usable(answer):
            reason = answer.reason
            beside.append(Node(declared if refused else url, reason, (), []))
            return
        self._found = self._found or answer.kind is not Kind.ROBOTS
        pages = tuple(f"{answer.url}#{number}" for number in range(sum(block.rows for block in answer.blocks)))
        kept = pages[: self._limits.pages - self._pages]
        node = Node(url, "", kept, [])
        beside.append(node)
        self._pages += len(kept)
        parents = [*parents, Parent(url, set(chain))]
        followed = [one.url for one in answer.references if self._is_followed(one.url, parents)]
        if kept != pages:
            raise Ended
        for reference in followed:
            if self._is_full():
                return
            self._places += 1
            self._settle(node.children, reference, self._below(reference, parents), parents)

    def _is_followed(self, url: str, parents: list[Parent]) -> bool:
        followed = self._follows(url, len(parents) - 1, {parent.url for parent in parents})
        if not followed:
            self.attempts.setdefault(identity(url), (url, url, Outcome.FILTERED))
        return followed

    def _below(self, url: str, parents: list[Parent]) -> Any:
        """What a child turns out to be."""
        above = set[str]().union(*(parent.chain for parent in parents))
        if identity(url) in above:
            return [], url, Failure(url, Outcome.REFUSED, f"Recursion detected in URL {url}"), True
        if len(parents) > self._limits.depth:
            reason = f"Recursion level {len(parents)} is deeper than the limit of {self._limits.depth}: {url}"
            return [], url, Failure(url, Outcome.REFUSED, reason), True
        return self._follow(url, above)

    def _try(self, declared: str, url: str, chain: list[str], outcome: Outcome) -> None:
        name = identity(declared)
        if chain and name not in self._asked:
            self._asked.add(name)
            self.attempts[name] = (declared, url, outcome)
        self.attempts.setdefault(name, (declared, url, outcome))

    def _follow(self, url: str, above: set[str]) -> tuple[list[str], str, Document | Failure, bool]:
        """Where redirects lead: the URLs on the way, the last one as written, what it says, whether we say that."""
        visits = [(identity(url), 0)]
        shown = url
        while True:
            answer = self._answer(*visits[-1])
            chain = [name for name, _ in visits]
            if not isinstance(answer, Redirect):
                return chain, shown, answer, False
            target = identity(answer.target)
            if target in above:
                reason = f"Recursion detected when {answer.url} redirected to {answer.target}"
                return chain, shown, Failure(url, Outcome.REFUSED, reason), True
            if len(visits) > self._limits.redirects:
                reason = f"There are more than {self._limits.redirects} redirects, the last one to {answer.target}"
                return chain, shown, Failure(url, Outcome.REFUSED, reason), True
            visit = 0
            while (target, visit) in visits:
                circle = [self._answer(*one) for one in visits[visits.index((target, visit)) :]]
                if not any(isinstance(one, Redirect) and one.fresh_cookie for one in circle):
                    reason = f"The redirects go in a circle: {answer.url} leads to {answer.target} again"
                    return chain, shown, Failure(url, Outcome.BROKEN, reason), True
                visit += 1
            visits.append((target, visit))
            shown = answer.target

    def _answer(self, name: str, visit: int) -> Document | Failure | Redirect:
        """What a URL says at such a visit, busy answers left out as long as it is worth asking again."""
        said = self._said.setdefault(name, [])
        while len(said) <= visit:
            for tries in range(1, ATTEMPTS + 1):
                options = self._site.get(name, [fails()])
                assert isinstance(options, list)
                answer = options[min(self._taken[name], len(options) - 1)](name)
                self._taken[name] += 1
                if not (isinstance(answer, Failure) and answer.status == 503) or tries == ATTEMPTS:
                    said.append(answer)
                    break
        return said[visit]


def _is_usable(answer: Document | Failure) -> bool:
    return isinstance(answer, Document) and answer.usable


def _seen_from_outside(answer: Document | Failure, role: Role) -> Outcome:
    """What a first URL that leaves nothing in the tree turned out to be."""
    if isinstance(answer, Document) and answer.kind is Kind.HTML:
        return Outcome.OK if role in (Role.LINKS, Role.LINKS_AND_FEEDS) else Outcome.ABSENT
    return answer.outcome


def node_of(sitemap: AbstractSitemap) -> Node:
    reason = sitemap.reason if isinstance(sitemap, InvalidSitemap) else ""
    return Node(sitemap.url, reason, tuple(page.url for page in sitemap.pages), nodes_of(sitemap))


def nodes_of(sitemap: AbstractSitemap) -> list[Node]:
    return [node_of(child) for child in sitemap.sub_sitemaps]


def attempts_of(website: IndexWebsiteSitemap) -> list[tuple[str, str, Outcome]]:
    return [(attempt.url, attempt.final_url, attempt.outcome) for attempt in website.attempts]


class Watched(Drive):
    """A crawl answered in any order, whose every step is held against the bounds."""

    def __init__(self, site: Site, seeds: list[Seed], order: Random, politeness: Politeness, **options: Any) -> None:
        self._order = order
        self._politeness = politeness
        self._last_start: dict[str, float] = {}
        super().__init__(site, seeds, choose=order.randrange, **options)

    def ask(self) -> list[Request]:
        new = super().ask()
        hosts = Counter(origin(request.url) for request in self.under_way)
        assert len(self.under_way) <= self._politeness.connections_in_all
        assert all(count <= self._politeness.connections for count in hosts.values())
        assert len({request.url for request in self.under_way}) == len(self.under_way)
        for request in new:
            host = origin(request.url)
            assert self.now - self._last_start.get(host, -math.inf) >= self._politeness.delay
            self._last_start[host] = self.now
        return new

    def step(self) -> None:
        if self._order.random() < 0.2:
            self.now += self._order.choice([0.5, 1.0, 3.0])
        super().step()


orders = st.randoms(use_true_random=False)
portions = st.sampled_from([1, 2, 3, plan.PLACES_AT_ONCE])


@given(sites, seeds, limits, follows, politenesses, orders, st.sampled_from([1, 2, math.inf]), portions)
def test_any_order_of_answers_gives_the_tree_of_going_through_it_one_by_one(
    made: dict[str, list[Said]],
    first: list[tuple[str, Role]],
    limits: Limits,
    follow: RecurseCallbackType,
    politeness: Politeness,
    order: Random,
    read_ahead: float,
    portion: int,
) -> None:
    site = {url: [says(said) for said in several] for url, several in made.items()}
    seeds = [Seed(absolute(url), role) for url, role in first]
    expected = OneByOne(site, limits, follow)
    expected.go(seeds)
    retry = Retry(attempts=ATTEMPTS)
    rules = Rules(limits=limits, politeness=politeness, retry=retry, recurse_callback=follow)
    with patch.object(plan, "PLACES_AT_ONCE", portion):
        drive = Watched(site, seeds, order, politeness, rules=rules, read_ahead=read_ahead, chance=order.random()).run()
    tree = drive.tree()
    assert nodes_of(tree) == expected.nodes
    assert attempts_of(tree) == list(expected.attempts.values())
    short = {name for name in ("sitemaps", "pages") if any(f"{name} was reached" in one for one in tree.shortcomings)}
    assert short == expected.short
    assert drive.known == [sitemap.url for sitemap in tree.all_sitemaps() if not isinstance(sitemap, InvalidSitemap)]
