"""The URLs of a crawl: each is fetched once, asked for again while that is of use, and shared by all who wait."""

import math

from tests.crawls import SITE, Drive, Site, declared, document, fails, has, lists, outcomes, robots, shapes
from usp.crawl.plan import Crawl
from usp.crawl.politeness import Politeness
from usp.crawl.retry import Retry
from usp.crawl.rules import Rules
from usp.limits import Limits
from usp.messages import Document, Failure, Kind
from usp.problems import Outcome

BUSY = fails(Outcome.UNREACHABLE, 503)


def test_a_url_is_fetched_once_however_often_and_however_it_is_declared() -> None:
    spellings = ["b", f"{SITE}b#part", "HTTPS://EXAMPLE.COM/b", "https://example.com:443/b"]
    drive = Drive({"a": lists(*spellings), "b": has(1)}, declared("a", "b")).run()
    assert drive.asked == [f"{SITE}a", f"{SITE}b"]
    index, single = drive.tree().sub_sitemaps
    assert [child.url for child in index.sub_sitemaps] == [*(f"{SITE}b", *spellings[1:])]
    assert [page.url for page in single.pages] == [f"{SITE}b#0"]
    assert len(list(drive.tree().all_pages())) == 5, "a document stands wherever it is declared"


def test_urls_that_differ_in_anything_else_are_different_urls() -> None:
    urls = [
        "b",
        "B",
        "b?",
        "b?x=%41",
        "b?x=A",
        "http://example.com/b",
        "https://me@example.com/b",
        f"{SITE[:-1]}:8443/b",
    ]
    drive = Drive({"a": lists(*urls)}, declared("a")).run()
    assert len(drive.asked) == 1 + len(urls)


def test_pages_of_a_shared_document_are_kept_once() -> None:
    drive = Drive({"a": lists("b"), "b": has(3)}, declared("a", "b")).run()
    index, single = drive.tree().sub_sitemaps
    assert index.sub_sitemaps[0] is not single
    assert index.sub_sitemaps[0].pages is single.pages


def test_the_earliest_place_that_wants_a_url_decides_its_turn() -> None:
    rules = Rules(politeness=Politeness(connections=2))
    site = {"i": lists("x", "y", "z"), "z": has(1), "j": lists("a", "b", "z")}
    drive = Drive(site, declared("j", "i"), rules=rules)
    drive.ask()
    drive.answer("j")
    drive.ask()
    drive.answer("i")  # waits for its turn behind a, but y of the second comes behind z of the first
    drive.run()
    assert [url.removeprefix(SITE) for url in drive.asked] == ["j", "i", "a", "b", "z", "x", "y"]


def test_an_answer_that_may_pass_is_asked_for_again_after_a_wait() -> None:
    drive = Drive({"a": [BUSY, BUSY, has(1)]}, declared("a"), chance=1.0)
    drive.ask()
    assert drive.answer("a") == 1
    assert drive.ask() == []
    assert drive.crawl.wakes_at() == drive.now + 1
    drive.run()
    assert drive.now == 1000 + 1 + 2
    assert drive.asked == [f"{SITE}a"] * 3
    assert shapes(drive.tree()) == ["a"]


def test_a_url_that_fails_to_the_end_fails_with_its_last_answer() -> None:
    drive = Drive({"a": [BUSY, BUSY, fails(Outcome.BLOCKED, 403)]}, declared("a")).run()
    assert outcomes(drive.tree()) == {"a": "blocked"}
    (attempt,) = drive.tree().attempts
    assert (attempt.status, attempt.seconds) == (403, 1.5), "the answers took so long, the waits are left out"
    assert shapes(Drive({"a": BUSY}, declared("a")).run().tree()) == [("a", "it is unreachable")]


def test_an_answer_that_is_meant_is_not_asked_for_again() -> None:
    assert Drive({}, declared("a")).run().asked == [f"{SITE}a"]


def test_retry_after_pauses_the_whole_host_and_no_other() -> None:
    slow = fails(Outcome.BLOCKED, 429, wait=50.0)
    rules = Rules(politeness=Politeness(connections=1))
    drive = Drive({"a": [slow, has(1)], "b": has(1)}, declared("a", "b", "https://example.org/c"), rules=rules)
    drive.ask()
    assert drive.answer("a") == 50
    assert drive.ask() == []
    assert drive.crawl.wakes_at() == drive.now + 50
    drive.run()
    assert [url for url in drive.asked if "example.com" in url] == [f"{SITE}a", f"{SITE}a", f"{SITE}b"]
    assert drive.now == 1050


def test_a_wait_before_a_retry_is_kept_though_an_earlier_place_wants_the_same() -> None:
    drive = Drive({"a": lists("b", "c"), "b": lists("c"), "c": [BUSY, has(1)]}, declared("a"), chance=1.0)
    drive.ask()
    drive.answer("a")
    drive.ask()
    drive.answer("c")
    late = drive.crawl.wakes_at()
    drive.answer("b")
    assert drive.ask() == []
    drive.run()
    assert drive.now == late > 1000


def test_nothing_is_asked_for_again_after_the_time_of_the_crawl() -> None:
    rules = Rules(limits=Limits(seconds=20), retry=Retry(first_wait=30))
    drive = Drive({"a": [BUSY, has(1)]}, declared("a"), rules=rules, chance=1.0).run()
    assert (drive.asked, drive.now) == ([f"{SITE}a"], 1000)
    assert shapes(drive.tree()) == [("a", "it is unreachable")]


def test_what_broken_answers_had_said_counts_if_no_whole_one_comes() -> None:
    def broke_off(url: str) -> Failure:
        partial = Document(url, Kind.URLSET, Outcome.TRUNCATED, blocks=has(2)(url).blocks)  # type: ignore[union-attr]
        return Failure(url, Outcome.UNREACHABLE, "reset", retryable=True, partial=partial)

    tree = Drive({"a": [broke_off, BUSY]}, declared("a")).run().tree()
    assert [page.url for page in tree.all_pages()] == [f"{SITE}a#0", f"{SITE}a#1"]
    assert outcomes(tree) == {"a": "truncated"}
    whole = Drive({"a": [broke_off, has(3)]}, declared("a")).run().tree()
    assert (len(list(whole.all_pages())), outcomes(whole)) == (3, {"a": "ok"})


def test_what_a_broken_answer_had_said_counts_only_if_it_is_a_sitemap() -> None:
    def broke_off(url: str) -> Failure:
        partial = Document(url, Kind.UNKNOWN, Outcome.TRUNCATED)
        return Failure(url, Outcome.UNREACHABLE, "reset", retryable=True, partial=partial)

    assert shapes(Drive({"a": broke_off}, declared("a")).run().tree()) == [("a", "reset")]


def test_a_redirect_that_the_fetcher_followed_by_itself_is_one_all_the_same() -> None:
    followed = {"a": lambda url: has(1)(f"{SITE}b"), "b": has(1)}
    drive = Drive(followed, declared("a", "b")).run()
    tree = drive.tree()
    assert [sitemap.url for sitemap in tree.sub_sitemaps] == [f"{SITE}b", f"{SITE}b"]
    assert [(attempt.url, attempt.final_url) for attempt in tree.attempts] == [
        (f"{SITE}a", f"{SITE}b"),
        (f"{SITE}b", f"{SITE}b"),
    ]


def test_a_document_that_came_by_a_followed_redirect_is_not_fetched_again() -> None:
    drive = Drive({"a": lambda url: has(1)(f"{SITE}b"), "i": lists("b"), "b": has(1)}, declared("a", "i"))
    drive.ask()
    drive.answer("a")
    drive.run()
    assert drive.asked == [f"{SITE}a", f"{SITE}i"]
    assert shapes(drive.tree()) == ["b", ("i", "b")]


def test_an_answer_that_another_one_overtook_changes_nothing() -> None:
    drive = Drive({"a": lambda url: has(1)(f"{SITE}b"), "b": has(5), "c": has(1)}, declared("a", "b", "c"))
    drive.ask()
    for url in ("a", "b", "c"):
        drive.answer(url)
    assert drive.crawl.done
    assert [len(sitemap.pages) for sitemap in drive.tree().sub_sitemaps] == [1, 1, 1]


def test_a_followed_redirect_to_what_was_fetched_already_gives_that() -> None:
    drive = Drive({"a": lambda url: has(1)(f"{SITE}b"), "b": has(5)}, declared("a", "b"))
    drive.ask()
    drive.answer("b")
    drive.answer("a")
    assert [len(sitemap.pages) for sitemap in drive.tree().sub_sitemaps] == [5, 5]


def test_what_a_followed_redirect_gives_is_not_fetched_though_it_was_queued() -> None:
    rules = Rules(politeness=Politeness(connections=1))
    drive = Drive({"a": lambda url: has(1)(f"{SITE}b"), "b": has(5), "c": has(1)}, declared("a", "b", "c"), rules=rules)
    assert drive.run().asked == [f"{SITE}a", f"{SITE}c"]


def test_a_failure_behind_a_followed_redirect_is_that_of_the_final_url() -> None:
    tree = Drive({"a": lambda url: fails(Outcome.BLOCKED, 403)(f"{SITE}login")}, declared("a")).run().tree()
    (attempt,) = tree.attempts
    assert (attempt.url, attempt.final_url, attempt.outcome) == (f"{SITE}a", f"{SITE}login", Outcome.BLOCKED)


def test_what_only_a_limit_wanted_is_not_fetched() -> None:
    site = {"a": lists("b", "x", "y"), "b": lists("c", "d"), **{url: has(1) for url in "cdxy"}}
    rules = Rules(limits=Limits(sitemaps=4), politeness=Politeness(connections=1))
    drive = Drive(site, declared("a"), rules=rules).run()
    assert [url.removeprefix(SITE) for url in drive.asked] == ["a", "b", "c", "d"]
    assert shapes(drive.tree()) == [("a", ("b", "c", "d"))]


def test_a_url_that_a_limit_dropped_is_fetched_when_an_earlier_place_wants_it() -> None:
    site = {"a": lists("b", "x"), "b": lists("c"), "c": lists("x"), "x": has(1)}
    rules = Rules(limits=Limits(sitemaps=4), politeness=Politeness(connections=1))
    assert shapes(Drive(site, declared("a"), rules=rules).run().tree()) == [("a", ("b", ("c", "x")))]


def test_what_a_limit_cut_off_while_it_was_under_way_is_not_asked_for_again() -> None:
    site = {"a": lists("b", "x"), "b": lists("c", "d"), "c": has(1), "d": has(1), "x": BUSY}
    drive = Drive(site, declared("a"), rules=Rules(limits=Limits(sitemaps=4)), chance=1.0)
    drive.ask()
    drive.answer("a")
    drive.ask()
    drive.answer("b")
    assert drive.answer("x") == 1
    assert drive.run().asked.count(f"{SITE}x") == 1


def test_what_a_limit_cut_off_while_it_waited_is_asked_for_again_when_it_is_wanted_again() -> None:
    site: Site = {"a": lists("b", "x"), "b": lists("c", "d"), "c": lists("x"), "d": has(1), "x": [BUSY, has(1)]}
    drive = Drive(site, declared("a"), rules=Rules(limits=Limits(sitemaps=4)), chance=1.0)
    drive.ask()
    drive.answer("a")
    drive.ask()
    drive.answer("x")
    drive.answer("b")
    drive.ask()
    drive.answer("c")
    assert drive.ask() == []
    drive.run()
    assert (drive.asked.count(f"{SITE}x"), drive.now) == (2, 1001)
    assert shapes(drive.tree()) == [("a", ("b", ("c", "x")))]


def test_a_request_says_whether_anybody_declared_the_url() -> None:
    drive = Drive({"robots.txt": robots("b", "sitemap.txt")})
    assert [request.guessed for request in drive.ask()] == [True]
    drive.answer()
    guessed = {request.url.removeprefix(SITE): request.guessed for request in drive.ask()}
    assert guessed["sitemap.xml"]
    assert not guessed["b"]
    assert not guessed["sitemap.txt"], "a known path that robots.txt declares is declared"


def test_credentials_go_to_the_homepage_and_to_it_asked_more_safely_only() -> None:
    urls = ["http://example.com/a", "https://example.com/a", "http://example.com:81/a", "https://www.example.com/a"]

    def trusted(homepage: str) -> list[bool]:
        crawl = Crawl(homepage, declared(*urls), Rules(), chance=lambda: 0.0)
        wanted = {request.url: request.trusted for request in crawl.wants(0.0)}
        return [wanted[url] for url in urls]

    assert trusted("http://example.com/") == [True, True, False, False]
    assert trusted("https://example.com/") == [False, True, False, False]
    assert trusted("http://example.com:81/") == [False, False, True, False]


def test_a_crawl_of_nothing_is_done_at_once() -> None:
    drive = Drive({}, [])
    assert drive.crawl.done
    assert drive.crawl.wants(0.0) == []
    assert (drive.tree().sub_sitemaps, drive.tree().complete) == ([], True)
    assert drive.crawl.wakes_at() < math.inf


def test_a_document_of_no_kind_is_an_invalid_sitemap() -> None:
    tree = Drive({"a": document(Kind.UNKNOWN, Outcome.BROKEN)}, declared("a")).run().tree()
    assert shapes(tree) == [("a", "broken")]
