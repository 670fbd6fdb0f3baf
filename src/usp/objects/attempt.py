"""What became of one URL that was tried."""

from msgspec import Struct

from usp.problems import Outcome


class Attempt(Struct, frozen=True, gc=False, repr_omit_defaults=True):
    """One URL that a crawl tried, or that the caller's filters left out.

    ``final_url`` is where redirects led; ``status`` is None where there was no answer; ``seconds`` is how long the
    answers took, waits between them left out.

    >>> Attempt("https://example.com/robots.txt", "https://example.com/robots.txt", Outcome.BLOCKED, 403).outcome
    <Outcome.BLOCKED: 'blocked'>
    """

    url: str
    final_url: str
    outcome: Outcome
    status: int | None = None
    seconds: float = 0.0
