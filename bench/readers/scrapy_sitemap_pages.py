"""How many pages Scrapy's ``SitemapSpider`` would go on to, of each sitemap that it finds from robots.txt."""

import json
import sys
from collections.abc import Iterator
from typing import Any, ClassVar
from urllib.parse import urlsplit

from scrapy.crawler import CrawlerProcess
from scrapy.spiders import SitemapSpider


class Counting(SitemapSpider):  # type: ignore[misc] # Scrapy is not installed where mypy runs
    """Counts pages instead of asking for them."""

    name = "counting"
    sitemap_urls = (f"{sys.argv[-1]}robots.txt",)
    pages: ClassVar[dict[str, int]] = {}
    _path = ""

    def _parse_sitemap(self, response: Any) -> Iterator[Any]:
        self._path = urlsplit(response.url).path
        return iter(list(super()._parse_sitemap(response)))  # at once: other answers are parsed meanwhile

    def sitemap_filter(self, entries: Any) -> Iterator[Any]:
        if entries.type == "sitemapindex":
            yield from entries
        else:
            self.pages[self._path] = sum(1 for _ in entries)


if __name__ == "__main__":
    process = CrawlerProcess({"LOG_ENABLED": False, "TELNETCONSOLE_ENABLED": False})
    process.crawl(Counting)
    process.start()
    print(json.dumps(Counting.pages))
