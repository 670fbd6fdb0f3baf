"""Text where none should be: between the elements of an entry, between entries, behind the end."""

_KEPT = 50
"""Different runs of white space that are remembered; a document has a handful, the indentations of its levels."""


class StrayText:
    """Gathers the text outside of leaves, almost always white space; ``take`` goes to expat as it is.

    The runs are a set: as long as it does not grow, nothing but white space that was met before has come.
    """

    __slots__ = ("_blank", "_met", "_runs", "take")

    def __init__(self) -> None:
        self._runs: set[str] = set()
        self._blank = 0  # how many of the runs were looked at and are white space
        self._met = False
        self.take = self._runs.add

    def met(self) -> bool:
        """Whether there was any since the last time that somebody asked or forgot it."""
        if len(self._runs) == self._blank and not self._met:
            return False
        self._look()
        met, self._met = self._met, False
        return met

    def pending(self) -> bool:
        """Whether there was any that nobody asked for yet."""
        self._look()
        return self._met

    def forget(self) -> None:
        """What came is of no interest."""
        self.met()

    def bound(self) -> None:
        """Between two pieces: look at what came, lest it grow without end."""
        if len(self._runs) > self._blank:
            self._look()

    def _look(self) -> None:
        for run in [run for run in self._runs if run and not run.isspace()]:
            self._runs.discard(run)
            self._met = True
        if len(self._runs) > _KEPT:
            self._runs.clear()
        self._blank = len(self._runs)
