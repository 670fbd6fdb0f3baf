"""Put a sample site up on this machine, crawl it for real, and show what was found and what was wrong.

Examples:
  usp demo                        every kind of sitemap, and everything that goes wrong in the wild
  usp demo --serve                keep the site up afterwards, to try commands and programs on
  usp demo --serve --port 8000    the same, where you expect it
"""

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from usp.cli.listing import Listing
from usp.cli.logs import logs
from usp.cli.options.messages import add_message_options
from usp.cli.parser import parser_for
from usp.cli.status import FINE
from usp.cli.summary import REMEDIES
from usp.cli.values import whole
from usp.demo.server import LOOPBACK, SiteServer, site_up
from usp.exceptions import InvalidOptionException
from usp.objects.sitemap import AbstractSitemap, InvalidSitemap
from usp.outputs.problems import write_problems
from usp.outputs.text import words_on_a_line
from usp.parsing import value_problems
from usp.problems import Outcome

HIGHEST_PORT = 65535


def add_options(parser: ArgumentParser) -> None:
    """Add all options of this command."""
    parser.add_argument("--serve", action="store_true", help="then keep the site up, until Ctrl-C")
    parser.add_argument("--port", type=_port, default=0, metavar="N", help="the port of the site (default: a free one)")
    add_message_options(parser, progress=False)


def run(options: Namespace) -> int:
    """Serve, crawl, and show."""
    with _up(options.port) as site:
        _say(options, f"A sample site is up at {site.url}, on this machine only.", f"$ usp ls {site.url} -f tree", "")
        status = _crawl(options, site)
        if options.serve:
            with suppress(KeyboardInterrupt):
                _say(options, "", f"The site stays up at {site.url} until Ctrl-C. Try: usp ls {site.url} -f csv")
                site.ending.wait()
    return status


def _port(words: str) -> int:
    number = whole(0)(words)
    if number > HIGHEST_PORT:
        raise ArgumentTypeError(f"{words!r} is no port: the highest is {HIGHEST_PORT}")
    return number


@contextmanager
def _up(port: int) -> Iterator[SiteServer]:
    with ExitStack() as stack:
        try:
            site = stack.enter_context(site_up(port))
        except OSError as error:
            raise InvalidOptionException(f"port {port} is not to be had: {error.strerror}") from error
        stack.enter_context(_reached_directly())
        yield site


@contextmanager
def _reached_directly() -> Iterator[None]:
    """No proxy of the environment is asked for the site: it could not get here."""
    before = os.environ.get("no_proxy")
    os.environ["no_proxy"] = ",".join(filter(None, (before or os.environ.get("NO_PROXY"), LOOPBACK)))
    try:
        yield
    finally:
        if before is None:
            del os.environ["no_proxy"]
        else:
            os.environ["no_proxy"] = before


def _crawl(options: Namespace, site: SiteServer) -> int:
    """What ``usp ls`` does, and then the problems of every sitemap, as ``usp parse --problems`` shows them."""
    shown = parser_for(["ls"]).parse_args(["ls", site.url, "-f", "tree", "--progress"])
    shown.verbose, shown.quiet, shown.log_file = options.verbose, options.quiet, options.log_file
    with logs(shown):
        listing = Listing(shown, site.url)
        status = listing.run()
    if status == FINE:
        _say(options, "", "What is wrong, and what to do about it:")
        for sitemap in listing.tree.all_sitemaps():
            _show_problems(sitemap)
    return status


def _show_problems(sitemap: AbstractSitemap) -> None:
    values = [*value_problems(sitemap)]
    if sitemap.problems or values:
        print(f"\n{words_on_a_line(sitemap.url)}", flush=True)
        encoding = sys.stdout.encoding if sys.stdout.isatty() else "utf-8"
        write_problems(sitemap, values, sys.stdout.buffer, encoding=encoding)
    elif isinstance(sitemap, InvalidSitemap):
        print(f"\n{words_on_a_line(sitemap.url)}\n{sitemap.outcome}: {words_on_a_line(sitemap.reason)}")
        if sitemap.outcome is Outcome.BLOCKED:
            print(f"  remedy: {REMEDIES[sitemap.outcome]}")


def _say(options: Namespace, *lines: str) -> None:
    if not options.quiet:
        sys.stdout.flush()
        print(*lines, sep="\n", file=sys.stderr)
