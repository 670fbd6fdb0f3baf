"""Small sites in memory, written as they answer."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping

from usp.fetching.memory import Answer, MemoryFetcher
from usp.messages import Request

HOME = "https://example.com/"

ROUND_TRIP = 0.1


def urlset(*pages: str | tuple[str, str]) -> str:
    """A sitemap of these pages; a pair is a page with its date."""
    return f"<urlset>{_entries('url', pages)}</urlset>"


def index(*sitemaps: str | tuple[str, str]) -> str:
    """An index of these sitemaps; a pair is a sitemap with its date."""
    return f"<sitemapindex>{_entries('sitemap', sitemaps)}</sitemapindex>"


def _entries(name: str, entries: Iterable[str | tuple[str, str]]) -> str:
    written = []
    for entry in entries:
        loc, lastmod = (entry, "") if isinstance(entry, str) else entry
        date = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
        written.append(f"<{name}><loc>{loc}</loc>{date}</{name}>")
    return "".join(written)


def site(paths: Mapping[str, Answer]) -> MemoryFetcher:
    """A site by its paths."""
    return MemoryFetcher({HOME + path: answer for path, answer in paths.items()})


def small_site() -> MemoryFetcher:
    """robots.txt, an index, two sitemaps of two pages each."""
    return site(
        {
            "robots.txt": "Sitemap: /index.xml",
            "index.xml": index("/a.xml", "/b.xml"),
            "a.xml": urlset("/a/1", "/a/2"),
            "b.xml": urlset("/b/1", "/b/2"),
        }
    )


PAGES_OF_THE_SMALL_SITE = [f"{HOME}{path}" for path in ("a/1", "a/2", "b/1", "b/2")]


def many(number: int, pages: int = 1) -> dict[str, Answer]:
    """A site of so many sitemaps."""
    names = [f"{n}.xml" for n in range(number)]
    return {
        "robots.txt": "\n".join(f"Sitemap: /{name}" for name in names),
        **{name: urlset(*(f"/{name}/{page}" for page in range(pages))) for name in names},
    }


def distant(answer: str) -> Callable[[Request], Awaitable[str]]:
    """An answer that takes a round trip."""
    return answering(answer, after=ROUND_TRIP)


def answering(answer: str, *, after: float) -> Callable[[Request], Awaitable[str]]:
    async def wait(request: Request) -> str:
        await asyncio.sleep(after)
        return answer

    return wait
