"""Trees of sitemaps: the promised entry points."""

from usp.objects.sitemap import AbstractSitemap
from usp.parsing import parse


def sitemap_from_str(content: str) -> AbstractSitemap:
    """Read one sitemap from the text of its document.

    >>> sitemap_from_str("https://example.com/\\nhttps://example.com/cats").pages[1].url
    'https://example.com/cats'
    """
    return parse(content)
