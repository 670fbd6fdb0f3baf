"""The sample site in memory, as https://www.example.com/: what pages of the documentation crawl."""

from contextlib import AbstractAsyncContextManager

from usp.demo.site import WRITTEN_FOR, answers
from usp.fetching.fetcher import Fetch
from usp.fetching.memory import MemoryFetcher


def museum() -> MemoryFetcher:
    """Answers at once, and is never busy: nobody waits for a page of the documentation."""
    return MemoryFetcher(
        {
            WRITTEN_FOR + path: (prepared[-1].status, prepared[-1].headers, prepared[-1].body)
            for path, prepared in answers(WRITTEN_FOR).items()
        }
    )


def open_museum(_: object) -> AbstractAsyncContextManager[Fetch]:
    """In place of ``AiohttpFetcher.open``: whatever its options, there is no network but this."""
    return museum().open()
