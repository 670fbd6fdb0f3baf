"""The command line.

Laws: stdout carries data only; progress, summary and faults go to stderr. Exit status: 0 fine; 1 nothing usable (or a
fault of our own); 2 the command cannot be run as it was given; 3 losses, under ``--strict``; 130 after Ctrl-C. What was
written by then is whole. No traceback without ``-vv``. Nothing is imported before it is needed: ``usp --help`` costs
little more than Python itself.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from usp.cli.status import FAILED, FINE, INTERRUPTED, USAGE
from usp.exceptions import InvalidOptionException, SitemapException


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; gives its exit status."""
    argv = sys.argv[1:] if argv is None else argv
    name, is_verbose = "usp", False
    _stand_in_for_closed_streams()
    try:
        if sys.stdout is None:
            raise InvalidOptionException("the standard output is closed; to do without it: > /dev/null")
        from usp.cli.parser import parser_for  # here, where Ctrl-C is heard

        options = parser_for(argv).parse_args(argv)
        name, is_verbose = f"usp {options.command}", getattr(options, "verbose", 0) > 1
        status: int = options.run(options)
        sys.stdout.flush()
    except SystemExit as end:  # argparse has said what it is about
        return end.code if isinstance(end.code, int) else USAGE
    except BrokenPipeError:
        return _reader_is_gone()
    except KeyboardInterrupt:
        return INTERRUPTED
    except (SitemapException, OSError) as error:
        print(f"{name}: error: {_in_words(error)}", file=sys.stderr)
        return USAGE
    except Exception as error:
        return _fault_of_our_own(name, error, traceback=is_verbose)
    return status


def _stand_in_for_closed_streams() -> None:
    """Who closed stdin (``<&-``) gives nothing, who closed stderr wants to hear nothing; Python has None for them."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115 - as long as the process
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115


def _in_words(error: Exception) -> str:
    """An error of the system without its number, and with the file first."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def _reader_is_gone() -> int:
    """``| head`` has seen enough, and that is fine; the interpreter must not flush into the closed pipe."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FINE


def _fault_of_our_own(name: str, error: Exception, *, traceback: bool) -> int:
    if traceback:
        from traceback import print_exc

        print_exc()
    print(f"{name}: a fault of USP itself: {type(error).__name__}: {error}", file=sys.stderr)
    if not traceback:
        print(f"{name}: please report it with what -vv shows", file=sys.stderr)
    return FAILED
