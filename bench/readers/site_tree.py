"""The tree of a site, then three properties of every page: USP and ultimate-sitemap-parser share this interface."""

import json
import sys

from usp.tree import sitemap_tree_for_homepage


def read(homepage_url: str) -> int:
    urls = 0
    for page in sitemap_tree_for_homepage(homepage_url).all_pages():
        _ = page.url, page.last_modified, page.priority
        urls += 1
    return urls


if __name__ == "__main__":
    print(json.dumps({"urls": read(sys.argv[1])}))
