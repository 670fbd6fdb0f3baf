"""What a crawl is doing, while it does it: a few lines that redraw themselves, or a line a sitemap.

Laws: on stderr, and only there. rich is imported here alone, and only when it is shown. Where data goes to the same
terminal, the display gives way to it.
"""

import sys
from argparse import Namespace
from math import ceil
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

from usp.cli.account import Account
from usp.cli.summary import amount
from usp.events import Event, EventKind
from usp.outputs.text import counted, words_on_a_line

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

SHOWN = 5
"""URLs shown at a time, of those that are fetched or waited for."""

_TIMES_A_SECOND = 8


class Display(Protocol):
    """Shows an account."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def take(self, event: Event) -> None:
        """Show what an event changed; the account has it already."""

    def give_way(self) -> None:
        """Data is about to be written to the terminal."""


def is_shown(options: Namespace) -> bool:
    """Whether progress and a summary are wanted."""
    return bool(not options.quiet and (options.progress or sys.stderr.isatty()))


def display_for(options: Namespace, account: Account) -> Display:
    """The display that suits the terminal; a log on stderr is one already."""
    if not is_shown(options) or (options.verbose and options.log_file is None):
        return _Nothing()
    return _Live(account) if sys.stderr.isatty() else _Lines(account)


class _Nothing:
    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def take(self, event: Event) -> None:
        pass

    def give_way(self) -> None:
        pass


class _Lines(_Nothing):
    """For a file: a line for each sitemap that is done, each wait and each refusal."""

    def __init__(self, account: Account) -> None:
        self._account = account

    def take(self, event: Event) -> None:
        if event.kind is EventKind.RETRIED:
            words = f"asking again in {event.wait:.0f} s: {event.reason}"
        elif event.kind in (EventKind.FINISHED, EventKind.REFUSED) and not self._account.is_guess(event):
            words = event.reason or ", ".join(_sizes(event))
        else:
            return
        account = self._account
        line = f"[{account.done}/{account.found}] {event.url}: {words}"
        print(words_on_a_line(line), file=sys.stderr)


class _Live(_Nothing):
    """For a terminal: a line of sums, and what is fetched and waited for."""

    def __init__(self, account: Account) -> None:
        from rich.console import Console
        from rich.live import Live

        console = Console(stderr=True, highlight=False)
        self._live = Live(
            _Drawing(account), console=console, transient=True, refresh_per_second=_TIMES_A_SECOND,
            redirect_stdout=False, redirect_stderr=False,
        )  # fmt: skip

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def give_way(self) -> None:
        self._live.stop()


class _Drawing:
    """The account as rich draws it: the sums whole, and of each URL what the width of the terminal has room for."""

    def __init__(self, account: Account) -> None:
        self._account = account

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        from rich.text import Text

        for number, (line, style) in enumerate(progress_lines(self._account)):
            shown = line.encode(options.encoding, "replace").decode(options.encoding)
            yield Text(shown, style=style, no_wrap=number > 0, overflow="crop", end="\n")


def progress_lines(account: Account) -> list[tuple[str, str]]:
    """The lines of the display, each with its style."""
    seconds = account.seconds
    sums = (
        f"{account.done:,}/{account.found:,} sitemaps, {counted(account.pages, 'page')}, {amount(account.bytes)},"
        f" {account.pages / max(seconds, 0.1):,.0f} pages/s, {seconds:.0f} s"
    )
    lines = [(sums, "bold")]
    now = account.clock()
    waiting = list(account.waiting.items())  # at once: the crawl goes on in another thread
    fetching = list(account.fetching.items())
    for url, wait in waiting[:SHOWN]:
        left = ceil(max(wait.until - now, 0))
        lines.append((f"  waiting {left} s for {words_on_a_line(url)}: {words_on_a_line(wait.reason)}", "yellow"))
    for url, size in fetching[: max(SHOWN - len(waiting), 1)]:
        lines.append((f"  fetching {words_on_a_line(url)}" + (f", {amount(size)}" if size else ""), ""))
    hidden = len(waiting) + len(fetching) - (len(lines) - 1)
    return [*lines, (f"  and {hidden:,} more", "dim")] if hidden > 0 else lines


def _sizes(event: Event) -> list[str]:
    sizes = [counted(event.sitemaps, "sitemap")] if event.sitemaps else []
    return [*sizes, counted(event.pages, "page")] if event.pages or not sizes else sizes
