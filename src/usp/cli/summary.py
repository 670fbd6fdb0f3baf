"""What is said at the end: how much there was, what became of it, and why nothing can be had.

Laws: lines for people, on stderr; what a site says passes through ``words_on_a_line``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from usp.cli.account import Account
from usp.objects.sitemap import (
    INCOMPLETE,
    IndexWebsiteSitemap,
    InvalidSitemap,
)
from usp.outputs.text import counted, words_on_a_line
from usp.problems import CATALOGUE, Outcome, Severity
from usp.running.stream import LEFT_EARLY

SHOWN = 5
"""Reasons shown; a site may have thousands of sitemaps that cannot be had."""

REMEDIES = {
    Outcome.BLOCKED: "Try another --user-agent, --header or --proxy, or ask the owner of the site.",
    Outcome.UNREACHABLE: "Check the address and the network, or try again later.",
    Outcome.REFUSED: "If you trust the site, look at --guard and the limits in `usp ls --help`.",
    Outcome.TRUNCATED: "Try again later.",
    Outcome.BROKEN: "`usp parse URL --problems` shows what is wrong with a sitemap.",
}
"""What to do about each outcome; the first that is met counts."""


def why_nothing(tree: IndexWebsiteSitemap) -> str:
    """Why there is nothing, and what to do about it, in two sentences."""
    unread = f"No sitemap of {tree.url} can be read"
    for reason in tree.shortcomings:
        if reason.startswith("The limit"):
            return f"{unread}: {reason} The limits in `usp ls --help` can be raised."
    outcomes = {attempt.outcome for attempt in tree.attempts}
    for outcome, remedy in REMEDIES.items():
        because = next((reason for reason in reasons(tree) if INCOMPLETE[outcome] in reason), None)
        if outcome in outcomes and because:
            return f"{unread}: {because.rstrip('.')}. {remedy}"
    for sitemap in tree.all_sitemaps():
        if isinstance(sitemap, InvalidSitemap):
            named = f"the site names {sitemap.url}, but that is {sitemap.outcome}: {sitemap.reason}"
            return words_on_a_line(f"{unread}: {named}. Tell the owner of the site.")
    return f"{tree.url} has no sitemap in any of the usual places. If you know where one is: usp parse URL"


def reasons(tree: IndexWebsiteSitemap) -> list[str]:
    """Why pages may be missing; that somebody wanted no more of them is no reason."""
    return [words_on_a_line(reason) for reason in tree.incomplete_because if not reason.endswith(LEFT_EARLY)]


def summary(account: Account, tree: IndexWebsiteSitemap) -> Iterator[str]:
    """All that was done, in a few lines."""
    yield (
        f"{counted(account.written, 'page')}; {counted(account.requests, 'request')}, {amount(account.bytes)},"
        f" {account.seconds:.1f} s"
    )
    outcomes = Counter(sitemap.outcome for sitemap in tree.all_sitemaps() if sitemap.outcome is not None)
    if outcomes:
        yield "sitemaps: " + ", ".join(f"{count:,} {outcome}" for outcome, count in outcomes.most_common())
    severities: Counter[Severity] = Counter()
    for sitemap in (tree, *tree.all_sitemaps()):
        for code, count in sitemap.problems.counts.items():
            severities[CATALOGUE[code].severity] += count
    if severities:
        yield "problems: " + ", ".join(counted(severities[severity], severity) for severity in severities)


def incomplete(because: list[str]) -> Iterator[str]:
    """That pages may be missing, with the first reasons."""
    if because:
        yield f"not complete: {because[0]}"
        yield from _more(because[1:SHOWN], len(because) - SHOWN)


def amount(size: int) -> str:
    """Bytes, as people read them.

    >>> amount(999), amount(1_500_000)
    ('999 B', '1.5 MB')
    """
    number = float(size)
    for unit in ("B", "kB", "MB"):
        if number < 1000:
            return f"{number:.0f} B" if unit == "B" else f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:.1f} GB"


def _more(others: Iterable[str], rest: int) -> Iterator[str]:
    for reason in others:
        yield f"  {reason}"
    if rest > 0:
        yield f"  and {rest:,} more"
