"""Ctrl-C, pressed while a program is in the middle of something, ends it within a second and leaves nothing behind."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.crawling import good
from tests.e2e.interrupted import SCENARIOS, UNSTOPPABLE
from tests.e2e.server import Behaviour, Site, Visitor

SECONDS = 1.0
SLACK = 9.0
"""For machines that have much else to do. What does not end by Ctrl-C takes several times as long."""

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are sent as on Unix")


class Program:
    """The program in a process of its own."""

    def __init__(self, scenario: str, site: Site, folder: Path, *more: str) -> None:
        self.site = site
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-W",
                "always",
                "-m",
                "tests.e2e.interrupted",
                scenario,
                site.url(host="site.example" if "name" in scenario else "127.0.0.1"),
                *more,
            ],
            cwd=ROOT,
            env=os.environ | {"TMPDIR": str(folder)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.pressed_at = 0.0

    def press(self) -> None:
        self.pressed_at = time.monotonic()
        self.process.send_signal(signal.SIGINT)

    def wait_until_it_says(self, word: str) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.strip() == word:
                return
        raise AssertionError(f"it never said {word}")

    def end(self) -> tuple[str, str]:
        """What it wrote after Ctrl-C; it must have ended in time."""
        told, errors = self.process.communicate(timeout=60)
        assert time.monotonic() - self.pressed_at < SECONDS + SLACK
        return told, errors


SILENT = {
    "a server is silent",
    "a body breaks off",
    "two servers are silent",
    "requests waits for a server",
    "a stream waits for a server",
    "a notebook waits for a server",
    "an event loop waits for a server",
}
"""Where the server knows the moment; elsewhere the program does."""


@contextmanager
def running(scenario: str, folder: Path, *more: str) -> Iterator[Program]:
    """A program that is in the middle of its scenario."""
    asked: list[Visitor] = []

    def silent(visitor: Visitor) -> None:
        if scenario == "a body breaks off":
            visitor.say(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n<urlset>")
        asked.append(visitor)
        if len(asked) == (2 if scenario == "two servers are silent" else 1):
            program.press()
        visitor.wait()

    with Site(otherwise=silent if scenario in SILENT else answer_of(scenario)) as site:
        program = Program(scenario, site, folder, *more)
        try:
            if scenario not in SILENT:
                program.wait_until_it_says("now")
                program.press()
            yield program
        finally:
            program.process.kill()
            program.process.communicate()
        assert all(visitor.gone for visitor in asked)


def answer_of(scenario: str) -> Behaviour:
    if scenario == "a retry waits":
        return lambda visitor: visitor.answer(b"", "Retry-After: 50", status="503 Service Unavailable")
    if "callback" in scenario:
        return lambda visitor: visitor.answer(b"<sitemapindex><sitemap><loc>/b.xml</loc></sitemap></sitemapindex>")
    if scenario == "a large document is read":
        body = b"<urlset>" + b"<url><loc>/page</loc><!-- --></url>" * 500_000
        return lambda visitor: visitor.answer(body)
    return good


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_ctrl_c_ends_the_program_and_leaves_nothing(scenario: str, tmp_path: Path) -> None:
    with running(scenario, tmp_path) as program:
        told, errors = program.end()
    left = json.loads(told.splitlines()[-1])
    unstoppable = UNSTOPPABLE.get(scenario, "")
    assert [name for name in left.pop("threads") if not (unstoppable and name.startswith(unstoppable))] == []
    assert left == {"files": [], "temporary files": []}
    assert errors == ""
    assert program.process.returncode == 0


@pytest.mark.parametrize(
    "scenario", ["a server is silent", "a client blocks in a stream", "a stream that nobody closes", "an event blocks"]
)
def test_ctrl_c_that_nobody_catches_ends_the_program_as_everywhere(scenario: str, tmp_path: Path) -> None:
    with running(scenario, tmp_path, "uncaught") as program:
        _, errors = program.end()
    assert program.process.returncode == -signal.SIGINT
    assert errors.splitlines()[-1] == "KeyboardInterrupt"
    assert not [word for word in ("ignored", "Warning", "never", "destroyed") if word in errors]
    assert list(tmp_path.iterdir()) == []
