"""The options that choose among pages; see ``usp.cli.selection``."""

from argparse import ArgumentParser

from usp.cli.values import moment, pattern, whole


def add_selection_options(parser: ArgumentParser) -> None:
    """Add the options that choose among pages."""
    group = parser.add_argument_group(
        "selection",
        "PATTERN is a glob of the whole URL ('*/blog/*'), of its path if it begins with a slash ('/blog/*'), or a "
        "regular expression to be found in it ('re:/20(23|24)/'). DATE is 2024-06-01, or 7d for so many days ago.",
    )
    for option, sentence in (
        ("--since", "pages changed then or later, as far as the site dates them"),
        ("--until", "pages changed then or before, as far as the site dates them"),
    ):
        group.add_argument(option, type=moment, metavar="DATE", help=sentence)
    for option, sentence in (
        ("--include", "pages whose URL matches; can be repeated: one match is enough"),
        ("--exclude", "no pages whose URL matches; can be repeated"),
    ):
        group.add_argument(option, type=pattern, action="append", default=[], metavar="PATTERN", help=sentence)
    group.add_argument("--unique", action="store_true", help="each URL once, though several sitemaps list it")
    group.add_argument("--limit", type=whole(1), metavar="N", help="the first N pages; then nothing more is fetched")
