"""The text of the leaf at hand, in the parts in which expat hands it over."""

from collections.abc import Callable

from usp.limits import TOKEN
from usp.problems import ProblemLog
from usp.values.text import decode_references


class LeafText:
    """``parts`` is filled by ``take``, which goes to expat as it is, and emptied by whoever makes a value of it.

    ``spoiled`` is the code of the problem that makes the value useless, if there is one.
    """

    __slots__ = ("_log", "_section", "parts", "spoiled", "take")

    def __init__(self, log: ProblemLog) -> None:
        self._log = log
        self.parts: list[str] = []
        self.take = self.parts.append
        self.spoiled = ""
        self._section = -1  # where in the parts a CDATA section begins

    def forget(self) -> None:
        """The leaf is of no interest any more."""
        self.parts.clear()
        self.spoiled = ""
        self._section = -1

    def start_cdata(self) -> None:
        """A CDATA section begins: of expat."""
        self._section = len(self.parts)

    def end_cdata(self, line: Callable[[], int]) -> None:
        """XML decodes nothing in a CDATA section; sites write references there all the same, and mean characters."""
        written = "".join(self.parts[self._section :]) if self._section >= 0 else ""
        if "&" in written:
            decoded = decode_references(written)
            if decoded != written:
                self._log.add("reference-in-cdata", line=line())
                self.parts[self._section :] = [decoded]
        self._section = -1

    def bound(self) -> None:
        """Between two pieces: no value may grow without end."""
        if self.parts and (self.spoiled or sum(map(len, self.parts)) > TOKEN):
            self.spoiled = self.spoiled or "long-value"
            self.parts.clear()
            self._section = min(self._section, 0)
