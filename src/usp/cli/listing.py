"""One crawl of ``usp ls``: what is written of it, what is shown meanwhile, what is said at the end."""

import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator
from typing import Any

from usp.cli.account import Account
from usp.cli.logs import logs
from usp.cli.options.network import crawl_options
from usp.cli.progress import Display, display_for, is_shown
from usp.cli.selection import Selection, cut_after, since_of
from usp.cli.status import FAILED, FINE, LOSSES
from usp.cli.summary import incomplete, reasons, summary, why_nothing
from usp.cli.target import Target, layout_of, output_of
from usp.cli.verdict import has_losses, is_usable
from usp.events import Event, EventKind
from usp.objects.sitemap import IndexWebsiteSitemap
from usp.outputs.batches import Batches, Listed, batches
from usp.problems import Outcome
from usp.tree import PageStream, sitemap_tree_for_homepage, stream_pages
from usp.values.urls import strip_url_to_homepage


def list_pages(options: Namespace) -> int:
    """Crawl, and write what was asked for; gives the exit status."""
    with logs(options):
        if "://" in options.url:
            return Listing(options, options.url).run()
        try:
            return Listing(options, f"https://{options.url}", may_be_http=True).run()
        except _NoAnswerError:
            return Listing(options, f"http://{options.url}").run()


class _NoAnswerError(Exception):
    """Nobody answers by https."""


class Listing:
    """One crawl, and what is written of it."""

    def __init__(self, options: Namespace, url: str, *, may_be_http: bool = False) -> None:
        self._options = options
        self._url = url
        self._may_be_http = may_be_http
        self._output = output_of(options)
        self._layout = layout_of(options, self._output, url)
        self._account = Account()
        self._account.homepage = strip_url_to_homepage(url)
        self._display: Display = display_for(options, self._account)
        self._selection = Selection(options)
        self._last_page: int | None = None
        """The number of a page of the sitemap in which there were enough."""
        self.tree: IndexWebsiteSitemap
        """What was found; there is none before ``run`` is over."""

    def run(self) -> int:
        """Crawl and write, show what happens, and say what became of it."""
        try:
            with Target(self._options) as target, self._display:
                self.tree = self._stream(target) if self._output.streams else self._whole(target)
        except KeyboardInterrupt:
            self._say(["interrupted: what was written is whole"])
            raise
        return self._conclude(self.tree)

    def _crawl_options(self) -> dict[str, Any]:
        options = self._options
        return {
            **crawl_options(options),
            "use_robots": not options.no_robots,
            "use_known_paths": not options.no_known,
            "since": since_of(options),
            "recurse_callback": self._selection.follows if options.sitemaps else None,
            "on_event": self._take,
        }

    def _take(self, event: Event) -> None:
        self._account.take(event)
        self._display.take(event)
        if self._may_be_http and event.kind is EventKind.FINISHED:
            self._may_be_http = False
            if event.outcome is Outcome.UNREACHABLE and event.status is None:
                raise _NoAnswerError

    def _stream(self, target: Target) -> IndexWebsiteSitemap:
        """Write pages as they come. If there is nothing to be had, not even the head of a table is written."""
        with stream_pages(self._url, **self._crawl_options()) as stream:
            self._output.write(Batches(self._written(stream, target)), target, **self._layout)
        return self._tree_of(stream)

    def _written(self, stream: PageStream, target: Target) -> Iterator[list[Listed]]:
        try:
            for chosen in self._chosen(stream):
                if target.is_terminal:
                    self._display.give_way()
                self._account.written += len(chosen)
                yield chosen
            if not self._account.written and not is_usable(self._tree_of(stream)):
                target.drop()
        except BaseException:
            if not self._account.written:
                target.drop()
            raise

    def _whole(self, target: Target) -> IndexWebsiteSitemap:
        """Write the tree once it is known."""
        if self._options.limit is None:
            tree = sitemap_tree_for_homepage(self._url, **self._crawl_options())
        else:
            with stream_pages(self._url, **self._crawl_options()) as stream:
                for _ in self._chosen(stream):
                    pass
            tree = self._tree_of(stream)
        Selection(self._options).prune(tree)
        self._account.written = sum(len(sitemap.pages) for sitemap in tree.all_sitemaps())
        self._display.give_way()
        self._output.write(tree, target, **self._layout)
        return tree

    def _chosen(self, stream: PageStream) -> Iterator[list[Listed]]:
        """The pages that are wanted, until there are enough."""
        passed = 0
        for batch in batches(stream):
            if chosen := self._selection.of_batch(batch):
                yield chosen
            if self._selection.is_full:
                self._last_page = passed
                return
            passed += len(batch)

    def _tree_of(self, stream: PageStream) -> IndexWebsiteSitemap:
        """The tree of a stream that is over, as far as it was wanted."""
        tree = stream.tree
        if self._last_page is not None:
            cut_after(tree, self._last_page)
        return tree

    def _conclude(self, tree: IndexWebsiteSitemap) -> int:
        """Say what became of the crawl; gives the exit status."""
        said = [*summary(self._account, tree)] if is_shown(self._options) else []
        if not is_usable(tree):
            self._say(said)
            print(f"usp ls: {why_nothing(tree)}", file=sys.stderr)
            return FAILED
        because = reasons(tree)
        self._say([*said, *incomplete(because)])
        return LOSSES if self._options.strict and (because or has_losses(tree)) else FINE

    def _say(self, lines: Iterable[str]) -> None:
        if not self._options.quiet:
            for line in lines:
                print(line, file=sys.stderr)
