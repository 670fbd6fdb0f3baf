"""The examples do what they say, run as their users run them."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.web_client.server import Answer, Handler, Server, serving

EXAMPLES = Path(__file__).parent.parent / "examples"


def text(body: str) -> Answer:
    def answer(handler: Handler) -> None:
        handler.give(body=body.encode())

    return answer


def urlset(*entries: tuple[str, str]) -> Answer:
    return text(
        "<urlset>"
        + "".join(f"<url><loc>{loc}</loc><lastmod>{day}</lastmod></url>" for loc, day in entries)
        + "</urlset>"
    )


class Missing(dict[str, Answer]):
    """What the site has not is 404."""

    def __missing__(self, path: str) -> Answer:
        return lambda handler: handler.give(404)


SITE = Missing(
    {
        "/robots.txt": text("Sitemap: /index.xml"),
        "/index.xml": text(
            "<sitemapindex><sitemap><loc>/news.xml</loc></sitemap><sitemap><loc>/pages.xml</loc></sitemap></sitemapindex>"
        ),
        "/news.xml": urlset(("https://example.com/news", "2024-07-01")),
        "/pages.xml": urlset(("https://example.com/old", "2024-01-01"), ("https://example.com/new", "2024-06-01")),
    }
)


@pytest.fixture(scope="module")
def site() -> Iterator[Server]:
    with serving(SITE) as server:
        yield server


def run(name: str, *arguments: str) -> str:
    finished = subprocess.run(
        [sys.executable, EXAMPLES / name, *arguments], capture_output=True, text=True, check=False, timeout=60
    )
    assert (finished.returncode, finished.stderr) == (0, "")
    return finished.stdout


def test_a_client_of_ones_own_fetches(site: Server) -> None:
    assert run("own_client.py", site.url()).splitlines() == [
        f"{site.url('/robots.txt')} 0",
        f"{site.url('/index.xml')} 0",
        f"{site.url('/news.xml')} 1",
        f"{site.url('/pages.xml')} 2",
    ]


def test_streams_give_pages_and_their_sitemaps(site: Server) -> None:
    assert run("async_stream.py", site.url()).splitlines() == [
        f"https://example.com/news  (from {site.url('/news.xml')})",
        f"https://example.com/old  (from {site.url('/pages.xml')})",
        f"https://example.com/new  (from {site.url('/pages.xml')})",
        f"{site.url()}: 3 pages, all of them",
    ]


def test_callbacks_choose_what_is_followed(site: Server) -> None:
    told = run("filter_sitemaps.py", site.url(), "news").splitlines()
    assert told[:4] == [
        f"ok          {site.url('/robots.txt')}",
        f"ok          {site.url('/index.xml')}",
        f"filtered    {site.url('/pages.xml')}",
        f"ok          {site.url('/news.xml')}",
    ]


def test_what_changed_since_a_day_is_found(site: Server) -> None:
    assert run("changed_since.py", site.url(), "2024-06-01").splitlines() == [
        "2024-07-01 https://example.com/news",
        "2024-06-01 https://example.com/new",
    ]


def test_every_example_is_tested() -> None:
    tested = Path(__file__).read_text(encoding="utf-8")
    scripts = [path.name for path in EXAMPLES.glob("*.py") if not path.name.startswith("test_")]
    assert scripts
    assert [name for name in scripts if f'"{name}"' not in tested] == []
