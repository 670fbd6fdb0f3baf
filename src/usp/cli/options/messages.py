"""The options that say what goes to stderr; see ``usp.cli.logs`` and ``usp.cli.progress``."""

from argparse import ArgumentParser


def add_message_options(parser: ArgumentParser, *, progress: bool) -> None:
    """Add the options for messages; ``progress`` if the command shows any."""
    group = parser.add_argument_group("messages")
    if progress:
        group.add_argument(
            "--progress", action="store_true", help="show progress and a summary, also where stderr is no terminal"
        )
    group.add_argument("-v", "--verbose", action="count", default=0, help="say what happens; -vv: all, and tracebacks")
    group.add_argument("-l", "--log-file", metavar="FILE", help="write the log to this file, not to stderr")
    group.add_argument("--quiet", action="store_true", help="say nothing on stderr but why nothing can be had")
