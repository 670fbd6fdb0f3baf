"""The page of the command line, from its parser."""

from argparse import SUPPRESS, Action, ArgumentParser
from collections.abc import Iterator
from textwrap import dedent

from usp.cli.parser import parser_for

INTRODUCTION = """\
<!-- Written by docs/generators/cli.py from the parser in usp.cli: change it there, then run `make docs`. -->

# The command line

Data go to the standard output; progress, summary and errors to the standard error channel, so that a pipe carries data
only.

| exit status | what it means |
|---|---|
| 0 | fine |
| 1 | nothing usable: unreachable, blocked, no sitemap |
| 2 | the command cannot be run as it was given |
| 3 | losses, under `--strict` |
| 130 | Ctrl-C; what was written is whole |

`usp --version` says which versions are at work.
"""


def page() -> str:
    """The whole page."""
    return INTRODUCTION + "".join(_command(name, parser) for name, parser in commands().items())


def commands() -> dict[str, ArgumentParser]:
    """The parser of every command, by its name."""
    (choices,) = (action.choices for action in parser_for(None)._actions if isinstance(action.choices, dict))
    return choices


def groups(parser: ArgumentParser) -> Iterator[tuple[str, str, list[Action]]]:
    """The arguments and options of a command, grouped as its help has them: heading, words about it, actions."""
    for group in parser._action_groups:
        shown = [action for action in group._group_actions if action.help != SUPPRESS and action.dest != "help"]
        if shown:
            yield group.title or "", group.description or "", shown


def _command(name: str, parser: ArgumentParser) -> str:
    parts = [f"\n## `usp {name}`\n\n{_about(parser)}"]
    for title, words, actions in groups(parser):
        parts.append(f"\n### {title[0].upper()}{title[1:]} of `usp {name}`\n")
        parts.append(f"\n{_escaped(words)}\n" if words else "")
        parts.append("\n| option | what it means |\n|---|---|\n")
        parts.extend(f"| `{_written(action)}` | {_said(action)} |\n" for action in actions)
    return "".join(parts)


def _about(parser: ArgumentParser) -> str:
    """What the command does, then its examples."""
    sentences, _, examples = (parser.description or "").strip().partition("\n\n")
    return f"{sentences}\n" + (f"\n```\n{dedent(examples)}\n```\n" if examples else "")


def _written(action: Action) -> str:
    """An option as it is given, with what it takes."""
    takes = f"{{{','.join(action.choices)}}}" if action.choices and not action.metavar else str(action.metavar or "")
    written = ", ".join(action.option_strings)
    return " ".join(filter(None, (written, takes if action.nargs != 0 else "")))


def _said(action: Action) -> str:
    return _escaped((action.help or "") % vars(action)).replace("\n", "<br>")


def _escaped(words: str) -> str:
    """Words that mean nothing to Markdown."""
    return words.replace("<", "&lt;").replace("*", "\\*").replace("|", "\\|")
