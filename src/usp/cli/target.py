"""How pages are written, and where to."""

import os
import sys
from argparse import Namespace
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from usp.exceptions import InvalidOptionException
from usp.outputs import OUTPUTS, Output

BINARY = frozenset({"parquet"})
"""Outputs that no terminal can show."""

_OPTIONS = {"strip_url": "-u", "depth": "--depth", "pages": "--pages", "fields": "--fields"}
"""The options of outputs, as they are called here."""


def output_of(options: Namespace) -> Output:
    """The output that is wanted."""
    return next(output for output in OUTPUTS if output.name == options.format)


def layout_of(options: Namespace, output: Output, url: str) -> dict[str, Any]:
    """What the output is told: the options given, and the encoding of the terminal it goes to."""
    given = {
        "strip_url": url if options.strip_url else None,
        "depth": options.depth,
        "pages": options.pages,
        "fields": options.fields,
    }
    layout = {name: value for name, value in given.items() if value is not None}
    for name in layout.keys() - set(output.options):
        takers = ", ".join(other.name for other in OUTPUTS if name in other.options)
        raise InvalidOptionException(f"{_OPTIONS[name]} has no meaning with -f {output.name}: it is for {takers}")
    if "encoding" in output.options and options.output is None and sys.stdout.isatty():
        layout["encoding"] = sys.stdout.encoding
    return layout


class Target:
    """Where data goes: stdout, or a file that is opened, and thereby emptied, only when something is written."""

    def __init__(self, options: Namespace) -> None:
        self._path: str | None = options.output
        self._file: BinaryIO | None = None
        self._is_dropped = False
        if self._path is not None:
            _check_can_be_written(Path(self._path))
        if options.format in BINARY:
            if self.is_terminal:
                raise InvalidOptionException(f"a terminal cannot show {options.format}: give -o FILE")
            # pyarrow's own allocator keeps 20 MiB for itself; it reads this when it is imported.
            os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")

    @property
    def is_terminal(self) -> bool:
        """Whether somebody looks at the data as it comes."""
        return self._path is None and sys.stdout.isatty()

    def drop(self) -> None:
        """Write nothing from here on: a table without pages must not replace a good one."""
        self._is_dropped = True

    def write(self, written: bytes) -> None:
        """Write bytes."""
        if not self._is_dropped:
            if self._file is None:
                self._file = sys.stdout.buffer if self._path is None else open(self._path, "wb")  # noqa: PTH123, SIM115
            self._file.write(written)

    def flush(self) -> None:
        """Let go of what is written."""
        if self._file is not None:
            self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None and self._path is not None:
            self._file.close()


def _check_can_be_written(path: Path) -> None:
    """Raise now for what would fail only when a long crawl is over."""
    if path.is_dir():
        raise InvalidOptionException(f"cannot write {path}: it is a folder")
    if not path.parent.is_dir():
        raise InvalidOptionException(f"cannot write {path}: there is no folder {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InvalidOptionException(f"cannot write {path}: permission denied")
