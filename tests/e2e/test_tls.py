"""What is wrong with TLS is told, not trusted, and asked for again only where it may pass."""

import socket
import ssl
from collections.abc import Callable

import pytest
import trustme

from tests.e2e import tls_faults as faults
from tests.e2e.crawling import IMPATIENT, Expected, crawl_beside, good, page_names
from tests.e2e.server import Site
from usp.events import Event, EventKind
from usp.fetching.aiohttp_fetcher import AiohttpFetcher
from usp.problems import Outcome

UNREACHABLE = Outcome.UNREACHABLE


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def trusting(authority: trustme.CA) -> AiohttpFetcher:
    """A fetcher that knows the authority."""
    known = ssl.create_default_context()
    authority.configure_trust(known)
    return AiohttpFetcher(tls=known)


@pytest.mark.parametrize(
    "certificate", [faults.for_another_name, faults.by_an_authority_that_nobody_knows, faults.out_of_date]
)
def test_a_bad_certificate_is_refused_and_not_asked_for_again(
    certificate: Callable[[trustme.CA], ssl.SSLContext], authority: trustme.CA, trusting: AiohttpFetcher
) -> None:
    events: list[Event] = []
    with Site(tls=certificate(authority), otherwise=good) as secure, Site() as site:
        crawled = crawl_beside(site, secure.url("/sitemap.xml"), fetcher=trusting, on_event=events.append)
        crawled.check(Expected(UNREACHABLE, None, "The certificate of 127.0.0.1 was refused"))
        assert secure.heads == []
        assert EventKind.RETRIED not in {event.kind for event in events}


def test_a_bad_certificate_is_accepted_if_the_caller_wants_it(authority: trustme.CA) -> None:
    with Site(tls=faults.for_another_name(authority), otherwise=good) as secure, Site() as site:
        crawled = crawl_beside(site, secure.url("/sitemap.xml"), fetcher=AiohttpFetcher(tls=False))
        crawled.check(Expected(Outcome.OK, pages=("one", "two")))


def test_a_version_that_the_caller_does_not_take_is_a_failure(authority: trustme.CA) -> None:
    modern = ssl.create_default_context()
    authority.configure_trust(modern)
    modern.minimum_version = ssl.TLSVersion.TLSv1_3
    with Site(tls=faults.of_an_old_version(authority), otherwise=good) as secure, Site() as site:
        crawled = crawl_beside(site, secure.url("/sitemap.xml"), fetcher=AiohttpFetcher(tls=modern))
        crawled.check(Expected(UNREACHABLE, None, "TLS with 127.0.0.1 failed"))


@pytest.mark.parametrize(
    ("handshake", "reason", "retried"),
    [
        (faults.hangs_up, "", True),
        (faults.resets, "", True),
        (faults.speaks_http, "TLS with 127.0.0.1 failed", False),
        (faults.says_nothing, "Nothing came for 2 seconds", True),
    ],
)
def test_a_handshake_that_comes_to_nothing(
    handshake: Callable[[socket.socket], None], reason: str, retried: bool
) -> None:
    events: list[Event] = []
    with faults.shaking_hands(handshake) as port, Site() as site:
        url = f"https://127.0.0.1:{port}/sitemap.xml"
        crawled = crawl_beside(site, url, limits=IMPATIENT, on_event=events.append)
        crawled.check(Expected(UNREACHABLE, None, reason))
        assert [event.url for event in events if event.kind is EventKind.RETRIED] == [url] * retried


def test_a_whole_site_over_tls(authority: trustme.CA, trusting: AiohttpFetcher) -> None:
    with Site(tls=faults.context(authority, "127.0.0.1")) as secure:
        secure.answers["/fault.xml"] = good
        crawled = crawl_beside(secure, secure.url("/fault.xml"), fetcher=trusting)
        assert (page_names(crawled.faulty), crawled.tree.complete) == (["one", "two"], True)
