"""Events: what is told while it happens, to the callback and to the log."""

import logging
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.unit.running.sites import HOME, index, site, small_site, urlset
from usp.crawl.retry import Retry
from usp.events import Event, EventKind
from usp.fetching.fetcher import Interrupted
from usp.fetching.memory import Answer, MemoryFetcher
from usp.limits import PIECE, Limits
from usp.messages import Failure, Request, Response
from usp.objects.sitemap import IndexWebsiteSitemap
from usp.problems import Outcome
from usp.tree import sitemap_tree_for_homepage

AT_ONCE = Retry(first_wait=0)


def told(fetcher: MemoryFetcher, **options: Any) -> tuple[list[Event], IndexWebsiteSitemap]:
    """What is told of a crawl that begins with robots.txt alone, and its tree."""
    events: list[Event] = []
    options = {"use_known_paths": False, "retry": AT_ONCE, **options}
    return events, sitemap_tree_for_homepage(HOME, fetcher=fetcher, on_event=events.append, **options)


def of(events: list[Event], path: str) -> list[Event]:
    return [event for event in events if event.url == HOME + path]


def kinds(events: list[Event], path: str) -> list[str]:
    return [str(event.kind) for event in of(events, path)]


def last(events: list[Event], path: str) -> Event:
    return of(events, path)[-1]


def test_a_sitemap_is_started_makes_progress_and_is_finished() -> None:
    events, _ = told(small_site())
    assert kinds(events, "a.xml") == ["started", "progress", "finished"]
    assert last(events, "a.xml").outcome is Outcome.OK
    assert last(events, "a.xml").status == 200
    assert last(events, "a.xml").seconds >= 0


def test_pages_and_sitemaps_are_counted_where_they_are_listed() -> None:
    events, tree = told(small_site())
    finished = {event.url: (event.pages, event.sitemaps) for event in events if event.kind is EventKind.FINISHED}
    assert finished[HOME + "index.xml"] == (0, 2)
    assert finished[HOME + "a.xml"] == (2, 0)
    assert sum(event.pages for event in events) == len(list(tree.all_pages()))


def test_every_byte_of_the_wire_is_counted_once() -> None:
    document = urlset(*(f"/page/{number}" for number in range(5000)))
    assert len(document) > 2 * PIECE
    events, _ = told(site({"robots.txt": "Sitemap: /a.xml", "a.xml": document}))
    progress = [event.bytes for event in of(events, "a.xml") if event.kind is EventKind.PROGRESS]
    assert sum(progress) == len(document)
    assert max(progress) <= PIECE
    assert sum(event.bytes for event in events) == len("Sitemap: /a.xml") + len(document)


def test_a_sitemap_that_stands_in_two_places_is_told_of_once() -> None:
    events, tree = told(
        site(
            {
                "robots.txt": "Sitemap: /one.xml\nSitemap: /two.xml",
                "one.xml": index("/a.xml"),
                "two.xml": index("/a.xml"),
                "a.xml": urlset("/a/1"),
            }
        )
    )
    assert len(list(tree.all_pages())) == 2
    assert Counter(kinds(events, "a.xml")) == {"started": 1, "progress": 1, "finished": 1}


def test_a_retry_says_why_and_how_long_it_waits() -> None:
    busy = (503, {"Retry-After": "0"}, "")
    events, _ = told(site({"robots.txt": "Sitemap: /a.xml", "a.xml": [busy, busy, urlset("/a/1")]}))
    assert kinds(events, "a.xml") == ["started", "retried"] * 2 + ["started", "progress", "finished"]
    retried = of(events, "a.xml")[1]
    assert (retried.status, retried.wait, retried.reason) == (503, 0.0, "503 Service Unavailable")
    assert retried.outcome is None


def test_a_retry_that_is_of_no_use_is_the_end() -> None:
    events, _ = told(site({"robots.txt": "Sitemap: /a.xml", "a.xml": (503, {}, "")}), retry=Retry(attempts=1))
    assert kinds(events, "a.xml") == ["started", "finished"]
    assert last(events, "a.xml").outcome is Outcome.UNREACHABLE


def test_a_redirect_says_where_to() -> None:
    events, _ = told(
        site({"robots.txt": "Sitemap: /a.xml", "a.xml": (301, {"Location": "/b.xml"}, ""), "b.xml": urlset("/b/1")})
    )
    assert kinds(events, "a.xml") == ["started", "redirected"]
    assert (last(events, "a.xml").status, last(events, "a.xml").reason) == (301, HOME + "b.xml")
    assert kinds(events, "b.xml") == ["started", "progress", "finished"]


def test_what_the_guard_refuses_is_told_as_refused() -> None:
    inside = "http://10.0.0.1/sitemap.xml"
    events, _ = told(site({"robots.txt": f"Sitemap: {inside}"}))
    (refused,) = [event for event in events if event.url == inside and event.kind is not EventKind.STARTED]
    assert (refused.kind, refused.outcome) == (EventKind.REFUSED, Outcome.REFUSED)
    assert "guard" in refused.reason


def test_a_recursion_is_told_as_refused_without_being_asked_for() -> None:
    events, _ = told(site({"robots.txt": "Sitemap: /index.xml", "index.xml": index("/index.xml")}))
    assert kinds(events, "index.xml") == ["started", "progress", "finished", "refused"]
    assert last(events, "index.xml").reason.startswith("Recursion detected")


def test_a_redirect_to_an_ancestor_is_told_as_refused() -> None:
    events, _ = told(
        site({"robots.txt": "Sitemap: /i.xml", "i.xml": index("/a.xml"), "a.xml": (301, {"Location": "/i.xml"}, "")})
    )
    assert kinds(events, "a.xml") == ["started", "redirected", "refused"]


def test_what_lies_too_deep_is_told_as_refused() -> None:
    events, _ = told(small_site(), limits=Limits(depth=1))
    assert kinds(events, "a.xml") == ["refused"]


def test_redirects_in_a_circle_are_told_as_broken() -> None:
    events, _ = told(
        site(
            {
                "robots.txt": "Sitemap: /a.xml",
                "a.xml": (301, {"Location": "/b.xml"}, ""),
                "b.xml": (301, {"Location": "/a.xml"}, ""),
            }
        )
    )
    assert (last(events, "a.xml").kind, last(events, "a.xml").outcome) == (EventKind.FINISHED, Outcome.BROKEN)


def test_what_an_answer_had_said_before_it_broke_off_is_told() -> None:
    async def body() -> AsyncIterator[bytes]:
        yield urlset("/a/1", "/a/2").encode()[:-30]
        raise Interrupted("The connection was reset.")

    def answer(request: Request) -> Response:
        return Response(request.url, 200, {}, body())

    events, tree = told(site({"robots.txt": "Sitemap: /a.xml", "a.xml": answer}), retry=Retry(attempts=2, first_wait=0))
    assert [page.url for page in tree.all_pages()] == [HOME + "a/1"]
    assert kinds(events, "a.xml")[-1] == "finished"
    assert (last(events, "a.xml").outcome, last(events, "a.xml").pages) == (Outcome.TRUNCATED, 1)


@pytest.mark.parametrize(
    ("path", "answer", "outcome"),
    [
        ("", "<html><title>Welcome</title></html>", Outcome.OK),
        ("", (301, {"Location": "/en/"}, ""), Outcome.OK),
        ("sitemap.xml", "<html><title>Not found</title></html>", Outcome.ABSENT),
        ("sitemap.xml", "", Outcome.ABSENT),
        ("sitemap.xml", (204, {}, ""), Outcome.ABSENT),
        ("sitemap.xml", (404, {}, ""), Outcome.ABSENT),
        ("sitemap.xml", (403, {}, ""), Outcome.BLOCKED),
        ("robots.txt", "<html><title>Welcome</title></html>", Outcome.ABSENT),
        ("robots.txt", (503, {}, ""), Outcome.UNREACHABLE),
    ],
)
def test_an_event_says_of_first_urls_what_the_attempts_say(path: str, answer: Any, outcome: Outcome) -> None:
    pages = {"en/": "<html><title>Welcome</title></html>"}
    events, tree = told(site({**pages, path: answer}), use_known_paths=True, retry=Retry(attempts=1))
    attempts = {attempt.url: attempt for attempt in tree.attempts}
    attempt = attempts[HOME + path]
    assert attempt.outcome is outcome
    (finished,) = [e for e in events if e.url == attempt.final_url and e.kind is EventKind.FINISHED]
    assert finished.outcome is outcome


def test_every_start_comes_to_one_end() -> None:
    busy: Answer = (500, {}, "")
    events, _ = told(
        site(
            {
                "robots.txt": "Sitemap: /index.xml",
                "index.xml": index("/a.xml", "/b.xml", "/index.xml", "/c.xml", "/missing.xml"),
                "a.xml": [(500, {}, ""), urlset("/a/1")],
                "b.xml": (301, {"Location": "/c.xml"}, ""),
                "c.xml": busy,
            }
        ),
        use_known_paths=True,
    )
    ends = {EventKind.RETRIED, EventKind.REDIRECTED, EventKind.FINISHED}
    started = Counter(event.url for event in events if event.kind is EventKind.STARTED)
    assert started == Counter(event.url for event in events if event.kind in ends)


def test_the_same_crawl_is_told_in_the_same_order() -> None:
    def stories() -> list[tuple[str, str]]:
        events, _ = told(small_site(), use_known_paths=True)
        return [(str(event.kind), event.url) for event in events]

    assert stories() == stories()


def test_the_tree_is_the_same_whether_somebody_listens_or_not() -> None:
    _, heard = told(small_site())
    assert sitemap_tree_for_homepage(HOME, fetcher=small_site(), use_known_paths=False) == heard


def test_the_log_has_a_line_for_each_url_and_only_whispers_of_what_nobody_declared(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.INFO, "usp"):
        told(small_site(), use_known_paths=True)
    assert [record.getMessage() for record in caplog.records if record.levelno == logging.INFO] == [
        f"{HOME}robots.txt: robots, ok, 0 pages, 1 sitemaps",
        f"{HOME}index.xml: sitemapindex, ok, 0 pages, 2 sitemaps",
        f"{HOME}a.xml: urlset, ok, 2 pages, 0 sitemaps",
        f"{HOME}b.xml: urlset, ok, 2 pages, 0 sitemaps",
    ]
    assert [record for record in caplog.records if record.levelno > logging.INFO] == []


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((404, {}, ""), "404 Not Found"),
        ("<urlset><url><loc>/a/1</loc><lastmod>", "truncated-document"),
        ("<html><title>Welcome</title></html>", "HTML"),
        (Failure(HOME + "a.xml", Outcome.UNREACHABLE, "It is far away."), "far away"),
    ],
)
def test_the_log_warns_of_what_is_lost_or_unusable(answer: Any, said: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "usp"):
        told(site({"robots.txt": "Sitemap: /a.xml", "a.xml": answer}))
    (warning,) = caplog.records
    assert warning.getMessage().startswith(HOME + "a.xml: ")
    assert said in warning.getMessage()
