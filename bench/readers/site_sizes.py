"""The tree of a site and the lengths of its sitemaps, without making any page."""

import json
import sys

from usp.tree import sitemap_tree_for_homepage


def read(homepage_url: str) -> int:
    return sum(len(sitemap.pages) for sitemap in sitemap_tree_for_homepage(homepage_url).all_sitemaps())


if __name__ == "__main__":
    print(json.dumps({"urls": read(sys.argv[1])}))
