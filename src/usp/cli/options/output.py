"""The options that say how pages are written, and where to; see ``usp.cli.target``."""

from argparse import ArgumentParser

from usp.cli.values import whole
from usp.outputs import FIELDS, OUTPUTS


def add_output_options(parser: ArgumentParser) -> None:
    """Add the options for formats and files."""
    group = parser.add_argument_group("output")
    formats = "\n".join(f"{output.name}: {output.sentence}" for output in OUTPUTS)
    group.add_argument(
        "-f", "--format", choices=[output.name for output in OUTPUTS], default="tabtree", metavar="FORMAT",
        help=f"one of these (default: tabtree)\n{formats}",
    )  # fmt: skip
    group.add_argument("-o", "--output", metavar="FILE", help="write to this file")
    group.add_argument(
        "-u",
        "--strip-url",
        action="store_true",
        help="strip the URL given from the front of all others (tabtree, pages)",
    )
    group.add_argument("--depth", type=whole(0), metavar="N", help="draw N levels of the tree (tree)")
    group.add_argument("--pages", type=whole(0), metavar="N", help="draw the first N pages of each sitemap (tree)")
    group.add_argument(
        "--fields", type=lambda words: [name.strip() for name in words.split(",")], metavar="NAME,NAME",
        help=f"what to write of each page (json, jsonl, csv, parquet): {', '.join(field.name for field in FIELDS)}",
    )  # fmt: skip
