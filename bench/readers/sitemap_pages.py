"""How many pages each sitemap of a site gives: USP and ultimate-sitemap-parser share this interface."""

import json
import logging
import sys
from urllib.parse import urlsplit

from usp.tree import sitemap_tree_for_homepage


def read(homepage_url: str) -> dict[str, int]:
    sitemaps = sitemap_tree_for_homepage(homepage_url).all_sitemaps()
    return {urlsplit(sitemap.url).path: len(sitemap.pages) for sitemap in sitemaps}


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    print(json.dumps(read(sys.argv[1])))
