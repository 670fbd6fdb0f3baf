"""Ctrl-C at any moment: it is pressed at each line of what runs a crawl, one after the other, and leaves nothing.

Where it comes in the very moment in which a loop is made or closed, the loop is closed when it is collected.
"""

import asyncio
import gc
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import usp
from tests.unit.running.sites import HOME, PAGES_OF_THE_SMALL_SITE, site, small_site, urlset
from tests.unit.web_client.clients import Client, Success
from usp.messages import Request
from usp.running.interrupts import interruptible
from usp.tree import sitemap_tree_for_homepage, stream_pages

SOURCE = Path(usp.__file__).parent
PLACES = tuple(str(SOURCE / part) for part in ("running", "web_client", "tree.py", "fetching/exchange.py"))


class CtrlC:
    """Counts the lines that run in ``PLACES``, and presses Ctrl-C after so many; ``met`` is when each one did first."""

    def __init__(self, after: int = 0, places: tuple[str, ...] = PLACES) -> None:
        self.after = after
        self.places = places
        self.lines = 0
        self.met: dict[tuple[str, int], int] = {}

    def __call__(self, frame: FrameType, event: str, _: object) -> Any:
        file = frame.f_code.co_filename
        if not file.startswith(self.places):
            return None
        if event == "line":
            self.lines += 1
            self.met.setdefault((file, frame.f_lineno), self.lines)
            if self.lines == self.after:
                sys.settrace(None)
                signal.raise_signal(signal.SIGINT)
        return self


@contextmanager
def tracing(ctrl_c: CtrlC) -> Iterator[None]:
    tracer = sys.gettrace()
    sys.settrace(ctrl_c)
    try:
        yield
    finally:
        sys.settrace(tracer)


@pytest.fixture
def ctrl_c_works() -> Iterator[None]:
    """As Python sets it up; a runner of tests may have been told to ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def a_tree_with_callbacks() -> list[str]:
    tree = sitemap_tree_for_homepage(
        HOME,
        fetcher=small_site(),
        use_known_paths=False,
        recurse_callback=lambda *_: True,
        recurse_list_callback=lambda urls, *_: urls,
        on_event=lambda event: None,
    )
    return [page.url for page in tree.all_pages()]


def a_stream_with_a_client() -> list[str]:
    bodies = {
        "robots.txt": "Sitemap: /a.xml\nSitemap: /b.xml",
        "a.xml": urlset("/a/1", "/a/2"),
        "b.xml": urlset("/b/1", "/b/2"),
    }
    client = Client(lambda url: Success(url, bodies.get(url.removeprefix(HOME), "").encode()))
    with stream_pages(HOME, web_client=client, use_known_paths=False) as stream:
        return [page.url for page, _ in stream]


def open_files() -> set[str]:
    return set(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else set()  # noqa: PTH208, PTH112


@pytest.mark.usefixtures("ctrl_c_works")
@pytest.mark.parametrize("crawl", [a_tree_with_callbacks, a_stream_with_a_client])
def test_ctrl_c_at_any_line_ends_a_crawl_and_leaves_nothing(
    crawl: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with tracing(counted := CtrlC()):
        assert crawl() == PAGES_OF_THE_SMALL_SITE
    assert len(counted.met) > 100
    unraisable: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", unraisable.append)
    threads, files = set(threading.enumerate()), open_files()
    for after in counted.met.values():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the moment in which a loop is made or closed
            with tracing(CtrlC(after)), pytest.raises(KeyboardInterrupt):
                crawl()
            assert set(threading.enumerate()) <= threads
            if not open_files() <= files:
                gc.collect()
                assert open_files() <= files
    assert unraisable == []
    assert capfd.readouterr().err == ""


@pytest.mark.usefixtures("ctrl_c_works")
def test_ctrl_c_that_came_just_before_the_callers_code_ends_it_as_well() -> None:
    """The handler of the loop has noted it, and would act after the caller's code only."""
    went_on: list[str] = []

    async def main() -> None:
        signal.raise_signal(signal.SIGINT)
        with interruptible():
            went_on.append("too far")

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(main())
    assert went_on == []
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("ctrl_c_works")
def test_ctrl_c_at_any_line_ends_a_call_within_a_running_loop() -> None:
    """Its thread is told, however far the call has come with beginning it."""
    places = (__file__, str(SOURCE / "running"), threading.__file__)
    went_on: list[int] = []
    seconds = 0.2

    async def answer(request: Request) -> str:
        await asyncio.sleep(seconds)
        went_on.append(counted.lines)  # by now the caller waits
        return ""

    async def cell() -> None:
        sitemap_tree_for_homepage(HOME, fetcher=site({"robots.txt": answer}), use_known_paths=False)

    with tracing(counted := CtrlC(places=places)):
        asyncio.run(cell())
    moments = [moment for moment in counted.met.values() if moment <= went_on[0]]
    assert len(moments) > 100
    went_on.clear()
    seconds = 30
    threads = set(threading.enumerate())
    for after in moments:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the moment in which a loop is made or closed
            with tracing(CtrlC(after, places)), pytest.raises(KeyboardInterrupt):
                asyncio.run(cell())
        assert went_on == []
        assert set(threading.enumerate()) <= threads
