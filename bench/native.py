"""Measures what the compiled reader is for: speed beside Python and ultimate-sitemap-parser, threads, memory."""

import gzip
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bench.documents import Cost, interleaved, measured
from bench.inputs import INPUTS, MIB, Written, write, write_large
from bench.processes import OWN_PYTHON, RIVAL_PYTHON, ROOT, Reader
from bench.tables import print_table
from usp.compiled import SWITCH, native_reader

NAMES = ["native"]

COMPILED = Reader("compiled", OWN_PYTHON, "sitemap_from_str")
BLOCKS = Reader("compiled, blocks alone", OWN_PYTHON, "native_blocks")
PYTHON = Reader("Python", OWN_PYTHON, "sitemap_from_str", {SWITCH: "0"})
RIVAL = Reader("ultimate-sitemap-parser", RIVAL_PYTHON, "sitemap_from_str")

AT_LEAST = {"plain": (30, 45), "hreflang": (20, 30), "images": (20, 30), "news": (20, 30)}
"""How many times faster than ultimate-sitemap-parser pages are to be read, and what is aimed at."""

BLOCKS_AT_LEAST = {"plain": (55, 90)}

THREADS_AT_LEAST = 1.7
BESIDE_BLOCKS_MIB = 8


class Speed(NamedTuple):
    """One line of the table of speed."""

    name: str
    reader: str
    faster: float
    urls_a_second: float
    wanted: tuple[int, int] | None

    def row(self) -> list[str]:
        wanted = list(map(str, self.wanted)) if self.wanted else ["", ""]
        return [self.name, self.reader, f"{self.urls_a_second:,.0f}", f"{self.faster:.1f}", *wanted]


def speeds(folder: Path, runs: int, divisor: int) -> list[Speed]:
    """Every input that has a target, read by every reader in turn."""
    found = []
    for wanted in (one for one in INPUTS if one.name in AT_LEAST):
        print(f"reading: {wanted.name}", file=sys.stderr)
        written = write(wanted, folder, divisor)
        costs = interleaved((COMPILED, BLOCKS, PYTHON, RIVAL), written, runs)
        for reader, targets in ((COMPILED, AT_LEAST), (BLOCKS, BLOCKS_AT_LEAST), (PYTHON, {})):
            seconds = median(cost.seconds for cost in costs[reader.name])
            faster = _faster(costs[reader.name], costs[RIVAL.name])
            found.append(Speed(wanted.name, reader.name, faster, written.entries / seconds, targets.get(wanted.name)))
    return found


def _faster(ours: Sequence[Cost], theirs: Sequence[Cost]) -> float:
    return median(their.seconds / our.seconds for our, their in zip(ours, theirs, strict=True))


def threads(written: Written, runs: int) -> float:
    """How many times more two threads read than one does in the same time."""
    reader = Reader("threads", OWN_PYTHON, "native_threads")
    return median(measured(reader, written).seconds for _ in range(runs))


def growth(folder: Path, runs: int, divisor: int) -> tuple[Written, float]:
    """A compressed document of 50 MB, and by how many MiB reading it grows the process."""
    large = write_large(folder, 50 * 10**6 // divisor)
    path = folder / "large.xml.gz"
    path.write_bytes(gzip.compress(large.paths[0].read_bytes()))
    written = Written("large", large.entries, path.stat().st_size, [path])
    reader = Reader("blocks", OWN_PYTHON, "native_growth")
    return written, median(measured(reader, written).growth_kib for _ in range(runs)) * 1024 / MIB


def bare_loops(paths: Sequence[Path]) -> None:
    """quick-xml's bare event loop over the same bytes, by the crate's own benchmark."""
    cargo = shutil.which("cargo")
    if cargo is None:
        print("Without cargo there is no bare loop of quick-xml to compare with.")
        return
    command = [cargo, "bench", "--quiet", "--no-default-features", "--bench", "loops", "--", *map(str, paths)]
    subprocess.run(command, cwd=ROOT / "native", check=True)


def measure(names: Sequence[str], runs: int, divisor: int) -> None:
    """Print a table of speed, and what threads, memory and quick-xml's bare loop come to."""
    if not names:
        return
    if native_reader() is None:
        print("The compiled reader is not installed: there is nothing to measure of it.")
        return
    with TemporaryDirectory() as name:
        folder = Path(name)
        rows = [["input", "read by", "URLs/s", "faster", "at least", "aim"]]
        print_table([*rows, *(speed.row() for speed in speeds(folder, runs, divisor))], left=2)
        plain = write(INPUTS[0], folder, divisor)
        print(f"Two threads read {threads(plain, runs):.2f} times as much as one: at least {THREADS_AT_LEAST}.")
        written, mebibytes = growth(folder, runs, divisor)
        print(
            f"{written.entries:,} URLs in {written.size / 1e6:.1f} MB of gzip grow the process by {mebibytes:.1f} MiB "
            f"beside their blocks: at most {BESIDE_BLOCKS_MIB}."
        )
        bare_loops([folder / f"{name}-0.xml" for name in AT_LEAST])
