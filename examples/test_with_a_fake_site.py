"""Test a program of yours without a network: give it a site in memory.

python -m pytest examples/test_with_a_fake_site.py
"""

import usp


def titles_of_news(homepage: str, fetcher: usp.MemoryFetcher | None = None) -> list[str | None]:
    """The program under test."""
    tree = usp.sitemap_tree_for_homepage(homepage, fetcher=fetcher)
    return [page.news_story.title for page in tree.all_pages() if page.news_story]


def test_titles_come_in_the_order_of_the_site() -> None:
    item = "<item><link>https://example.com/{0}</link><title>{0}</title></item>"
    feed = f"<rss><channel>{item.format('first')}{item.format('second')}</channel></rss>"
    site = usp.MemoryFetcher(
        {
            "https://example.com/robots.txt": "Sitemap: https://example.com/feed.xml",
            "https://example.com/feed.xml": feed,
        }
    )
    assert titles_of_news("https://example.com/", fetcher=site) == ["first", "second"]
    assert site.requests[0] == "https://example.com/robots.txt"
