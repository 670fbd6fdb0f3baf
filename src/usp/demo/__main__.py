"""``python -m usp.demo [--serve]``: serves the sample site on loopback, crawls it for real, says what was found."""

import logging
import os
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from usp.demo.report import WIDTH, describe, printable, summary
from usp.demo.server import SiteServer, site_up
from usp.objects.sitemap import AbstractSitemap
from usp.parsing import value_problems
from usp.problems import ProblemLog, Problems
from usp.tree import sitemap_tree_for_homepage


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what was found; with ``--serve`` the site stays up until Ctrl-C."""
    parser = ArgumentParser("python -m usp.demo", description="Serve a sample site on this machine and crawl it.")
    parser.add_argument("--serve", action="store_true", help="keep the site up, until Ctrl-C")
    parser.add_argument("--port", type=int, default=0, metavar="N", help="its port (default: a free one)")
    options = parser.parse_args(arguments)
    logging.getLogger("usp").addHandler(logging.NullHandler())  # what it would warn of is shown below
    try:
        with site_up(options.port) as server:
            _print(_crawl(server))
            if options.serve:
                _print([f"The site stays up at {server.url} until Ctrl-C."])
                server.ending.wait()
    except (OSError, OverflowError) as error:
        if isinstance(error, BrokenPipeError):  # `| head` has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        print(f"usp.demo: cannot serve on port {options.port}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 0
    return 0


def _print(lines: Iterable[str]) -> None:
    encoding = sys.stdout.encoding or "ascii"
    for line in lines:
        print(printable(line, encoding))
    sys.stdout.flush()


def _crawl(server: SiteServer) -> Iterator[str]:
    yield f"A sample site at {server.url}, crawled for real."
    tree = sitemap_tree_for_homepage(server.url)
    sitemaps = list(tree.all_sitemaps())
    counts: Counter[str] = Counter()
    for sitemap in sitemaps:
        values = _values(sitemap)
        yield from ("", sitemap.url)
        yield from describe(sitemap, values)
        counts.update(sitemap.problems.counts)
        counts.update(values.counts)
    yield from ("", "Summary ".ljust(WIDTH, "="), "")
    yield from summary(sitemaps, counts)
    yield ""


def _values(sitemap: AbstractSitemap) -> Problems:
    """The problems of the values, counted: a sitemap may have a million."""
    log = ProblemLog(sitemap.url)
    for problem in value_problems(sitemap):
        log.add(problem.code, problem.detail, problem.line)
    return log.problems()


if __name__ == "__main__":
    sys.exit(main())
