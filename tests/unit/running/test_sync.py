"""The synchronous face: where it runs, and what it leaves behind, which is nothing."""

import asyncio
import contextvars
import os
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.unit.running.sites import HOME, PAGES_OF_THE_SMALL_SITE, site, small_site, urlset
from tests.unit.web_client.clients import Client, Success
from usp.events import Event
from usp.fetch_parse import SitemapFetcher
from usp.messages import Request
from usp.running.sync import Loop
from usp.tree import sitemap_tree_for_homepage, stream_pages


def urls_of_a_tree(**options: Any) -> list[str]:
    tree = sitemap_tree_for_homepage(HOME, **{"fetcher": small_site(), **options})
    return [page.url for page in tree.all_pages()]


def urls_of_a_stream(**options: Any) -> list[str]:
    with stream_pages(HOME, **{"fetcher": small_site(), **options}) as stream:
        return [page.url for page, _ in stream]


FACES = [urls_of_a_tree, urls_of_a_stream]
Face = Callable[..., list[str]]


@pytest.fixture
def nothing_is_left() -> Iterator[None]:
    """Neither a thread nor a file or socket is left by a test."""
    threads, files = set(threading.enumerate()), open_files()
    yield
    assert set(threading.enumerate()) <= threads
    assert open_files() <= files


def open_files() -> set[str]:
    return set(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else set()  # noqa: PTH208, PTH112


@pytest.mark.usefixtures("nothing_is_left")
@pytest.mark.parametrize("face", FACES)
def test_a_plain_script_gets_its_pages(face: Face) -> None:
    assert face() == PAGES_OF_THE_SMALL_SITE


@pytest.mark.usefixtures("nothing_is_left")
@pytest.mark.parametrize("face", FACES)
def test_it_works_within_a_running_loop_as_in_a_notebook(face: Face) -> None:
    async def cell() -> list[str]:
        return face()

    assert asyncio.run(cell()) == PAGES_OF_THE_SMALL_SITE


@pytest.mark.usefixtures("nothing_is_left")
@pytest.mark.parametrize("face", FACES)
def test_it_works_in_several_threads_at_once(face: Face) -> None:
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda _: face(), range(8))) == [PAGES_OF_THE_SMALL_SITE] * 8


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("face", FACES)
def test_it_works_after_a_fork(face: Face) -> None:
    assert face() == PAGES_OF_THE_SMALL_SITE
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of the test runner
        child = os.fork()
    if child == 0:
        os._exit(0 if face() == PAGES_OF_THE_SMALL_SITE else 1)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_child_forked_within_a_running_loop_has_no_loop_to_care_for() -> None:
    async def cell() -> int:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            os._exit(0 if urls_of_a_tree() == PAGES_OF_THE_SMALL_SITE else 1)
        return os.waitpid(child, 0)[1]

    assert asyncio.run(cell()) == 0


@pytest.mark.parametrize("face", FACES)
def test_callbacks_events_and_clients_run_in_the_callers_thread(face: Face) -> None:
    met: dict[str, set[threading.Thread]] = {}

    def here(what: str) -> None:
        met.setdefault(what, set()).add(threading.current_thread())

    def get(url: str) -> Success:
        here("client")
        body = "Sitemap: /a.xml" if url.endswith("robots.txt") else urlset("/a/1")
        return Success(url, body.encode())

    def list_callback(urls: list[str], level: int, parents: set[str]) -> list[str]:
        here("list callback")
        return urls

    def callback(url: str, level: int, parents: set[str]) -> bool:
        here("callback")
        return True

    face(
        fetcher=None,
        web_client=Client(get),
        recurse_callback=callback,
        recurse_list_callback=list_callback,
        on_event=lambda event: here("event"),
    )
    assert met == {what: {threading.current_thread()} for what in ("client", "list callback", "callback", "event")}


@pytest.mark.parametrize("face", FACES)
def test_within_a_running_loop_callbacks_run_in_one_thread_of_the_call(face: Face) -> None:
    threads = set()

    async def cell() -> list[str]:
        return face(on_event=lambda event: threads.add(threading.current_thread()))

    asyncio.run(cell())
    assert len(threads) == 1
    assert threading.current_thread() not in threads


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("notebook", [False, True])
def test_callbacks_see_the_context_of_their_caller(face: Face, notebook: bool) -> None:
    tongue = contextvars.ContextVar("tongue", default="none")
    heard = set()

    async def cell() -> list[str]:
        return face(on_event=lambda event: heard.add(tongue.get()))

    tongue.set("English")
    if notebook:
        asyncio.run(cell())
    else:
        face(on_event=lambda event: heard.add(tongue.get()))
    assert heard == {"English"}


class Mine(Exception):
    """A fault of the program's own."""


def raising(error: BaseException) -> dict[str, dict[str, Any]]:
    """Options by which the caller's own code raises."""

    def callback(*_: object) -> Any:
        raise error

    def in_progress(event: Event) -> None:
        if event.kind == "progress":
            raise error

    def on_finishing(event: Event) -> None:
        if event.kind == "finished":
            raise error

    async def answer(request: Request) -> str:
        await asyncio.sleep(0)
        raise error

    class Broken:
        """A fetcher with a fault, which is no Failure."""

        at_once, sees_addresses = None, False

        def open(self) -> Any:
            return self

        async def __aenter__(self) -> Any:
            raise error

        async def __aexit__(self, *_: object) -> None:
            """Nothing to close."""

    return {
        "callback": {"recurse_callback": callback},
        "list callback": {"recurse_list_callback": callback},
        "event in progress": {"on_event": in_progress},
        "event at the end": {"on_event": on_finishing},
        "client": {"fetcher": None, "web_client": Client(callback)},
        "answer of a fetcher": {"fetcher": site({"robots.txt": answer})},
        "opening a fetcher": {"fetcher": Broken()},
    }


@pytest.mark.usefixtures("nothing_is_left")
@pytest.mark.parametrize("error", [Mine(), TimeoutError("mine"), OSError("mine"), KeyboardInterrupt(), SystemExit(3)])
@pytest.mark.parametrize("where", raising(Mine()))
@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("notebook", [False, True])
def test_what_the_callers_code_raises_reaches_the_caller(
    face: Face, where: str, error: BaseException, notebook: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    def call() -> BaseException:
        try:
            face(**raising(error)[where])
        except BaseException as raised:
            return raised
        raise AssertionError("nothing was raised")

    async def cell() -> BaseException:
        return call()

    assert (asyncio.run(cell()) if notebook else call()) is error
    assert urls_of_a_tree() == PAGES_OF_THE_SMALL_SITE
    assert capfd.readouterr().err == ""


def test_a_callback_may_crawl_another_site() -> None:
    found: list[str] = []

    def callback(url: str, level: int, parents: set[str]) -> bool:
        found.extend(urls_of_a_tree() + urls_of_a_stream())
        return False

    assert urls_of_a_tree(recurse_callback=callback) == []
    assert found == PAGES_OF_THE_SMALL_SITE * 2


def test_a_stream_lets_its_consumer_run_loops_and_other_streams() -> None:
    async def other() -> str:
        return "done"

    with stream_pages(HOME, fetcher=small_site()) as stream:
        for _ in stream:
            assert asyncio.run(other()) == "done"
            assert urls_of_a_stream() == PAGES_OF_THE_SMALL_SITE


def test_the_programs_own_event_loop_stays_the_current_one() -> None:
    def in_a_thread() -> bool:  # of its own, since pytest has a loop, too
        own = asyncio.new_event_loop()
        asyncio.set_event_loop(own)
        try:
            urls_of_a_tree()
            return asyncio.get_event_loop() is own
        finally:
            own.close()

    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(in_a_thread).result()


def test_a_stream_begun_outside_a_loop_goes_on_within_one() -> None:
    stream = stream_pages(HOME, fetcher=small_site())
    first = next(stream)

    async def cell() -> list[str]:
        with stream:
            return [page.url for page, _ in stream]

    assert [first.page.url, *asyncio.run(cell())] == PAGES_OF_THE_SMALL_SITE


def test_a_stream_begun_within_a_loop_goes_on_outside() -> None:
    stream = stream_pages(HOME, fetcher=small_site())

    async def cell() -> str:
        return next(stream).page.url

    first = asyncio.run(cell())
    with stream:
        assert [first, *(page.url for page, _ in stream)] == PAGES_OF_THE_SMALL_SITE


@pytest.mark.usefixtures("nothing_is_left")
def test_a_stream_goes_from_one_thread_to_another() -> None:
    with (
        ThreadPoolExecutor(1) as one,
        ThreadPoolExecutor(1) as other,
        stream_pages(HOME, fetcher=small_site()) as stream,
    ):
        urls = [thread.submit(next, stream).result().page.url for thread in (one, other, one, other)]
    assert urls == PAGES_OF_THE_SMALL_SITE


@pytest.mark.usefixtures("nothing_is_left")
def test_a_stream_that_is_forgotten_ends() -> None:
    stream = stream_pages(HOME, fetcher=small_site())
    assert next(stream).page.url == PAGES_OF_THE_SMALL_SITE[0]
    del stream


@pytest.mark.usefixtures("nothing_is_left")
def test_a_stream_that_nobody_reads_begins_nothing() -> None:
    fetcher = small_site()
    with stream_pages(HOME, fetcher=fetcher):
        pass
    assert fetcher.requests == []


def test_the_clock_of_a_loop_stands_still_while_it_does_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]

    async def time() -> float:
        return asyncio.get_running_loop().time()

    with Loop() as loop:
        loop.run(time)  # the loop has looked at the clock
        with monkeypatch.context() as patched:
            patched.setattr("usp.running.sync.time.monotonic", lambda: now[0])
            before = loop.run(time)
            now[0] += 3600
            assert loop.run(time) == pytest.approx(before)


def test_a_sitemap_with_all_below_it_is_fetched_within_a_running_loop_too() -> None:
    async def cell() -> list[str]:
        client = Client(lambda url: Success(url, urlset("/a/1").encode()))
        return [page.url for page in SitemapFetcher(HOME + "a.xml", 0, client).sitemap().all_pages()]

    assert asyncio.run(cell()) == [HOME + "a/1"]


def test_the_faces_import_no_http_client_for_a_fetcher_of_ones_own() -> None:
    script = "from tests.unit.running.test_sync import *; import sys; urls_of_a_tree(); print('aiohttp' in sys.modules)"
    finished = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert finished.stdout == "False\n"
