"""Measures the reading of single documents, in memory or from files; see ``bench.inputs``."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bench.inputs import INPUTS, MIB, Input, Written, write, write_bomb, write_large
from bench.processes import OWN_PYTHON, RIVAL_PYTHON, Reader, run_reader
from bench.tables import print_table


class Cost(NamedTuple):
    """What reading cost: one measurement, or the medians of several."""

    seconds: float
    urls: int
    growth_kib: int


USP = Reader("USP", OWN_PYTHON, "sitemap_from_str")
RIVALS = (
    Reader("ultimate-sitemap-parser", RIVAL_PYTHON, "sitemap_from_str"),
    Reader("Scrapy", RIVAL_PYTHON, "scrapy_sitemap"),
)

MEMORY_READERS = (
    Reader("usp.parse(path)", OWN_PYTHON, "parse_path"),
    Reader("usp.parse(bytes)", OWN_PYTHON, "parse_bytes"),
    Reader("sitemap_from_str(text)", OWN_PYTHON, "sitemap_from_str"),
)
LARGE_GROWTH_MIB = 32
BOMB_GROWTH_MIB = 16


def measured(reader: Reader, written: Written) -> Cost:
    """One measurement in a fresh process."""
    return Cost(**run_reader(reader, *written.paths).figures())


def interleaved(readers: Sequence[Reader], written: Written, runs: int) -> dict[str, list[Cost]]:
    """Every reader in turn, again and again: what else the machine does falls on all alike."""
    costs: dict[str, list[Cost]] = {reader.name: [] for reader in readers}
    for _ in range(runs):
        for reader in readers:
            costs[reader.name].append(measured(reader, written))
    return costs


def medians(costs: Sequence[Cost]) -> Cost:
    return Cost(median(cost.seconds for cost in costs), costs[0].urls, int(median(cost.growth_kib for cost in costs)))


def figures(written: Written, cost: Cost) -> list[str]:
    """URLs/s, MB/s and MiB of one reader; an asterisk where it did not give every URL."""
    missing = "" if cost.urls == written.entries else "*"
    return [
        f"{written.entries / cost.seconds:,.0f}{missing}",
        f"{written.size / 1e6 / cost.seconds:.1f}",
        f"{cost.growth_kib / 1024:.1f}",
    ]


def ratios(ours: Sequence[Cost], theirs: Sequence[Cost]) -> list[str]:
    """How many times faster and smaller USP is: the median over the rounds, not the ratio of two medians."""
    faster = median(their.seconds / our.seconds for our, their in zip(ours, theirs, strict=True))
    smaller = median(their.growth_kib / max(our.growth_kib, 1) for our, their in zip(ours, theirs, strict=True))
    return [f"{faster:.2f}", f"{smaller:.2f}"]


def compare_readers(folder: Path, inputs: Sequence[Input], runs: int, divisor: int) -> None:
    rows = [["input", "reader", "URLs", "MB", "URLs/s", "MB/s", "MiB", "USP faster", "USP smaller"]]
    ours: dict[str, Sequence[Cost]] = {}
    for wanted in inputs:
        print(f"reading: {wanted.name}", file=sys.stderr)
        written = write(wanted, folder, divisor)
        costs = interleaved((USP, *RIVALS), written, runs)
        ours[wanted.name] = costs[USP.name]
        size = [f"{written.entries:,}", f"{written.size / 1e6:.1f}"]
        rows.append([written.name, USP.name, *size, *figures(written, medians(costs[USP.name])), "", ""])
        for rival in RIVALS:
            theirs = costs[rival.name]
            rows.append(["", rival.name, "", "", *figures(written, medians(theirs)), *ratios(costs[USP.name], theirs)])
    print_table(rows, left=2)
    if {"index", "small index"} <= ours.keys():
        each = median(
            large.seconds / small.seconds for large, small in zip(ours["index"], ours["small index"], strict=True)
        )
        print(f"An entry of the index costs USP {each:.2f} times what one of an index a tenth as long costs.")


def memory_cases(folder: Path, divisor: int) -> Iterator[tuple[Reader, Written, int]]:
    large = write_large(folder, 50 * 10**6 // divisor)
    for reader in MEMORY_READERS:
        yield reader, large, LARGE_GROWTH_MIB
    yield MEMORY_READERS[0], write_bomb(folder, 1024 * MIB // divisor), BOMB_GROWTH_MIB


def compare_memory(folder: Path, runs: int, divisor: int) -> None:
    rows = [["memory", "read by", "MB", "URLs", "seconds", "MiB", "at most"]]
    print("reading: memory", file=sys.stderr)
    for reader, written, bound in memory_cases(folder, divisor):
        cost = medians([measured(reader, written) for _ in range(runs)])
        size, growth = f"{written.size / 1e6:.1f}", f"{cost.growth_kib / 1024:.1f}"
        rows.append([written.name, reader.name, size, f"{cost.urls:,}", f"{cost.seconds:.2f}", growth, str(bound)])
    print_table(rows, left=2)


NAMES = [*(wanted.name for wanted in INPUTS), "memory"]


def measure(names: Sequence[str], runs: int, divisor: int) -> None:
    """Measure the inputs of these names; prints one table of ratios and one of memory."""
    with TemporaryDirectory() as folder:
        if inputs := [wanted for wanted in INPUTS if wanted.name in names]:
            compare_readers(Path(folder), inputs, runs, divisor)
        if "memory" in names:
            compare_memory(Path(folder), runs, divisor)
