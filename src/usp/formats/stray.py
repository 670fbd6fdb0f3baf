"""Text where none should be: between the elements of an entry, between entries, behind the end."""

_KEPT = 64
"""Runs of text kept before they are looked at."""


class StrayText:
    """Gathers the text outside of leaves, almost always white space; ``take`` goes to expat as it is."""

    __slots__ = ("_met", "_runs", "take")

    def __init__(self) -> None:
        self._runs: list[str] = []
        self._met = False
        self.take = self._runs.append

    def bound(self) -> None:
        """Between two pieces: look at what came, lest it grow without end."""
        if len(self._runs) > _KEPT:
            self._met = self._met or not "".join(self._runs).isspace()
            self._runs.clear()

    def met(self) -> bool:
        """Whether there was any since the last time that somebody asked or forgot it."""
        runs = self._runs
        met = self._met or (bool(runs) and not ("".join(runs) or " ").isspace())
        runs.clear()
        self._met = False
        return met

    def forget(self) -> None:
        """What came is of no interest."""
        self._runs.clear()
        self._met = False
