"""The sample site in memory, as https://www.example.com/: what pages of the documentation crawl."""

from contextlib import AbstractAsyncContextManager

import msgspec

from usp.demo.site import WRITTEN_FOR, Answer, answers
from usp.fetching.fetcher import Fetch
from usp.fetching.memory import MemoryFetcher


def answers_at_once(origin: str) -> dict[str, tuple[Answer, ...]]:
    """All that the site says, neither slow nor busy: nobody waits for a page of the documentation."""
    return {path: (msgspec.structs.replace(prepared[-1], wait=0.0),) for path, prepared in answers(origin).items()}


def museum() -> MemoryFetcher:
    """The site in memory."""
    return MemoryFetcher(
        {
            WRITTEN_FOR + path: (answer.status, answer.headers, answer.body)
            for path, (answer,) in answers_at_once(WRITTEN_FOR).items()
        }
    )


def open_museum(_: object) -> AbstractAsyncContextManager[Fetch]:
    """In place of ``AiohttpFetcher.open``: whatever its options, there is no network but this."""
    return museum().open()
