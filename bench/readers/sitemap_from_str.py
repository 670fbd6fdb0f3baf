"""``sitemap_from_str``, then three properties of every page: USP and ultimate-sitemap-parser share this interface."""

from bench.readers.measuring import load_text, measure
from usp.tree import sitemap_from_str


def read(text: str) -> int:
    sitemap = sitemap_from_str(text)
    urls = 0
    for page in sitemap.all_pages():
        _ = page.url, page.last_modified, page.priority
        urls += 1
    for child in sitemap.sub_sitemaps:
        _ = child.url
        urls += 1
    return urls


if __name__ == "__main__":
    measure(load_text, read)
