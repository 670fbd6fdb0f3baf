"""What an answer means: its head, before any of its body is read (RFC 9110, sections 10 and 15), and what was expected.

Laws: a head is judged by status and headers alone; the time is an argument. A site that blocks us is not a site without
sitemaps, and one that is down is neither.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from http import HTTPStatus

from usp.messages import Document, Failure, Kind, Redirect, Response
from usp.problems import Outcome
from usp.values.dates import parse_date
from usp.values.urls import resolve

REDIRECTS = frozenset({301, 302, 303, 307, 308})
ABSENT = frozenset({404, 410})
BLOCKED = frozenset({401, 403, 407, 429, 451, 999})  # 999: of LinkedIn, for what it takes for robots
EMPTY = frozenset({204, 205})
PARTIAL = 206
"""Nobody asked for a part: what came is read, and counts as truncated."""


def judged(response: Response, now: datetime) -> Failure | Redirect | None:
    """What the answer is if its body is no sitemap to be read; None if it is to be read."""
    status = response.status
    if status in REDIRECTS:
        return _redirect(response, now)
    if "cf-mitigated" in response.headers:
        return _failure(
            response, Outcome.BLOCKED, now, "a challenge"
        )  # of Cloudflare, whatever status it takes for that
    if status in BLOCKED:
        return _failure(response, Outcome.BLOCKED, now)
    if 200 <= status < 300:
        return _failure(response, Outcome.EMPTY, now) if status in EMPTY else None
    if status in ABSENT:
        return _failure(response, Outcome.ABSENT, now)
    return _failure(response, Outcome.UNREACHABLE if status >= 500 else Outcome.BROKEN, now)


def outcome_of(answer: Document | Failure, *, declared: bool, is_homepage: bool) -> Outcome:
    """What became of a URL. A page is what a homepage should be; where nobody declared anything, it is nothing."""
    if declared:
        return answer.outcome
    is_page = isinstance(answer, Document) and answer.kind is Kind.HTML and answer.outcome is Outcome.BROKEN
    if is_homepage:
        return Outcome.OK if is_page else answer.outcome
    return Outcome.ABSENT if is_page or answer.outcome is Outcome.EMPTY else answer.outcome


def said(status: int, phrase: str = "") -> str:
    """A status as people know it.

    >>> said(404), said(530)
    ('404 Not Found', '530')
    """
    if not phrase:
        phrase = next((known.phrase for known in HTTPStatus if known == status), "")
    return f"{status} {phrase}".strip()


def _redirect(response: Response, now: datetime) -> Failure | Redirect:
    location = response.headers.get("location", "")
    target = resolve(response.url, location)
    if not location.strip():
        return _failure(response, Outcome.BROKEN, now, "a redirect that does not say where to")
    if target is None:
        return _failure(response, Outcome.REFUSED, now, f"a redirect to {location:.200}, which is no HTTP(S) URL")
    return Redirect(response.url, target, response.status, fresh_cookie="set-cookie" in response.headers)


def _failure(response: Response, outcome: Outcome, now: datetime, reason: str = "") -> Failure:
    reason = ": ".join(filter(None, (said(response.status, response.phrase), reason)))
    wait = retry_after(response.headers, now)
    return Failure(response.url, outcome, reason, status=response.status, wait=wait)


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """The seconds that Retry-After asks for, given as such or as a date; None where it says nothing certain.

    >>> retry_after({"retry-after": "120"}, datetime(2024, 1, 1, tzinfo=UTC))
    120.0
    >>> retry_after({"retry-after": "Mon, 01 Jan 2024 00:00:30 GMT"}, datetime(2024, 1, 1, tzinfo=UTC))
    30.0
    """
    written = headers.get("retry-after", "").strip()
    if written.isascii() and written.isdigit():
        return float(written[:18])
    moment = parse_date(written) if written and not written.startswith(("-", "+")) else None
    if moment is None:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - now.timestamp()
