"""A console, and sites in memory that its commands find."""

from collections.abc import Callable, Mapping

import pytest

from tests.cli.console import Console
from usp.fetching.memory import Answer, MemoryFetcher

Site = Callable[[Mapping[str, Answer]], MemoryFetcher]


@pytest.fixture
def console(monkeypatch: pytest.MonkeyPatch) -> Console:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    return Console(monkeypatch)


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Site:
    """Puts answers, by path or whole URL, where commands look for https://example.com/."""

    def put(answers: Mapping[str, Answer]) -> MemoryFetcher:
        fetcher = MemoryFetcher(
            {path if "://" in path else f"https://example.com/{path}": answer for path, answer in answers.items()}
        )
        monkeypatch.setattr("usp.fetching.aiohttp_fetcher.AiohttpFetcher", lambda **options: fetcher)
        return fetcher

    return put
