"""Runs readers: fresh processes, whose whole life is measured."""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
OWN_PYTHON = Path(sys.executable)
RIVAL_PYTHON = ROOT / ".bench" / "bin" / "python"


class Reader(NamedTuple):
    """Something that reads: a script of ``bench.readers``, in our environment or in that of the rivals."""

    name: str
    python: Path
    script: str
    environment: Mapping[str, str] = {}


class Finished(NamedTuple):
    """What a process printed, and what all of it cost, from its start to its end."""

    output: str
    seconds: float
    cpu_seconds: float

    def figures(self) -> dict[str, Any]:
        """What a reader measured of itself."""
        figures: dict[str, Any] = json.loads(self.output)
        return figures


def run(command: list[str | Path], environment: Mapping[str, str] | None = None) -> Finished:
    """Run one process, perhaps with more in its environment; its CPU is what it, and the system for it, spent."""
    cpu_before = _cpu_of_children()
    start = time.perf_counter()
    finished = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **(environment or {})}, capture_output=True, text=True, check=False
    )
    seconds = time.perf_counter() - start
    if finished.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} failed:\n{finished.stderr}")
    return Finished(finished.stdout, seconds, _cpu_of_children() - cpu_before)


def run_reader(reader: Reader, *arguments: str | Path) -> Finished:
    """Run a reader in a fresh process."""
    return run([reader.python, "-m", f"bench.readers.{reader.script}", *arguments], reader.environment)


def _cpu_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
