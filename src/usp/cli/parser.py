"""The commands, and the parser of what is given to them. A new command is a file here and a row of ``COMMANDS``."""

from argparse import SUPPRESS, Action, ArgumentParser, HelpFormatter, Namespace
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple, NoReturn

from usp.cli.status import USAGE


class Command(NamedTuple):
    """One command. Its module has ``add_options(parser)`` and ``run(options) -> status``; its docstring is the help."""

    name: str
    sentence: str
    module: str


COMMANDS = (
    Command("ls", "list the pages of a site", "usp.cli.ls"),
    Command("parse", "read one document that a site calls a sitemap", "usp.cli.parse"),
    Command("demo", "put a sample site up on this machine and crawl it", "usp.cli.demo"),
)


def parser_for(argv: Sequence[str] | None) -> ArgumentParser:
    """The parser for these arguments: of the commands, only the one that is used is loaded; all of them for None."""
    used = None if argv is None else next((word for word in argv if not word.startswith("-")), "")
    parser = _Parser(
        "usp",
        description="Find, fetch and read every sitemap of a web site.",
        epilog="`usp COMMAND --help` tells more about each.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the versions of what works here, and exit")
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS:
        added = commands.add_parser(command.name, help=command.sentence, formatter_class=_Help, allow_abbrev=False)
        if used in (None, command.name):
            module = import_module(command.module)
            added.description = module.__doc__
            module.add_options(added)
            added.set_defaults(run=module.run)
    return parser


class _Parser(ArgumentParser):
    """Says what a mistake is, and not before that, on a screen of its own, all that is none."""

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"{self.prog}: error: {message}\n`{self.prog} --help` shows what there is.\n")


class _Help(HelpFormatter):
    """Fills lines, but leaves those that begin with a blank (examples) and those of a list as they are."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        split = super()._split_lines
        return [line for part in text.splitlines() for line in split(part, width)]

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        fill = super()._fill_text
        parts = text.splitlines()
        return "\n".join(part if part.startswith(" ") else fill(part, width, indent) for part in parts)


class _Version(Action):
    """Shows the versions, which takes some imports, only when asked."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "dest": SUPPRESS})

    def __call__(self, parser: ArgumentParser, *_: Namespace | object) -> None:
        from usp.cli.version import versions

        print(versions())
        parser.exit()
