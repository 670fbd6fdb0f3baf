"""Lines of a text that comes in pieces."""

from collections.abc import Iterator

INVISIBLE = dict.fromkeys(map(ord, "\ufeff\u200b\u2060"), " ")
"""For ``str.translate``: byte order marks and the like, left by whoever joined files, are white space."""


class Lines:
    """Pieces of text in, whole lines with their numbers out; what lies beyond ``longest`` in a line is dropped."""

    __slots__ = ("_line", "_longest", "_rest", "cut", "first_cut")

    def __init__(self, longest: int, line: int = 1) -> None:
        self._longest = longest
        self._line = line
        self._rest: list[str] = []
        self.cut = 0
        """How many lines were too long so far."""
        self.first_cut = 0
        """The number of the first of them."""

    def feed(self, text: str) -> Iterator[tuple[int, str]]:
        """The lines that are whole now."""
        first, *others = text.split("\n")
        self._keep(first)
        for other in others:
            yield from self.close()
            self._line += 1
            self._keep(other)

    def close(self) -> Iterator[tuple[int, str]]:
        """The line begun last."""
        line = "".join(self._rest)
        self._rest.clear()
        if len(line) > self._longest:
            self.cut += 1
            self.first_cut = self.first_cut or self._line
            # The last word is cut in two: nobody wrote the half of it.
            line = line[: max(line.rfind(" ", 0, self._longest), line.rfind("\t", 0, self._longest)) + 1]
        yield self._line, line

    def _keep(self, part: str) -> None:
        """Beyond the bound a single character is kept: the sign that the line is too long."""
        if not part:
            return
        self._rest.append(part)
        if len(self._rest) > 1 or len(part) > self._longest:
            self._rest[:] = ["".join(self._rest)[: self._longest + 1]]
