"""Finds the compiled reader: where the environment and the installed modules decide whether there is one.

Law: what reads, and what warns, is imported when it is needed: ``usp --version`` only asks what there is.
"""

import importlib
import os
from functools import cache
from typing import TYPE_CHECKING, cast

from usp.handshake import Versions, fits

if TYPE_CHECKING:
    from usp.formats.native import Compiled, NativeReader

SWITCH = "USP_NATIVE"
"""The environment variable that switches the compiled reader off, by "0"."""


def native_reader() -> "NativeReader | None":
    """The compiled reader, or None where it is not installed, does not fit or is switched off."""
    return None if _is_switched_off() else _reader()


def reader_in_use() -> str:
    """What reads plain sitemaps, in a few words: for ``usp --version`` and the benchmark."""
    compiled = None if _is_switched_off() else _installed()
    return f"usp_native {compiled.__version__}" if compiled else "Python"


def _is_switched_off() -> bool:
    return os.environ.get(SWITCH) == "0"


@cache
def _reader() -> "NativeReader | None":
    from usp.formats.native import NativeReader

    compiled = _installed()
    return NativeReader(cast("Compiled", compiled)) if compiled else None


@cache
def _installed() -> Versions | None:
    try:
        compiled = cast("Versions", importlib.import_module("usp_native"))
    except ImportError:
        return None
    if not fits(compiled):
        import logging

        version = getattr(compiled, "__version__", "of no version")  # a mere folder of that name is a module, too
        logging.getLogger(__name__).warning(
            "usp_native %s is not the compiled reader of this version of usp, and is not used", version
        )
        return None
    return compiled
