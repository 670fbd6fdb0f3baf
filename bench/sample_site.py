"""What readers find on the sample site that comes with USP: not how fast, but how much."""

from collections.abc import Sequence

from bench.processes import OWN_PYTHON, RIVAL_PYTHON, Reader, run_reader
from bench.tables import print_table
from usp.demo.server import site_up
from usp.demo.site import SECTIONS

READERS = (
    Reader("USP", OWN_PYTHON, "sitemap_pages"),
    Reader("ultimate-sitemap-parser", RIVAL_PYTHON, "sitemap_pages"),
    Reader("Scrapy", RIVAL_PYTHON, "scrapy_sitemap_pages"),
)
NAMES = ["sample site"]


def measure(names: Sequence[str], _runs: int, _divisor: int) -> None:
    """Print how many pages each reader finds in each sitemap; once, for it is the same every time."""
    if not names:
        return
    found = []
    for reader in READERS:
        with site_up() as site:  # a fresh one: it is busy at first
            found.append(run_reader(reader, site.url).figures())
    rows = [["sample site", *(reader.name for reader in READERS)]]
    for path in (path for exhibits in SECTIONS.values() for path in exhibits):
        counts = [pages.get(path, 0) for pages in found]
        if any(counts):
            rows.append([path, *map(str, counts)])
    rows.append(["all", *(str(sum(pages.values())) for pages in found)])
    print_table(rows, left=1)
