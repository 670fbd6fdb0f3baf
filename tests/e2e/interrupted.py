"""A program that is in the middle of something when Ctrl-C comes: says "now" when it is, then what was left behind.

python -m tests.e2e.interrupted SCENARIO URL [uncaught]
"""

import asyncio
import gc
import json
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import usp
from tests.unit.web_client.clients import Client
from usp import aio
from usp.crawl.sources import GivenSitemaps
from usp.fetching.aiohttp_fetcher import AiohttpFetcher

LONG = 50
"""Seconds that whatever blocks would take if nobody pressed Ctrl-C."""


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def now() -> None:
    say("now")


def block(*_: object) -> Any:
    now()
    time.sleep(LONG)


def block_at(kind: str) -> Callable[[usp.Event], object]:
    return lambda event: block() if event.kind == kind else None


def say_at(kind: str) -> Callable[[usp.Event], object]:
    return lambda event: now() if event.kind == kind else None


def crawl(url: str, **options: Any) -> None:
    usp.sitemap_tree_for_homepage(url, **{"sources": [GivenSitemaps(("/a.xml",))], "guard": None, **options})


def stream(url: str, consume: Callable[[], object], **options: Any) -> None:
    with usp.stream_pages(url, sources=[GivenSitemaps(("/a.xml",))], guard=None, **options) as pages:
        for _ in pages:
            consume()


def in_a_notebook(url: str, **options: Any) -> None:
    async def cell() -> None:
        crawl(url, **options)

    asyncio.run(cell())


def asynchronously(url: str, **options: Any) -> None:
    asyncio.run(aio.sitemap_tree_for_homepage(url, sources=[GivenSitemaps(("/a.xml",))], guard=None, **options))


def by_requests(url: str) -> None:
    from usp.web_client.requests_client import RequestsWebClient

    crawl(url, web_client=RequestsWebClient())


def a_stream_that_nobody_closes(url: str) -> None:
    for _ in usp.stream_pages(url, sources=[GivenSitemaps(("/a.xml",))], guard=None):
        block()


def two_requests_at_once(url: str, **options: Any) -> None:
    crawl(url, sources=[GivenSitemaps(("/a.xml", "/b.xml"))], **options)


SCENARIOS: dict[str, Callable[[str], None]] = {
    "a server is silent": crawl,
    "a body breaks off": crawl,
    "two servers are silent": two_requests_at_once,
    "a name server is silent": lambda url: crawl(url, fetcher=AiohttpFetcher(resolver=block)),
    "a name server is silent about the homepage": lambda url: crawl(url, guard=usp.Guard(resolver=block)),
    "a retry waits": lambda url: crawl(url, on_event=say_at("retried")),
    "a large document is read": lambda url: crawl(
        url, on_event=say_at("progress"), limits=usp.Limits(in_flight_bytes=1)
    ),
    "a callback blocks": lambda url: crawl(url, recurse_callback=block),
    "a list callback blocks": lambda url: crawl(url, recurse_list_callback=block),
    "an event blocks": lambda url: crawl(url, on_event=block_at("finished")),
    "an event in the midst of an answer blocks": lambda url: crawl(url, on_event=block_at("progress")),
    "a client blocks": lambda url: crawl(url, web_client=Client(block)),
    "requests waits for a server": by_requests,
    "a client blocks in a stream": lambda url: stream(url, now, web_client=Client(block)),
    "a stream waits for a server": lambda url: stream(url, now),
    "the consumer of a stream is busy": lambda url: stream(url, block),
    "a stream that nobody closes": a_stream_that_nobody_closes,
    "a notebook waits for a server": in_a_notebook,
    "a client blocks in a notebook": lambda url: in_a_notebook(url, web_client=Client(block)),
    "an event loop waits for a server": asynchronously,
    "a client blocks beside an event loop": lambda url: asynchronously(url, web_client=Client(block)),
}

UNSTOPPABLE = {
    "a name server is silent": "usp-resolver",
    "a name server is silent about the homepage": "usp-resolver",
    "a client blocks in a notebook": "usp-web-client",
    "a client blocks beside an event loop": "usp-web-client",
}
"""What blocks in a thread of its own cannot be ended: a daemon thread stays behind, which holds nobody up."""


def left_behind(files: set[str]) -> dict[str, list[str]]:
    gc.collect()
    threads = [thread for thread in threading.enumerate() if thread is not threading.main_thread()]
    return {
        "threads": [thread.name if thread.daemon else f"{thread.name}, no daemon" for thread in threads],
        "files": sorted(open_files() - files),
        "temporary files": sorted(os.listdir(os.environ["TMPDIR"])),  # noqa: PTH208
    }


def open_files() -> set[str]:
    descriptors = Path("/proc/self/fd")
    if not descriptors.is_dir():
        return set()
    return {os.readlink(path) for path in descriptors.iterdir() if path.exists() or path.is_symlink()}  # noqa: PTH115


def main(scenario: str, url: str, *uncaught: str) -> None:
    files = open_files()
    if uncaught:
        SCENARIOS[scenario](url)
        return
    try:
        SCENARIOS[scenario](url)
    except KeyboardInterrupt:
        say(json.dumps(left_behind(files)))


if __name__ == "__main__":
    main(*sys.argv[1:])
