"""``usp --version``: what works here, in which version."""

import os
import platform
import sys
from collections.abc import Iterator
from contextlib import suppress

from usp import __version__
from usp.compiled import reader_in_use

PACKAGES = ("aiohttp", "msgspec", "brotli", "backports_zstd", "rich", "requests", "pyarrow", "pandas")
"""As the folders are called that hold what is known of them."""


def versions() -> str:
    """One line of ours, one of Python's, one of the packages that are used."""
    installed = dict(reversed([*_installed()]))  # of several, the first on the path is the one that is imported
    found = ", ".join(f"{name} {installed[name]}" for name in PACKAGES if name in installed)
    return f"usp {__version__} (reader: {reader_in_use()})\nPython {platform.python_version()}\n{found}"


def _installed() -> Iterator[tuple[str, str]]:
    """Every package and its version, as the names of folders say it: ``importlib.metadata`` takes 25 ms more."""
    for folder in sys.path:
        with suppress(OSError):  # a path may be missing, or be no folder
            for entry in os.listdir(folder or "."):  # noqa: PTH208 - pathlib costs more than this
                name, _, rest = entry.partition("-")
                version, is_one, _ = rest.partition(".dist-info")
                if is_one:
                    yield name.lower(), version
