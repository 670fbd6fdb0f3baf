"""Whose turn it is: the queues of all hosts, in order of place, held to a ``Politeness``.

Laws: only book-keeping, and the time is always an argument. The earliest place that may go goes first. An item costs
O(log n) however many hosts and items wait: a hostile index can name 100,000 hosts.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import Generic, TypeVar

from usp.crawl.politeness import Politeness

Item = TypeVar("Item")
Place = tuple[int, ...]


@dataclass(slots=True, eq=False)
class _Host(Generic[Item]):
    waiting: list[tuple[Place, int, Item]] = field(default_factory=list)
    withdrawn: int = 0
    """So many of those waiting, at most, are not wanted any more."""
    running: int = 0
    not_before: float = 0.0


class Turns(Generic[Item]):
    """Queues items by host; ``take`` gives those that may start now, ``finish`` makes room for others.

    An item that ``is_wanted`` no longer is passed over; ``withdraw`` says that there is one, so that it is forgotten.
    """

    def __init__(
        self,
        politeness: Politeness,
        at_once: int | None = None,
        *,
        is_wanted: Callable[[Item], bool],
    ) -> None:
        self._is_wanted = is_wanted
        self._politeness = politeness
        self._at_once = min(at_once or politeness.connections_in_all, politeness.connections_in_all)
        self._hosts: dict[str, _Host[Item]] = {}
        self._offers: list[tuple[Place, int, str]] = []
        """Hosts that may have something to start, by their earliest item; an offer can be out of date."""
        self._alarms: list[tuple[float, str]] = []
        """When hosts that may not start anything now may do so again."""
        self._delayed: list[tuple[float, int, str, Place, Item]] = []
        """Items that wait for their own time, such as a retry."""
        self._count = 0
        self.running = 0

    def ask(self, host: str, place: Place, item: Item, *, not_before: float = 0.0) -> None:
        """Queue an item; ``not_before`` is the earliest time at which it may start."""
        self._count += 1
        if not_before > 0:
            heappush(self._delayed, (not_before, self._count, host, place, item))
        else:
            self._queue(host, place, item)

    def take(self, now: float, *, no_later_than: Place | None = None) -> list[Item]:
        """The items that may start now, earliest place first; they count as running until they are finished.

        With ``no_later_than``, items of later places stay where they are.
        """
        self._wake(now)
        taken: list[Item] = []
        while self._offers and self.running < self._at_once:
            if no_later_than is not None and self._offers[0][0] > no_later_than:
                break
            place, _, name = heappop(self._offers)
            host = self._hosts.get(name)
            if host is None or not self._has_room(host, now):
                continue
            while host.waiting and not self._is_wanted(host.waiting[0][2]):
                heappop(host.waiting)
            if not host.waiting:
                continue
            if host.waiting[0][0] != place:  # its item went with another offer: the next one has a later turn
                self._offer(name, host)
                continue
            taken.append(heappop(host.waiting)[2])
            self._start(name, host, now)
        return taken

    def finish(self, host: str, now: float) -> None:
        """One running item of the host is finished."""
        self.running -= 1
        books = self._hosts[host]
        books.running -= 1
        if self._has_room(books, now):
            self._offer(host, books)

    def withdraw(self, host: str) -> None:
        """One waiting item of the host is not wanted any more."""
        books = self._hosts.get(host)
        if books is None:
            return
        books.withdrawn += 1
        if 2 * books.withdrawn > len(books.waiting):
            books.waiting = [entry for entry in books.waiting if self._is_wanted(entry[2])]
            heapify(books.waiting)
            books.withdrawn = 0
            if not (books.waiting or books.running or books.not_before):
                del self._hosts[host]
        if len(self._offers) > 2 * len(self._hosts) + 1000:
            self._offers = []
            for name, each in self._hosts.items():
                self._offer(name, each)

    def pause(self, host: str, until: float) -> None:
        """Nothing of this host may start before that time."""
        books = self._hosts.setdefault(host, _Host())
        if until > books.not_before:
            books.not_before = until
            heappush(self._alarms, (until, host))

    def next_moment(self) -> float:
        """When something that waits for its time may start; infinity if nothing does."""
        alarm = self._alarms[0][0] if self._alarms else math.inf
        delayed = self._delayed[0][0] if self._delayed else math.inf
        return min(alarm, delayed)

    def _queue(self, name: str, place: Place, item: Item) -> None:
        host = self._hosts.setdefault(name, _Host())
        self._count += 1
        heappush(host.waiting, (place, self._count, item))
        if host.waiting[0][2] is item:  # else an earlier item stands for the host already, or will when it finishes
            self._offer(name, host)

    def _offer(self, name: str, host: _Host[Item]) -> None:
        if host.waiting:
            self._count += 1
            heappush(self._offers, (host.waiting[0][0], self._count, name))

    def _has_room(self, host: _Host[Item], now: float) -> bool:
        return host.running < self._politeness.connections and host.not_before <= now

    def _start(self, name: str, host: _Host[Item], now: float) -> None:
        host.running += 1
        self.running += 1
        if self._politeness.delay:
            host.not_before = max(host.not_before, now + self._politeness.delay)
            heappush(self._alarms, (host.not_before, name))
        elif self._has_room(host, now):
            self._offer(name, host)

    def _wake(self, now: float) -> None:
        while self._delayed and self._delayed[0][0] <= now:
            _, _, host, place, item = heappop(self._delayed)
            if self._is_wanted(item):
                self._queue(host, place, item)
        while self._alarms and self._alarms[0][0] <= now:
            name = heappop(self._alarms)[1]
            self._offer(name, self._hosts[name])
