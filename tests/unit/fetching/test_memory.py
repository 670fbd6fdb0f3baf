"""The network in memory: answers as they were given, by URL, one after the other."""

import asyncio
from collections.abc import Mapping

import pytest

from tests.unit.fetching.asking import read
from usp import MemoryFetcher, Outcome, sitemap_tree_for_homepage
from usp.fetching.memory import Answer, OneAnswer
from usp.limits import PIECE
from usp.messages import Failure, Request, Response

URL = "https://example.com/sitemap.xml"


def asked(answers: Mapping[str, Answer], *urls: str) -> list[tuple[Response | Failure, bytes]]:
    async def ask() -> list[tuple[Response | Failure, bytes]]:
        async with MemoryFetcher(answers).open() as fetch:
            return [await read(fetch, url) for url in urls]

    return asyncio.run(ask())


async def waits_first(request: Request) -> OneAnswer:
    await asyncio.sleep(0)
    return request.url


@pytest.mark.parametrize(
    ("answer", "status", "body"),
    [
        (b"bytes", 200, b"bytes"),
        ("täxt", 200, "täxt".encode()),
        ((503, {"Retry-After": "1"}, "later"), 503, b"later"),
        (lambda request: request.url, 200, URL.encode()),
        (waits_first, 200, URL.encode()),
    ],
)
def test_an_answer_can_be_given_in_many_ways(answer: Answer, status: int, body: bytes) -> None:
    ((response, given),) = asked({URL: answer}, URL)
    assert isinstance(response, Response)
    assert (response.url, response.status, given) == (URL, status, body)


def test_a_large_body_comes_in_pieces() -> None:
    async def ask() -> list[int]:
        async with MemoryFetcher({URL: b"x" * (2 * PIECE + 1)}).open() as fetch, fetch(Request(URL)) as answer:
            assert isinstance(answer, Response)
            return [len(piece) async for piece in answer.body]

    assert asyncio.run(ask()) == [PIECE, PIECE, 1]


def test_names_of_headers_are_given_in_lower_case() -> None:
    ((response, _),) = asked({URL: (200, {"Content-Type": "text/xml"}, "")}, URL)
    assert isinstance(response, Response)
    assert response.headers == {"content-type": "text/xml"}


def test_a_fault_is_a_failure_that_may_pass_and_a_failure_is_itself() -> None:
    refused = Failure(URL, Outcome.REFUSED, "no")
    (fault, _), (failure, _) = asked({URL: [OSError("broken"), refused]}, URL, URL)
    assert isinstance(fault, Failure)
    assert (fault.url, fault.outcome, fault.reason, fault.retryable) == (URL, Outcome.UNREACHABLE, "broken", True)
    assert failure is refused


def test_a_list_gives_its_answers_one_after_the_other_and_the_last_one_again_and_again() -> None:
    answers: dict[str, Answer] = {URL: ["one", "two"]}
    assert [body for _, body in asked(answers, *[URL] * 4)] == [b"one", b"two", b"two", b"two"]
    assert [body for _, body in asked(answers, URL)] == [b"one"], "the list of the caller is left alone"


def test_a_url_is_found_however_it_is_spelled_and_an_unknown_one_is_absent() -> None:
    answers: dict[str, Answer] = {"HTTPS://Example.com:443/a#top": "yes"}
    assert [body for _, body in asked(answers, "https://example.com/a")] == [b"yes"]
    ((response, _),) = asked(answers, "https://example.com/A")
    assert isinstance(response, Response)
    assert response.status == 404


def test_what_was_asked_for_is_remembered_over_crawls() -> None:
    fetcher = MemoryFetcher({"https://example.com/robots.txt": "Sitemap: /map.xml", "https://example.com/map.xml": ""})
    for _ in range(2):
        sitemap_tree_for_homepage("https://example.com/", fetcher=fetcher, use_known_paths=False)
    once = ["https://example.com/robots.txt", "https://example.com/", "https://example.com/map.xml"]
    assert sorted(fetcher.requests) == sorted(2 * once)
