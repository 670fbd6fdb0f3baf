"""Scrapy's ``Sitemap`` over the bytes, taking the same three values of every entry as the strings that it gives."""

from scrapy.utils.sitemap import Sitemap

from bench.readers.measuring import load_bytes, measure


def read(body: bytes) -> int:
    urls = 0
    for entry in Sitemap(body):
        _ = entry["loc"], entry.get("lastmod"), entry.get("priority")
        urls += 1
    return urls


if __name__ == "__main__":
    measure(load_bytes, read)
