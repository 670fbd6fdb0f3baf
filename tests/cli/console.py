"""A console to run commands in: what they write, what they say, how they end."""

import io
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple

import pytest

from usp.cli import main


class Ran(NamedTuple):
    """A command that has run."""

    status: int
    out: bytes
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.decode().splitlines()


class Stream(io.TextIOWrapper):
    """A standard stream, of a terminal or not."""

    def __init__(self, written: bytes = b"", *, is_terminal: bool = False, encoding: str = "utf-8") -> None:
        super().__init__(io.BytesIO(written), encoding=encoding, errors="backslashreplace", write_through=True)
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal

    def seen(self) -> bytes:
        self.flush()
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue()


class Console:
    """Where commands run; ``terminals`` names those of the standard streams that are a terminal."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch
        self.terminals: set[str] = set()
        self.encoding = "utf-8"
        self.stdin = b""

    def run(self, *argv: str) -> Ran:
        """Run ``usp`` with these arguments."""
        out, err = (Stream(is_terminal=name in self.terminals, encoding=self.encoding) for name in ("stdout", "stderr"))
        self._monkeypatch.setattr("sys.stdin", Stream(self.stdin))
        with redirect_stdout(out), redirect_stderr(err):
            status = main(argv)
        return Ran(status, out.seen(), err.seen().decode(self.encoding))
