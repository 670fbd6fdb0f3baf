"""Find all sitemaps of a site, read them, and list their pages.

Examples:
  usp ls example.com                              sitemaps and pages, nested with tabs
  usp ls example.com -f tree                      what sitemaps there are, and what is wrong with them
  usp ls example.com -f pages --since 7d          the URLs of what changed within a week
  usp ls example.com -f csv -o pages.csv          a table of all pages
  usp ls example.com --include '/blog/*' --limit 100 -f jsonl
"""

from argparse import ArgumentParser, Namespace

from usp.cli.options.messages import add_message_options
from usp.cli.options.network import add_network_options
from usp.cli.options.output import add_output_options
from usp.cli.options.selection import add_selection_options
from usp.cli.values import pattern


def add_options(parser: ArgumentParser) -> None:
    """Add all options of this command."""
    parser.add_argument("url", metavar="URL", help="the site; without a scheme https is tried, then http")
    parser.add_argument("-r", "--no-robots", action="store_true", help="do not look for sitemaps in robots.txt")
    parser.add_argument("-k", "--no-known", action="store_true", help="do not look for sitemaps in the usual places")
    parser.add_argument(
        "--sitemaps", type=pattern, action="append", default=[], metavar="PATTERN",
        help="pages of sitemaps whose URL matches, and of an index fetch only those; can be repeated",
    )  # fmt: skip
    parser.add_argument("--strict", action="store_true", help="exit with status 3 if pages may be missing")
    add_output_options(parser)
    add_selection_options(parser)
    add_network_options(parser)
    add_message_options(parser, progress=True)


def run(options: Namespace) -> int:
    """Crawl, and write what was asked for."""
    from usp.cli.listing import list_pages  # not for --help: it takes all that can crawl

    return list_pages(options)
