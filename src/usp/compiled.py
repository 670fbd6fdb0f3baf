"""Finds the compiled reader: where the environment and the installed modules decide whether there is one."""

import importlib
import logging
import os
from functools import cache
from typing import cast

from usp.formats.native import Compiled, NativeReader, fits

logger = logging.getLogger(__name__)

SWITCH = "USP_NATIVE"
"""The environment variable that switches the compiled reader off, by "0"."""


def native_reader() -> NativeReader | None:
    """The compiled reader, or None where it is not installed, does not fit or is switched off."""
    return None if os.environ.get(SWITCH) == "0" else _installed()


def reader_in_use() -> str:
    """What reads plain sitemaps, in a few words: for ``usp --version`` and the benchmark."""
    native = native_reader()
    return native.name if native else "Python"


@cache
def _installed() -> NativeReader | None:
    try:
        compiled = cast("Compiled", importlib.import_module("usp_native"))
    except ImportError:
        return None
    if not fits(compiled):
        logger.warning(
            "usp_native %s is not the compiled reader of this version of usp, and is not used", compiled.__version__
        )
        return None
    return NativeReader(compiled)
