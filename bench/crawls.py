"""Measures crawls of sites that a second process serves on loopback; see ``bench.site`` and ``bench.server``."""

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bench.processes import OWN_PYTHON, RIVAL_PYTHON, Finished, Reader, run, run_reader
from bench.server import serving
from bench.site import broadcaster, many_small
from bench.tables import print_table
from usp.compiled import native_reader

SITE_PAGES = 520_000
LARGE_SITE_PAGES = 2_600_000
SMALL_SITEMAPS = 2_000
PAGES_OF_A_SMALL_SITEMAP = 10

LATENCIES = {0.1: (6.0, 10.0), 0.0: (3.5, 8.0)}
"""Seconds before each answer, and how many times faster than ultimate-sitemap-parser USP is to be: with Python alone,
and with the compiled reader."""

ROUND_TRIP = 1.0
"""The latency at which round trips are counted: long, so that what else the processor does hardly counts."""

IMPORTS = 10
"""Starts of Python with and without USP for one measurement: each takes a few hundredths of a second."""

USP = Reader("USP", OWN_PYTHON, "site_tree")
RIVAL = Reader("ultimate-sitemap-parser", RIVAL_PYTHON, "site_tree")


class Promise(NamedTuple):
    """What was measured, and what it must not exceed."""

    name: str
    measured: float
    at_most: float
    unit: str

    def row(self) -> list[str]:
        """The line of the table."""
        return [self.name, f"{self.measured:.2f}", f"{self.at_most:g}", self.unit]


def compare_site(folder: Path, runs: int, divisor: int) -> None:
    """Whole processes, from start to end, that build the tree of a site and read all its pages."""
    broadcaster(folder, SITE_PAGES // divisor)
    rows = [["site", "reader", "URLs", "seconds", "CPU seconds", "USP faster", "at least", "less CPU"]]
    for latency, targets in LATENCIES.items():
        at_least = targets[native_reader() is not None]
        ours, theirs = [], []
        with serving(folder, latency) as site:
            for _ in range(runs):
                ours.append(run_reader(USP, site))
                theirs.append(run_reader(RIVAL, site))
        faster = _median_ratio(ours, theirs, lambda finished: finished.seconds)
        less = _median_ratio(ours, theirs, lambda finished: finished.cpu_seconds)
        rows.append([f"{latency * 1000:.0f} ms", *_costs(USP, ours), "", "", ""])
        rows.append(["", *_costs(RIVAL, theirs), f"{faster:.2f}", f"{at_least}", f"{less:.2f}"])
    print_table(rows, left=2)


def _median_ratio(ours: Sequence[Finished], theirs: Sequence[Finished], cost: Callable[[Finished], float]) -> float:
    return median(cost(their) / cost(our) for our, their in zip(ours, theirs, strict=True))


def _costs(reader: Reader, finished: Sequence[Finished]) -> list[str]:
    seconds = median(one.seconds for one in finished)
    cpu_seconds = median(one.cpu_seconds for one in finished)
    return [reader.name, f"{finished[0].figures()['urls']:,}", f"{seconds:.2f}", f"{cpu_seconds:.2f}"]


def large_site(folder: Path, runs: int, divisor: int) -> Iterator[Promise]:
    """Memory: all that the process has in RAM at its peak or at rest, the interpreter and what is imported included."""
    broadcaster(folder, LARGE_SITE_PAGES // divisor)
    with serving(folder, 0) as site:
        reader = Reader("USP", OWN_PYTHON, "site_memory")
        figures = [run_reader(reader, site).figures() for _ in range(runs)]

    def figure(name: str, unit: int) -> float:
        return median(float(one[name]) for one in figures) / unit

    name = f"{figures[0]['urls']:,} URLs"
    yield Promise(f"{name}: peak while fetching", figure("fetching_kib", 1024), 120, "MiB")
    yield Promise(f"{name}: at rest", figure("at_rest_kib", 1024), 80, "MiB")
    yield Promise(f"{name}: peak while reading all pages", figure("reading_kib", 1024), 80, "MiB")
    yield Promise(f"{name}: temporary file", figure("file_bytes", 10**6), 120, "MB")


def first_page(folder: Path, runs: int, divisor: int) -> Iterator[Promise]:
    """How many answers, one after the other, could have come until ``stream_pages`` gives the first page."""
    broadcaster(folder, SITE_PAGES // divisor)
    with serving(folder, ROUND_TRIP) as site:
        reader = Reader("USP", OWN_PYTHON, "first_page")
        seconds = median(run_reader(reader, site).figures()["seconds"] for _ in range(runs))
    yield Promise("first page of a stream", seconds / ROUND_TRIP, 4, "round trips")


def small_sitemaps(folder: Path, runs: int, divisor: int) -> Iterator[Promise]:
    """CPU of a whole process that crawls small sitemaps, less that of one that parses their files."""
    sitemaps = SMALL_SITEMAPS // divisor
    many_small(folder, sitemaps, PAGES_OF_A_SMALL_SITEMAP)
    crawling = Reader("crawling", OWN_PYTHON, "site_sizes")
    parsing = Reader("parsing", OWN_PYTHON, "parse_folder")
    with serving(folder, 0) as site:
        more = [
            run_reader(crawling, site).cpu_seconds - run_reader(parsing, folder).cpu_seconds
            for _ in range(max(runs, 3))
        ]
    yield Promise(f"CPU to fetch each of {sitemaps:,} small sitemaps", median(more) * 1000 / sitemaps, 0.5, "ms")


def importing(_folder: Path, runs: int, _divisor: int) -> Iterator[Promise]:
    """How much longer Python runs when it imports USP."""
    statement = "import sys, usp; sys.exit('aiohttp' in sys.modules or 'requests' in sys.modules)"
    more = [
        run([OWN_PYTHON, "-c", statement]).seconds - run([OWN_PYTHON, "-c", "pass"]).seconds
        for _ in range(runs * IMPORTS)
    ]
    yield Promise("import usp, without any HTTP client", median(more) * 1000, 40, "ms")


PROMISES = {
    "large site": large_site,
    "first page": first_page,
    "small sitemaps": small_sitemaps,
    "import": importing,
}
NAMES = ["site", *PROMISES]


def measure(names: Sequence[str], runs: int, divisor: int) -> None:
    """Measure the crawls of these names; prints one table of ratios and one of promises."""
    rows = [["crawl", "measured", "at most", ""]]
    for name in names:
        print(f"crawling: {name}", file=sys.stderr)
        with TemporaryDirectory() as folder:
            if name == "site":
                compare_site(Path(folder), runs, divisor)
                continue
            rows.extend(promise.row() for promise in PROMISES[name](Path(folder), runs, divisor))
    if len(rows) > 1:
        print_table(rows, left=1)
