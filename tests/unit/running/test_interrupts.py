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
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import usp
from tests.unit.running.sites import HOME, PAGES_OF_THE_SMALL_SITE, small_site, urlset
from tests.unit.web_client.clients import Client, Success
from usp.running.interrupts import interruptible
from usp.tree import sitemap_tree_for_homepage, stream_pages

SOURCE = Path(usp.__file__).parent
PLACES = tuple(str(SOURCE / part) for part in ("running", "web_client", "tree.py", "fetching/exchange.py"))


class CtrlC:
    """Counts the lines that run in ``PLACES``, and presses Ctrl-C after so many; ``met`` is when each one did first."""

    def __init__(self, after: int = 0) -> None:
        self.after = after
        self.lines = 0
        self.met: dict[tuple[str, int], int] = {}

    def __call__(self, frame: FrameType, event: str, _: object) -> Any:
        file = frame.f_code.co_filename
        if not file.startswith(PLACES):
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


def test_ctrl_c_in_the_moment_in_which_the_work_goes_to_a_thread_waits_for_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked, over = threading.Event(), threading.Event()
    ended: list[bool] = []

    class Interrupted(ThreadPoolExecutor):
        def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
            future = super().submit(function, *arguments, **named)
            if arguments:
                assert asked.wait(30)
                raise KeyboardInterrupt
            return future

    def block(url: str) -> Success:
        asked.set()
        ended.append(over.wait(30))
        return Success(url, b"")

    async def cell() -> None:
        sitemap_tree_for_homepage(HOME, web_client=Client(block), guard=None)

    monkeypatch.setattr("usp.running.sync.ThreadPoolExecutor", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(cell())
    assert not ended
    over.set()
