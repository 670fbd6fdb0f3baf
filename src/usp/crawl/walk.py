"""The tree in its own order, as far as it is known.

Laws: passes every place once, depth first, and stops before the first one that is not settled; what was passed never
changes any more.
"""

from collections.abc import Iterator, Sequence

from usp.crawl.places import Branch, Place


class Walk:
    """Goes over the places of all branches, and goes on where it stood when more is known."""

    def __init__(self, branches: Sequence[Branch]) -> None:
        self._branches = branches
        self._branch = 0
        self._stack: list[tuple[Place, int]] = []
        self.head: Place | None = None
        """The place that everything after it waits for; None before the first walk and after the last."""

    def advance(self) -> Iterator[Place]:
        """The places that are known by now, from where the last walk stood."""
        while True:
            place = self._next()
            if place is None:
                self.head = None
                return
            if not place.settled:
                self.head = place
                return
            self._pass(place)
            yield place

    def _next(self) -> Place | None:
        """The place that comes next; None at the end."""
        while self._stack:
            place, number = self._stack[-1]
            if number < len(place.children):
                return place.children[number]
            self._stack.pop()
        while self._branch < len(self._branches):
            branch = self._branches[self._branch]
            if branch.accepted or not branch.passed:
                return branch.place
            self._branch += 1
        return None

    def _pass(self, place: Place) -> None:
        if self._stack:
            above, number = self._stack[-1]
            self._stack[-1] = (above, number + 1)
        else:
            self._branch += 1
        self._stack.append((place, 0))
