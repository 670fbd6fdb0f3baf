"""Follow the sitemaps that matter only: what a callback leaves out is neither fetched nor in the tree.

python examples/filter_sitemaps.py https://example.com/ news
"""

import sys

from usp.tree import sitemap_tree_for_homepage


def main(homepage: str, word: str) -> None:
    def newest_first(urls: list[str], recursion_level: int, parent_urls: set[str]) -> list[str]:
        """Sees all sitemaps that one index declares, and may order them anew."""
        return sorted(urls, reverse=True)

    def wanted(url: str, recursion_level: int, parent_urls: set[str]) -> bool:
        """Sees them one by one; entries of robots.txt have level 0."""
        return recursion_level == 0 or word in url

    tree = sitemap_tree_for_homepage(homepage, recurse_list_callback=newest_first, recurse_callback=wanted)
    for attempt in tree.attempts:
        print(f"{attempt.outcome:11} {attempt.url}")


if __name__ == "__main__":
    main(*sys.argv[1:])
