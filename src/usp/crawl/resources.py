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
        self._turns: Turns[_Ticket] = Turns(rules.politeness, at_once, is_wanted=_is_last_ticket)
        self._known: dict[str, Resource] = {}
        self.ends = math.inf
        """The time after which nothing is asked for again."""

    def get(self, url: str) -> Resource:
        """The resource of a URL, however it is spelled."""
        name = identity(url)
        resource = self._known.get(name)
        if resource is None:
            resource = self._known[name] = Resource(name)
        return resource

    def once_more(self, resource: Resource) -> Resource:
        """The same URL, to be asked again."""
        if resource.again is None:
            resource.again = Resource(resource.identity)
        return resource.again

    def under_way(self, url: str) -> Resource:
        """The resource that was asked for by this URL: the last one, since nothing is asked again before its answer."""
        resource = self.get(url)
        while resource.again is not None:
            resource = resource.again
        return resource

    def wait(self, place: Place, resource: Resource) -> None:
        """Let a place wait for the answer of a resource that has none."""
        resource.waiting.append(place)
        resource.wanted += 1
        key = place.key()
        if resource.key is None or (resource.queued and key < resource.key):
            self._queue(resource, key)

    def give_up(self, place: Place) -> None:
        """Let a place that a limit cut off wait no longer, and forget what nobody else waits for.

        A hostile index can make the tree overflow again and again; only what stays in it may cost memory.
        """
        resource = place.chain[-1] if place.chain else None
        if resource is None or resource.answer is not None:
            return
        resource.wanted -= 1
        if 2 * resource.wanted < len(resource.waiting):
            resource.waiting = [waiting for waiting in resource.waiting if not waiting.dropped]
        if not resource.wanted and resource.queued:
            self._unqueue(resource)
            if not resource.tries and self._known.get(resource.identity) is resource:
                del self._known[resource.identity]

    def take(self, now: float, no_later_than: tuple[int, ...] | None) -> list[Resource]:
        """The resources to be fetched now, those of the earliest places first."""
        taken = [resource for resource, _ in self._turns.take(now, no_later_than=no_later_than)]
        for resource in taken:
            resource.queued = False
            resource.tries += 1
        return taken

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
                resource.not_before = now + wait
                resource.key = None
                if resource.wanted:
                    self._queue(resource, min(map(Place.key, resource.waiting)))
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
            resource.waiting, resource.wanted = [], 0
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
            self._unqueue(target)
            target.settle(answer)
        return Redirect(resource.identity, answer.url, resource.status or 0)

    def next_moment(self) -> float:
        """When something that waits for its time may be fetched; infinity if nothing does."""
        return self._turns.next_moment()

    def _queue(self, resource: Resource, key: tuple[int, ...]) -> None:
        self._unqueue(resource)
        resource.key = key
        resource.queued = True
        resource.ticket += 1
        self._turns.ask(resource.host, key, (resource, resource.ticket), not_before=resource.not_before)

    def _unqueue(self, resource: Resource) -> None:
        """Let it be fetched by its last ticket no more."""
        if resource.queued:
            resource.key = None
            resource.queued = False
            resource.ticket += 1
            self._turns.withdraw(resource.host)

    def _wait_before_retry(self, resource: Resource, failure: Failure, now: float) -> float | None:
        if failure.partial is not None and failure.partial.usable:
            resource.partial = failure.partial
        asked = self._retry.asked_for(failure)
        if asked is not None:
            self._turns.pause(resource.host, now + asked)
        wait = self._retry.wait(failure, resource.tries, chance=self._chance())
        return wait if wait is not None and now + wait < self.ends else None


def _is_last_ticket(ticket: _Ticket) -> bool:
    resource, number = ticket
    return resource.ticket == number
