"""Tells what happens in a crawl: events for the caller, lines in the log.

Laws: whatever is started comes to one end (retried, redirected, refused or finished), unless the crawl is ended before;
what is refused without being asked for is told as that alone. An event says of a URL what ``tree.attempts`` says. The
log has a line for each URL, a warning for what is lost or unusable, and a whisper about what nobody declared.
"""

import logging
from collections.abc import Iterable

from usp.crawl.outcome import outcome_of
from usp.crawl.sources import Role, Seed
from usp.events import Event, EventKind, OnEvent
from usp.messages import Answered, Document, Failure, Redirect, Request
from usp.problems import Outcome, Severity
from usp.values.urls import identity

logger = logging.getLogger(__name__)


class Teller:
    """Tells ``on_event``, if there is one, and the log."""

    def __init__(self, on_event: OnEvent | None, seeds: Iterable[Seed]) -> None:
        self._on_event = on_event
        self._pages = {identity(seed.url) for seed in seeds if seed.role in (Role.LINKS, Role.LINKS_AND_FEEDS)}
        """The pages whose links are read, and where they redirect to: they need not be sitemaps."""

    def started(self, request: Request) -> None:
        """A URL is asked for."""
        logger.debug("Fetching %s", request.url)
        self._tell(EventKind.STARTED, request.url)

    def received(self, request: Request, answered: Answered, wait: float | None) -> None:
        """An answer came; ``wait`` if the same is asked for again after so many seconds."""
        answer = answered.answer
        if isinstance(answer, Redirect):
            self._redirected(request, answer)
        elif wait is not None:
            reason = answer.reason
            logger.info("%s: %s; asking again in %.1f seconds", request.url, reason, wait)
            self._tell(EventKind.RETRIED, request.url, reason=reason, status=answered.status, wait=wait)
        elif isinstance(answer, Document):
            self._read(request, answer, answered)
        else:
            self._failed(request, answer, answered)

    def refused(self, refusal: Failure) -> None:
        """A URL is not followed from where it is declared, whatever it may say elsewhere."""
        logger.info("%s: %s", refusal.url, refusal.reason)
        self._tell(_last_kind(refusal.outcome), refusal.url, outcome=refusal.outcome, reason=refusal.reason)

    def _redirected(self, request: Request, redirect: Redirect) -> None:
        if identity(request.url) in self._pages:
            self._pages.add(identity(redirect.target))
        logger.debug("%s redirects to %s", request.url, redirect.target)
        self._tell(EventKind.REDIRECTED, request.url, reason=redirect.target, status=redirect.status)

    def _read(self, request: Request, document: Document, answered: Answered) -> None:
        outcome = self._outcome(request, document)
        pages, sitemaps = sum(block.rows for block in document.blocks), len(document.references)
        logger.info("%s: %s, %s, %d pages, %d sitemaps", request.url, document.kind, outcome, pages, sitemaps)
        worst = document.problems.worst()
        if worst is Severity.LOSS or (worst is Severity.FATAL and not request.guessed):
            logger.warning("%s: %s", request.url, document.reason)
        self._tell(
            _last_kind(outcome),
            request.url,
            outcome=outcome,
            reason="" if outcome is Outcome.OK else document.reason,
            status=answered.status,
            seconds=answered.seconds,
            pages=pages,
            sitemaps=sitemaps,
        )

    def _failed(self, request: Request, failure: Failure, answered: Answered) -> None:
        outcome = self._outcome(request, failure)
        expected = request.guessed and outcome is Outcome.ABSENT
        logger.log(logging.DEBUG if expected else logging.WARNING, "%s: %s", request.url, failure.reason)
        self._tell(
            _last_kind(outcome),
            request.url,
            outcome=outcome,
            reason=failure.reason,
            status=answered.status,
            seconds=answered.seconds,
        )

    def _outcome(self, request: Request, answer: Document | Failure) -> Outcome:
        """What became of a URL, seen from what was expected there."""
        is_homepage = identity(request.url) in self._pages
        return outcome_of(answer, declared=not request.guessed, is_homepage=is_homepage)

    def _tell(self, kind: EventKind, url: str, **more: object) -> None:
        if self._on_event is not None:
            self._on_event(Event(kind=kind, url=url, **more))  # type: ignore[arg-type]


def _last_kind(outcome: Outcome) -> EventKind:
    return EventKind.REFUSED if outcome is Outcome.REFUSED else EventKind.FINISHED
