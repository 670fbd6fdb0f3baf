"""One measurement: a fresh process reads its documents once and prints what that cost as JSON."""

import argparse
import json
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

Loaded = TypeVar("Loaded")


def memory(field: str) -> int:
    """A figure of this process in KiB: VmRSS is what it has, VmHWM the most it ever had."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1])
    raise LookupError(field)


def forget_earlier_peak() -> None:
    """Loading the documents may have needed more than reading them does."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def arguments() -> Sequence[Path]:
    parser = argparse.ArgumentParser()
    parser.add_argument("documents", nargs="+", type=Path)
    paths: list[Path] = parser.parse_args().documents
    return paths


def measure(load: Callable[[Path], Loaded], read: Callable[[Loaded], int]) -> None:
    """Load every document, then measure the reading alone; ``read`` returns how many URLs it was given.

    Seconds are those of the processor: nothing is waited for, and other work on the machine does not count.
    """
    loaded: Iterable[Loaded] = [load(path) for path in arguments()]
    forget_earlier_peak()
    before = memory("VmRSS")
    start = time.process_time()
    urls = sum(read(document) for document in loaded)
    seconds = time.process_time() - start
    print(json.dumps({"seconds": seconds, "urls": urls, "growth_kib": memory("VmHWM") - before}))


def load_bytes(path: Path) -> bytes:
    return path.read_bytes()


def load_text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def load_nothing(path: Path) -> Path:
    return path
