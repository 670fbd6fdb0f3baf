"""``usp --version``: what works here, in which version."""

import platform
from importlib.metadata import PackageNotFoundError, version

from usp import __version__
from usp.compiled import reader_in_use

PACKAGES = ("aiohttp", "msgspec", "brotli", "backports.zstd", "rich", "requests", "pyarrow", "pandas")


def versions() -> str:
    """One line of ours, one of Python's, one of the packages that are used."""
    found = (f"{name} {installed}" for name in PACKAGES if (installed := _installed(name)))
    return f"usp {__version__} (reader: {reader_in_use()})\nPython {platform.python_version()}\n{', '.join(found)}"


def _installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
