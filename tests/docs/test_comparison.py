"""The comparison says of USP what is true; the columns of others come from `make bench`."""

import re
from urllib.parse import urlsplit

import usp
from tests.docs.blocks import ROOT
from tests.docs.museum import museum
from usp.crawl.sources.known_paths import KNOWN_PATHS

PAGE = (ROOT / "docs" / "explanation" / "comparison.md").read_text(encoding="utf-8")


def test_what_usp_finds_on_the_sample_site_is_what_the_comparison_says() -> None:
    tree = usp.sitemap_tree_for_homepage("https://www.example.com/", fetcher=museum())
    found = {urlsplit(sitemap.url).path: len(sitemap.pages) for sitemap in tree.all_sitemaps() if sitemap.pages}
    said = {path: int(count) for path, count in re.findall(r"^\| `(/.+?)` \| .+? \| (\d+) \|", PAGE, re.MULTILINE)}
    assert said == found
    assert f"| all | | {sum(found.values())} |" in PAGE
    assert f"and so {len([*tree.all_pages()])} in all" in PAGE


def test_the_readme_says_the_same() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (all_of_them,) = re.findall(r"^\| all \| \| (\d+) \| (\d+) \| (\d+) \|$", PAGE, re.MULTILINE)
    row = r"^\| pages found, each sitemap once \| (\d+) \| (\d+)\b.* \| (\d+) \|$"
    (in_readme,) = re.findall(row, readme, re.MULTILINE)
    assert in_readme == all_of_them
    assert f"{len(KNOWN_PATHS)} usual places" in readme
