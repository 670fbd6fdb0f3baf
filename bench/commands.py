"""Measures the command line: what starting it costs, what writing pages costs, and in how much memory."""

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.crawls import IMPORTS, SITE_PAGES, Promise
from bench.processes import OWN_PYTHON, Reader, run, run_reader
from bench.server import serving
from bench.site import broadcaster
from bench.tables import print_table

TABLE_PAGES = 1_000_000
COUNTER = Reader("counting", OWN_PYTHON, "site_count")
MEMORY_READER = Reader("USP", OWN_PYTHON, "command_memory")


def starting(_folder: Path, runs: int, _divisor: int) -> Iterator[Promise]:
    """How much more CPU Python takes when it shows what the command line is."""
    for option in ("--version", "--help"):
        more = [
            run([OWN_PYTHON, "-m", "usp", option]).cpu_seconds - run([OWN_PYTHON, "-c", "pass"]).cpu_seconds
            for _ in range(runs * IMPORTS)
        ]
        yield Promise(f"usp {option}, more than Python", median(more) * 1000, 60, "ms of CPU")


def listing(folder: Path, runs: int, divisor: int) -> Iterator[Promise]:
    """CPU of the command that lists the pages of a site, against a program that counts them."""
    broadcaster(folder, SITE_PAGES // divisor)
    with serving(folder, 0) as site:
        command: list[str | Path] = [OWN_PYTHON, "-m", "usp", "ls", site, "-f", "pages", "-o", "/dev/null"]
        ratios = [run(command).cpu_seconds / run_reader(COUNTER, site).cpu_seconds for _ in range(runs)]
    yield Promise(
        f"usp ls -f pages of {SITE_PAGES // divisor:,} URLs, to counting", median(ratios), 1.3, "times the CPU"
    )


def writing(folder: Path, runs: int, divisor: int) -> Iterator[Promise]:
    """Memory: all that the process has in RAM at its peak, the interpreter and what is imported included."""
    pages = TABLE_PAGES // divisor
    broadcaster(folder, pages)
    with serving(folder, 0) as site:
        for name in ("jsonl", "csv", "parquet"):
            peaks = [run_reader(MEMORY_READER, "ls", site, "-f", name).figures()["peak_kib"] for _ in range(runs)]
            yield Promise(f"usp ls -f {name} of {pages:,} URLs, peak", median(peaks) / 1024, 150, "MiB")


PROMISES: dict[str, Callable[[Path, int, int], Iterator[Promise]]] = {
    "starting": starting,
    "listing": listing,
    "writing": writing,
}
NAMES = [*PROMISES]


def measure(names: Sequence[str], runs: int, divisor: int) -> None:
    """Measure the commands of these names; prints one table of promises."""
    rows = [["command", "measured", "at most", ""]]
    for name in names:
        print(f"commands: {name}", file=sys.stderr)
        with TemporaryDirectory() as folder:
            rows.extend(promise.row() for promise in PROMISES[name](Path(folder), runs, divisor))
    if len(rows) > 1:
        print_table(rows, left=1)
