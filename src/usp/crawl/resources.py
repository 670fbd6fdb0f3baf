"""The URLs of a crawl, each fetched once: who waits for it, whose turn it is, whether to ask again.

Laws: no clock, no chance: both arrive as arguments. A resource is known by the identity of its URL; the earliest place
that waits for it decides its turn.
"""

import math
from collections.abc import Callable

from usp.crawl.places import Place, Resource
from usp.crawl.retry import Retry
from usp.crawl.rules import Rules
from usp.crawl.turns import Turns
from usp.messages import Answered, Document, Failure, Redirect
from usp.values.urls import identity

_Ticket = tuple[Resource, int]
"""A resource in a queue. It is queued again when an earlier place wants it too: only its last ticket counts."""


class Resources:
    """Every URL that a crawl came across."""

    def __init__(self, rules: Rules, at_once: int | None, chance: Callable[[], float]) -> None:
        self._retry: Retry = rules.retry
        self._chance = chance
        self._turns: Turns[_Ticket] = Turns(rules.politeness, at_once)
        self._known: dict[str, Resource] = {}
        self.ends = math.inf
        """The time after which nothing is asked for again."""

    def get(self, url: str) -> Resource:
        """The resource of a URL, however it is spelled."""
        name = identity(url)
        resource = self._known.get(name)
        if resource is None:
            resource = self._known[name] = Resource(url, name)
        return resource

    def wait(self, place: Place, resource: Resource) -> None:
        """Let a place wait for the answer of a resource that has none."""
        resource.waiting.append(place)
        key = place.key()
        if resource.key is None or (resource.queued and key < resource.key):
            self._queue(resource, key)

    def take(self, now: float, no_later_than: tuple[int, ...] | None) -> list[Resource]:
        """The resources to be fetched now, those of the earliest places first."""
        while tickets := self._turns.take(now, no_later_than=no_later_than):
            taken = [resource for resource, number in tickets if number == resource.ticket]
            for resource, number in tickets:
                if number != resource.ticket:
                    self._turns.finish(resource.host, now)
            for resource in taken:
                resource.queued = False
                resource.tries += 1
            if taken:
                return taken
        return []

    def receive(self, resource: Resource, answered: Answered, now: float) -> float | None:
        """Take the answer of a resource, unless it is to be asked for again: then gives the seconds until that."""
        self._turns.finish(resource.host, now)
        if resource.answer is not None:  # a redirect that the fetcher followed by itself led here in the meantime
            return None
        resource.status = answered.status
        resource.seconds += answered.seconds
        answer = answered.answer
        if isinstance(answer, Failure):
            wait = self._wait_before_retry(resource, answer, now)
            if wait is not None:
                self._queue(resource, min(map(Place.key, resource.waiting)), now + wait)
                return wait
            answer = resource.partial or answer
        if identity(answer.url) != resource.identity:
            answer = self._led_on(resource, answer)
        resource.settle(answer)
        return None

    def no_longer_waiting(self, resource: Resource) -> list[Place]:
        """The places that waited for a resource that is answered now, and for those that its answer came from."""
        waiting: list[Place] = []
        while True:
            waiting += resource.waiting
            resource.waiting = []
            if not isinstance(resource.answer, Redirect):
                return sorted(waiting, key=Place.key)
            target = self.get(resource.answer.target)
            if target.answer is None or not target.waiting:
                return sorted(waiting, key=Place.key)
            resource = target

    def _led_on(self, resource: Resource, answer: Document | Failure | Redirect) -> Redirect:
        """What a resource is whose answer came from another URL: a redirect that the fetcher followed by itself."""
        target = self.get(answer.url)
        if target.answer is None:
            target.status = resource.status
            target.settle(answer)
        return Redirect(resource.url, answer.url, resource.status or 0)

    def next_moment(self) -> float:
        """When something that waits for its time may be fetched; infinity if nothing does."""
        return self._turns.next_moment()

    def _queue(self, resource: Resource, key: tuple[int, ...], not_before: float = 0.0) -> None:
        resource.key = key
        resource.queued = True
        resource.ticket += 1
        self._turns.ask(resource.host, key, (resource, resource.ticket), not_before=not_before)

    def _wait_before_retry(self, resource: Resource, failure: Failure, now: float) -> float | None:
        if failure.partial is not None and failure.partial.usable:
            resource.partial = failure.partial
        asked = self._retry.asked_for(failure)
        if asked is not None:
            self._turns.pause(resource.host, now + asked)
        wait = self._retry.wait(failure, resource.tries, chance=self._chance())
        return wait if wait is not None and now + wait < self.ends else None
