"""Read one document that a site calls a sitemap: a file, stdin (-), or what is at a URL. Nothing else is fetched.

Examples:
  usp parse sitemap.xml.gz -f pages               the URLs of its pages
  usp parse sitemap.xml --problems                what is wrong with it, where, and what to do about it
  curl https://example.com/feed | usp parse - -f jsonl
"""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from usp.cli.logs import logs
from usp.cli.options.messages import add_message_options
from usp.cli.options.network import add_network_options, crawl_options, limits_of
from usp.cli.options.output import add_output_options
from usp.cli.options.selection import add_selection_options
from usp.cli.selection import Selection
from usp.cli.status import FAILED, FINE, LOSSES
from usp.cli.target import Target, layout_of, output_of
from usp.cli.verdict import has_losses
from usp.crawl.sources import Role, Seed
from usp.exceptions import InvalidOptionException
from usp.objects.sitemap import AbstractIndexSitemap, AbstractPagesSitemap, AbstractSitemap, InvalidSitemap
from usp.outputs.problems import write_problems
from usp.outputs.text import words_on_a_line
from usp.parsing import NOT_FETCHED, parse, value_problems
from usp.problems import CATALOGUE, Outcome, Severity
from usp.values.urls import is_http_url

STDIN = "-"


def add_options(parser: ArgumentParser) -> None:
    """Add all options of this command."""
    parser.add_argument("source", metavar="FILE", help="a file, - for stdin, or a URL")
    parser.add_argument("--url", metavar="URL", help="the URL of the document in a file: relative ones begin there")
    parser.add_argument("--problems", action="store_true", help="list what is wrong with the document, not its pages")
    parser.add_argument("--strict", action="store_true", help="exit with status 3 if something of it was lost")
    add_output_options(parser)
    add_selection_options(parser)
    add_network_options(parser)
    add_message_options(parser, progress=False)
    parser.set_defaults(sitemaps=[])


def run(options: Namespace) -> int:
    """Read the document, and write what was asked for."""
    output = output_of(options)
    layout = layout_of(options, output, options.url or options.source)
    with logs(options), Target(options) as target:
        sitemap = _read(options)
        if options.problems:
            write_problems(sitemap, value_problems(sitemap), target, encoding=layout.get("encoding", "utf-8"))
        elif not isinstance(sitemap, InvalidSitemap) or not output.streams:
            Selection(options).prune(sitemap)
            output.write(sitemap, target, **layout)
    if isinstance(sitemap, InvalidSitemap):
        reason = words_on_a_line(f"{options.source} is no sitemap that can be read: {sitemap.reason}")
        print(f"usp parse: {reason.rstrip('.')}. {_remedy(sitemap)}", file=sys.stderr)
        return FAILED
    return LOSSES if options.strict and has_losses(sitemap) else FINE


def _remedy(sitemap: InvalidSitemap) -> str:
    """What to do about it: what would make of the document a sitemap, or an answer of the server."""
    for code in sitemap.problems.counts:
        if CATALOGUE[code].severity is Severity.FATAL:
            return CATALOGUE[code].remedy
    from usp.cli.summary import REMEDIES  # not for files: it takes all that can crawl

    return REMEDIES.get(sitemap.outcome or Outcome.ABSENT, "Check the address.")


def _read(options: Namespace) -> AbstractSitemap:
    source: str = options.source
    if is_http_url(source):
        if options.url:
            raise InvalidOptionException("--url is for files: what is fetched has its URL")
        return _fetched(source, options)
    if source == STDIN:
        return parse(sys.stdin.buffer, url=options.url, limits=limits_of(options))
    return parse(Path(source), url=options.url, limits=limits_of(options))


def _fetched(url: str, options: Namespace) -> AbstractSitemap:
    """The document at a URL, with what it declares as not fetched."""
    from usp.tree import sitemap_tree_for_homepage  # not for files: it takes all that can crawl

    crawl = crawl_options(options)
    tree = sitemap_tree_for_homepage(url, sources=[_OneDocument(url, crawl["limits"].depth)], **crawl)
    sitemap = tree.sub_sitemaps[0]
    if isinstance(sitemap, AbstractIndexSitemap | AbstractPagesSitemap):
        sitemap.sub_sitemaps = [
            InvalidSitemap(child.url, NOT_FETCHED, lastmod=child.lastmod) for child in sitemap.sub_sitemaps
        ]
    return sitemap


class _OneDocument(NamedTuple):
    """The source of a crawl that fetches one document: it is as deep already as the crawl may go."""

    url: str
    level: int

    def seeds(self, homepage_url: str) -> Iterable[Seed]:  # noqa: ARG002 - every source is asked so
        yield Seed(self.url, Role.DECLARED, self.level)
