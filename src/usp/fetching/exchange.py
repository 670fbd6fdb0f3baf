"""One exchange: a Request goes out, and what comes back is read. Done once here, for every fetcher.

Laws: never raises for what a server does; holds no more bytes of bodies than the shared budget; waits for nothing
without a bound; asks no address that the guard refuses. Whether to ask again, and where a redirect leads, the crawl
decides.
"""

import asyncio
import os
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Protocol

from msgspec.structs import replace

from usp.crawl.outcome import PARTIAL, judged
from usp.events import Event, EventKind
from usp.fetching.cookies import Cookies
from usp.fetching.fetcher import Fetch, Interrupted
from usp.fetching.guard import CrawlGuard
from usp.fetching.holding import Budget, Held, Turn
from usp.fetching.threads import stopped_and_joined
from usp.limits import KIB, PIECE, Limits
from usp.messages import Answered, Document, Failure, Redirect, Request, Response
from usp.problems import Outcome
from usp.values.urls import origin

LONGEST_URL = 32 * KIB
"""Servers take 8 KiB at most; whoever declares a longer URL means harm."""

ERROR_PAGE = 64 * KIB
"""Bytes of an error page in which the marks of a challenge are looked for."""


class Reader(Protocol):
    """Reads the body of one response; see ``usp.reading.DocumentReader``."""

    @property
    def done(self) -> bool: ...
    @property
    def has_native(self) -> bool: ...
    def ask_native(self, source: list[bytes]) -> bool: ...
    def stop_native(self) -> None: ...
    def steps(self, wire: bytes) -> Iterator[None]: ...
    def cut_short(self, code: str, detail: str) -> None: ...
    def close(self) -> Document: ...


class Exchange:
    """Answers the requests of one crawl."""

    def __init__(
        self,
        fetch: Fetch,
        new_reader: Callable[[Response], Reader],
        limits: Limits,
        *,
        guard: CrawlGuard | None,
        now: Callable[[], datetime],
        tell: Callable[[Event], object] | None = None,
    ) -> None:
        self._fetch = fetch
        self._new_reader = new_reader
        self._limits = limits
        self._guard = guard
        self._now = now
        self._tell = tell
        self._cookies = Cookies()
        self._budget = Budget(limits.in_flight_bytes)
        self._reading = asyncio.Lock()
        self._cores = asyncio.Semaphore(os.cpu_count() or 1)
        self._insecure_only: set[str] = set()

    async def answer(self, request: Request) -> Answered:
        """What asking for one URL gives; its answer's URL is another if that of the request led there unseen."""
        if len(request.url) > LONGEST_URL:
            reason = f"The URL is longer than {LONGEST_URL} characters: {request.url:.100}…"
            return Answered(Failure(request.url, Outcome.REFUSED, reason))
        if self._guard is not None:
            if not self._guard.may_ask(request.url):
                return Answered(Failure(request.url, Outcome.REFUSED, _leads_astray(request.url)))
            request = replace(request, may_dial=self._guard.may_dial)
        answered = await self._ask(request)
        if (secure := self._secure_url(request.url, answered.answer)) is not None:
            other = await self._ask(replace(request, url=secure))
            if not (isinstance(other.answer, Failure) and not other.answer.connected):
                return other
            self._insecure_only.add(origin(request.url))
        return answered

    def _secure_url(self, url: str, answer: Document | Failure | Redirect) -> str | None:
        """The https URL to try once where http cannot be connected; a name that is unknown is so for both."""
        if not isinstance(answer, Failure) or answer.connected or not answer.retryable:
            return None
        scheme, separator, rest = url.partition("://")
        if scheme.lower() != "http" or ":" in origin(url)[len("http://") :].rpartition("]")[2]:
            return None
        return None if origin(url) in self._insecure_only else f"https{separator}{rest}"

    async def _ask(self, request: Request) -> Answered:
        loop = asyncio.get_running_loop()
        began = loop.time()
        attempt = _Attempt(request.url, Held(self._budget), Turn(self._reading))
        if cookie := self._cookies.header(request.url):
            request = replace(request, headers={**request.headers, "cookie": cookie})
        try:
            answer = await self._answer_in_time(request, attempt, began + self._limits.request_seconds)
        finally:
            attempt.held.release()
            attempt.turn.give_up()
        return Answered(answer, attempt.status, loop.time() - began)

    async def _answer_in_time(self, request: Request, attempt: "_Attempt", end: float) -> Document | Failure | Redirect:
        try:
            async with asyncio.timeout(None) as patience:
                wait = _Patience(patience, end, self._limits.idle_seconds)
                wait.renew()
                async with self._fetch(request) as response:
                    return await self._take(response, attempt, wait)
        except TimeoutError:
            if not patience.expired():
                raise  # the caller's own, out of an event, a client or a fetcher
            late = asyncio.get_running_loop().time() >= end
            if late:
                reason = f"The answer took longer than {self._limits.request_seconds:g} seconds"
            else:
                reason = f"Nothing came for {self._limits.idle_seconds:g} seconds"
            return await self._broken_off(attempt, reason, retryable=not late)
        except Interrupted as interruption:
            return await self._broken_off(attempt, str(interruption), retryable=True)

    async def _take(
        self, response: Response | Failure, attempt: "_Attempt", wait: "_Patience"
    ) -> Document | Failure | Redirect:
        """What a response is, once its head is here."""
        if isinstance(response, Failure):
            attempt.status = response.status
            return response
        attempt.status = response.status
        if response.url != attempt.url:
            attempt.url = response.url
            if self._guard is not None and not self._guard.may_ask(response.url):
                return Failure(response.url, Outcome.REFUSED, _leads_astray(response.url))
        if "set-cookie" in response.headers:
            self._cookies.keep(response.url, response.headers["set-cookie"])
        answer = judged(response, self._now())
        if answer is None:
            attempt.reader = reader = self._new_reader(response)
            if response.status == PARTIAL:
                reader.cut_short("partial-content", "")
            await self._receive(response, reader, attempt, wait)
            if not await self._read_natively(reader, attempt.held):
                await _read_held(reader, attempt)
            return reader.close()
        if isinstance(answer, Failure) and answer.outcome in (Outcome.UNREACHABLE, Outcome.BROKEN):
            attempt.failure = answer
            return await self._unless_challenge(response, answer, wait)
        return answer

    async def _receive(self, response: Response, reader: Reader, attempt: "_Attempt", wait: "_Patience") -> None:
        """Take a body: hold it to its end if that can be, else read it piece by piece as it comes."""
        received = 0
        body = aiter(response.body)
        while (piece := await attempt.turn.next_of(body)) is not None:
            self._received(response.url, piece, wait)
            received += len(piece)
            if not attempt.held.add(piece):
                wait.end()  # reading takes as long as it takes: given up in between, it would leave a hole
                await _read_held(reader, attempt)
                await _parse(reader, piece)
                wait.renew()
            if reader.done or received > self._limits.wire_bytes:
                break
        wait.end()

    async def _read_natively(self, reader: Reader, held: Held) -> bool:
        """Whether the compiled reader reads a body that is held whole: aside, unless that would take longer."""
        if not reader.has_native or not held.whole:
            return False
        if held.size <= PIECE:
            return reader.ask_native(held.pieces())
        async with self._cores:
            return await stopped_and_joined(
                lambda: reader.ask_native(held.pieces()), reader.stop_native, "usp-native-reader"
            )

    def _received(self, url: str, piece: bytes, wait: "_Patience") -> None:
        wait.renew()
        if self._tell is not None:
            self._tell(Event(kind=EventKind.PROGRESS, url=url, bytes=len(piece)))

    async def _broken_off(self, attempt: "_Attempt", reason: str, *, retryable: bool) -> Failure:
        """The failure that it is when nothing more comes, with what the answer had said."""
        if attempt.failure is not None:
            return attempt.failure
        partial = None
        if attempt.reader is not None:
            await _read_held(attempt.reader, attempt)
            attempt.reader.cut_short("interrupted", reason)
            partial = attempt.reader.close()
        return Failure(
            attempt.url,
            Outcome.UNREACHABLE,
            reason,
            status=attempt.status,
            retryable=retryable,
            connected=attempt.status is not None,
            partial=partial,
        )

    async def _unless_challenge(self, response: Response, failure: Failure, wait: "_Patience") -> Failure:
        """The failure, or that we are blocked: some services guard a site with pages that pretend to be errors."""
        reader = self._new_reader(response)
        length = 0
        async for piece in response.body:
            self._received(response.url, piece, wait)
            await _parse(reader, piece[: ERROR_PAGE - length])
            length += len(piece)
            if length >= ERROR_PAGE:
                break
        if reader.close().outcome is Outcome.BLOCKED:
            return replace(failure, outcome=Outcome.BLOCKED)
        return failure


class _Attempt:
    """What is known of an answer while it comes."""

    def __init__(self, url: str, held: Held, turn: Turn) -> None:
        self.url = url
        self.status: int | None = None
        self.failure: Failure | None = None
        """What the status says, whatever becomes of its page."""
        self.reader: Reader | None = None
        self.held = held
        self.turn = turn


class _Patience:
    """How long an answer may take: so long for the next bytes, so long in all."""

    def __init__(self, timeout: asyncio.Timeout, end: float, idle: float) -> None:
        self._timeout = timeout
        self._end = end
        self._idle = idle
        self._loop = asyncio.get_running_loop()

    def renew(self) -> None:
        """Something came: wait as long again."""
        self._timeout.reschedule(min(self._loop.time() + self._idle, self._end))

    def end(self) -> None:
        """Everything came: reading it takes as long as it takes."""
        self._timeout.reschedule(None)


async def _read_held(reader: Reader, attempt: _Attempt) -> None:
    """Read what is held of an answer, when it is its turn."""
    await attempt.turn.take()
    for waiting in attempt.held.give():
        await _parse(reader, waiting)


async def _parse(reader: Reader, wire: bytes) -> None:
    """Read some bytes, and let others have their turn after each piece of text."""
    for start in range(0, len(wire), PIECE):
        for _ in reader.steps(wire[start : start + PIECE]):
            await asyncio.sleep(0)


def _leads_astray(url: str) -> str:
    return f"The guard refuses an address that is not public: {url:.200}"
