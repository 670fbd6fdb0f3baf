"""The loop between the crawl and the fetcher: clock, sleeping, cancelling, events.

Laws: decides nothing. Whatever happens (a callback raises, Ctrl-C, the consumer goes away), every request is
cancelled and every connection closed before it is over.
"""

import asyncio
import logging
import random
from collections.abc import AsyncGenerator, Callable
from datetime import UTC, datetime

from usp.crawl.places import Place
from usp.crawl.plan import Crawl
from usp.exceptions import InvalidOptionException
from usp.fetching.exchange import Exchange
from usp.fetching.fetcher import Fetcher
from usp.fetching.guard import CrawlGuard
from usp.fetching.resolving import Resolver, system_resolver
from usp.messages import Answered, Request, Response
from usp.objects.sitemap import AbstractSitemap, IndexWebsiteSitemap
from usp.pages.block_pages import BlockPages
from usp.pages.spool import Spool
from usp.problems import ProblemLog
from usp.reading import DocumentReader
from usp.rows import Block
from usp.running.assignment import Assignment
from usp.running.interrupts import with_interruptible_callbacks
from usp.running.teller import Teller

logger = logging.getLogger(__name__)


class Runner:
    """Runs one crawl, once."""

    def __init__(self, assignment: Assignment) -> None:
        self._assignment = assignment = with_interruptible_callbacks(assignment)
        self._problems = ProblemLog(assignment.homepage_url)
        self._spool = Spool()
        self._tasks: dict[asyncio.Task[Answered], Request] = {}
        self._teller = Teller(assignment.on_event, assignment.seeds)
        self._check_guard()
        self.crawl = Crawl(
            assignment.homepage_url,
            assignment.seeds,
            assignment.rules,
            at_once=assignment.fetcher.at_once,
            read_ahead=assignment.read_ahead,
            chance=random.random,
        )

    def tree(self) -> IndexWebsiteSitemap:
        """The tree as far as it is known."""
        return self.crawl.tree(BlockPages, self._problems.problems())

    def sitemap(self) -> AbstractSitemap:
        """The first sitemap that was asked for, with all below it."""
        return self.crawl.sitemap(BlockPages)

    def node(self, place: Place) -> AbstractSitemap:
        """The sitemap that stands at a place, without those below it."""
        return self.crawl.node(place, BlockPages)

    async def run(self) -> None:
        """Crawl to the end."""
        async for _ in self.sitemaps():
            pass

    async def sitemaps(self) -> AsyncGenerator[list[Place], None]:
        """Crawl, and give the sitemaps as they are read; who leaves early closes the generator."""
        loop = asyncio.get_running_loop()
        self.crawl.begin(loop.time())
        async with self._assignment.fetcher.open() as fetch:
            exchange = Exchange(
                fetch,
                self._new_reader,
                self._assignment.rules.limits,
                guard=await self._new_guard(),
                now=lambda: datetime.now(UTC),
                tell=self._assignment.on_event,
            )
            try:
                while not self.crawl.done:
                    self._start_requests(exchange, loop.time())
                    if known := self._take_known():
                        given = loop.time()
                        yield known
                        self.crawl.prolong(loop.time() - given)
                    elif not self.crawl.done:
                        await self._wait(loop)
                    self.crawl.expire(loop.time())
                if known := self._take_known():
                    yield known
            finally:
                await self._cancel()

    def _take_known(self) -> list[Place]:
        """The sitemaps to be given next; tells what will not be fetched."""
        for refusal in self.crawl.take_refused():
            self._teller.refused(refusal)
        known, arrived = self.crawl.take_known(), self.crawl.take_arrived()
        return arrived if self._assignment.by_arrival else known

    def _start_requests(self, exchange: Exchange, now: float) -> None:
        for request in self.crawl.wants(now):
            self._teller.started(request)
            self._tasks[asyncio.create_task(exchange.answer(request))] = request

    async def _wait(self, loop: asyncio.AbstractEventLoop) -> None:
        """Wait for an answer, or for the moment at which something may be asked for again."""
        timeout = max(self.crawl.wakes_at() - loop.time(), 0.0)
        if not self._tasks:
            await asyncio.sleep(timeout)
            return
        finished, _ = await asyncio.wait(self._tasks, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        for task in [task for task in self._tasks if task in finished]:  # a set has no order
            request, answered = self._tasks.pop(task), task.result()
            wait = self.crawl.receive(request, answered, loop.time())
            answer = self.crawl.counted(request) or answered.answer
            self._teller.received(request, answered._replace(answer=answer), wait)

    async def _cancel(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()

    def _new_reader(self, response: Response) -> DocumentReader:
        limits, native = self._assignment.rules.limits, self._assignment.native
        return DocumentReader(response.url, headers=response.headers, limits=limits, keep=self._keep, native=native)

    def _keep(self, packed: bytes, rows: int) -> Block:
        since = self._assignment.rules.since
        return self._spool.keep(packed, rows) if since is None else self._spool.keep(*since.filter(packed, rows))

    def _check_guard(self) -> None:
        guard, fetcher = self._assignment.guard, self._assignment.fetcher
        if guard is None or fetcher.sees_addresses:
            return
        if guard.strict:
            raise InvalidOptionException(
                "guard='strict' needs a fetcher that sees the addresses it dials: no proxy, no client"
            )
        self._problems.add("guard-unseen")

    async def _new_guard(self) -> CrawlGuard | None:
        option, fetcher, limits = self._assignment.guard, self._assignment.fetcher, self._assignment.rules.limits
        if option is None:
            return None
        guard = CrawlGuard(option, self._assignment.homepage_url)
        resolver = option.resolver or _resolver_of(fetcher, self._assignment.homepage_url)
        if resolver is None:
            return guard
        try:
            async with asyncio.timeout(min(limits.idle_seconds, limits.seconds)):
                await guard.look_up_homepage(resolver)
        except TimeoutError:
            logger.warning("%s: no name server answers", self._assignment.homepage_url)
        return guard


def _resolver_of(fetcher: Fetcher, url: str) -> Resolver | None:
    """How a fetcher looks up the host of a URL; None if it does not dial, or nobody sees what it dials."""
    resolver_for: Callable[[str], Resolver | None] | None = getattr(fetcher, "resolver_for", None)
    if resolver_for is not None:
        return resolver_for(url)
    return system_resolver if fetcher.sees_addresses else None
