"""What is logged while a command runs: nothing, what happens (``-v``), or all (``-vv``); on stderr, or in a file."""

import logging
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager

from usp.outputs.text import words_on_a_line

_LEVELS = (logging.WARNING, logging.INFO, logging.DEBUG)


@contextmanager
def logs(options: Namespace) -> Iterator[None]:
    """Log as the options say, while this lasts."""
    logger = logging.getLogger("usp")
    handler: logging.Handler
    if options.log_file is not None:
        handler = logging.FileHandler(options.log_file, encoding="utf-8", errors="backslashreplace")
    elif options.verbose and not options.quiet:
        handler = logging.StreamHandler(sys.stderr)
    else:
        handler = logging.NullHandler()  # what would be warned of is said at the end
    handler.setFormatter(_OneLine("%(asctime)s %(levelname)-7s %(message)s"))
    level, propagate = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel(_LEVELS[min(options.verbose, 2)])
    logger.propagate = False
    try:
        yield
        _count_declines(logger)
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
        logger.propagate = propagate
        handler.close()


def _count_declines(logger: logging.Logger) -> None:
    if not logger.isEnabledFor(logging.DEBUG):
        return
    from usp.compiled import native_reader

    if (native := native_reader()) is not None:
        reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(native.declines.items()))
        logger.debug(
            "The compiled reader has read %d documents and declined these: %s", native.accepted, reasons or "none"
        )


class _OneLine(logging.Formatter):
    """What a site says can neither forge a line of the log nor reach the terminal as an escape sequence."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name is logging's
        return words_on_a_line(super().formatMessage(record))
