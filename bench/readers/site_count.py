"""The tree of a site, and the number of its pages, each of them made."""

import json
import sys

from usp.tree import sitemap_tree_for_homepage

print(json.dumps({"urls": sum(1 for _ in sitemap_tree_for_homepage(sys.argv[1]).all_pages())}))
