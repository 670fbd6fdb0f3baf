"""What people see: progress, summaries, logs; on any terminal, through pipes, until Ctrl-C."""

import asyncio
import io
import json
import logging
import re
import signal
from pathlib import Path
from typing import cast

import pyarrow.parquet
import pytest

from tests.cli.conftest import Site
from tests.cli.console import Console, Stream
from tests.cli.sites import HOME, ailing, animals, robots, urlset
from usp.cli import main
from usp.cli.account import Account
from usp.cli.progress import progress_lines
from usp.cli.selection import Selection
from usp.events import Event, EventKind
from usp.fetching.memory import Answer
from usp.formats.native import Compiled, NativeReader
from usp.messages import Request
from usp.outputs.batches import Listed
from usp.problems import Outcome


def test_nothing_is_said_where_nobody_looks(console: Console, site: Site) -> None:
    site(animals())
    assert console.run("ls", HOME).err == ""


def test_a_summary_is_said_where_somebody_looks(console: Console, site: Site) -> None:
    site(ailing())
    console.terminals = {"stderr"}
    said = console.run("ls", HOME, "-f", "pages").err.splitlines()
    assert said[-6].startswith("\x1b")
    assert said[-5].endswith(" s")
    assert "3 pages; 25 requests, " in said[-5]
    assert said[-4:-2] == ["sitemaps: 3 ok, 1 absent, 1 blocked, 1 truncated", "problems: 2 losses, 1 note"]
    assert said[-2] == f"not complete: {HOME}blocked.xml was blocked: 403 Forbidden"


def test_progress_is_a_line_a_sitemap_where_nothing_can_be_redrawn(console: Console, site: Site) -> None:
    site({**animals(), "dogs.xml": [(503, {"Retry-After": "0"}, ""), urlset("dogs/1", "both")]})
    said = console.run("ls", HOME, "--progress").err
    assert f"[1/3] {HOME}index.xml: 2 sitemaps\n" in said
    assert f"{HOME}cats.xml: 3 pages\n" in said
    assert f"{HOME}dogs.xml: asking again in " in said
    assert "503 Service Unavailable" in said
    assert "404" not in said
    assert "6 pages; 24 requests" in said
    assert "\x1b" not in said


def test_quiet_shows_no_progress(console: Console, site: Site) -> None:
    site(animals())
    console.terminals = {"stderr"}
    assert console.run("ls", HOME, "--progress", "--quiet").err == ""


def slowly(body: str) -> Answer:
    """An answer that takes long enough to be seen."""

    async def answer(request: Request) -> str:
        await asyncio.sleep(0.2)
        return body

    return answer


def test_on_a_terminal_progress_is_redrawn(console: Console, site: Site) -> None:
    site({**animals(), "dogs.xml": slowly(urlset("dogs/1"))})
    console.terminals = {"stderr"}
    ran = console.run("ls", HOME)
    assert f"fetching {HOME}dogs.xml" in ran.err
    assert "\x1b[1m" in ran.err
    assert b"\x1b" not in ran.out


def test_colours_are_left_out_if_they_are_not_wanted(
    console: Console, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site({**animals(), "cats.xml": [(503, {"Retry-After": "1"}, ""), urlset("cats/1")], "dogs.xml": slowly("dogs/1")})
    monkeypatch.setenv("NO_COLOR", "1")
    console.terminals = {"stderr"}
    said = console.run("ls", HOME).err
    assert "fetching" in said
    assert not [colour for colour in range(30, 50) if f"\x1b[{colour}m" in said]


def test_a_narrow_terminal_cuts_urls_and_keeps_the_sums(
    console: Console, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site({**animals(), "dogs.xml": slowly(urlset("dogs/1"))})
    monkeypatch.setenv("COLUMNS", "24")
    console.terminals = {"stderr"}
    said = console.run("ls", HOME).err
    assert re.search(r"\n  fetching https://examp[\r\n]", said)
    assert f"{HOME}dogs.xml" not in said


def test_a_terminal_without_unicode_is_given_what_it_can_show(console: Console, site: Site) -> None:
    site({"robots.txt": robots("hünde.xml"), "hünde.xml": slowly(urlset("größe"))})
    console.terminals, console.encoding = {"stdout", "stderr"}, "ascii"
    ran = console.run("ls", HOME, "-f", "tree", "--pages", "1")
    assert ran.status == 0
    assert ran.out.decode("ascii").splitlines()[1:] == [
        f"`-- {HOME}robots.txt  robots.txt, 1 sitemap",
        f"    `-- {HOME}h\\xfcnde.xml  sitemap, 1 page",
        f"        `-- {HOME}gr\\xf6\\xdfe",
    ]
    assert f"fetching {HOME}h?nde.xml" in ran.err


def test_a_pipe_is_given_utf_8_whatever_the_terminal_shows(console: Console, site: Site) -> None:
    site({"sitemap.xml": urlset("größe")})
    console.encoding = "ascii"
    assert console.run("ls", HOME, "-f", "pages").out.decode() == f"{HOME}größe\n"


def test_a_terminal_is_given_no_binary_data(console: Console, site: Site, tmp_path: Path) -> None:
    fetcher = site(animals())
    console.terminals = {"stdout"}
    ran = console.run("ls", HOME, "-f", "parquet")
    assert (ran.status, ran.err) == (2, "usp ls: error: a terminal cannot show parquet: give -o FILE\n")
    assert fetcher.requests == []
    assert console.run("ls", HOME, "-f", "parquet", "-o", str(tmp_path / "pages.parquet")).status == 0


@pytest.mark.parametrize("format_name", ["pages", "tree"])
def test_progress_gives_way_to_data_on_the_same_terminal(
    console: Console, site: Site, monkeypatch: pytest.MonkeyPatch, format_name: str
) -> None:
    site({**animals(), "dogs.xml": slowly(urlset("dogs/1"))})
    console.terminals = {"stdout", "stderr"}
    shared = Stream(is_terminal=True)
    monkeypatch.setattr("sys.stdout", shared)
    monkeypatch.setattr("sys.stderr", shared)
    assert main(["ls", HOME, "-f", format_name]) == 0
    drawn, _, data = shared.seen().decode().rpartition("\x1b[2K")
    assert "sitemaps, " in drawn
    assert HOME in data
    assert "\x1b" not in data


def test_what_is_fetched_and_waited_for_is_shown_with_the_reason() -> None:
    now = [100.0]
    account = Account(lambda: now[0])
    account.homepage = HOME
    for number in range(8):
        account.take(Event(kind=EventKind.STARTED, url=f"{HOME}{number}.xml"))
    account.take(Event(kind=EventKind.PROGRESS, url=f"{HOME}0.xml", bytes=2_000_000))
    account.take(Event(kind=EventKind.FINISHED, url=f"{HOME}1.xml", outcome=Outcome.OK, pages=1500, sitemaps=9))
    account.take(Event(kind=EventKind.RETRIED, url=f"{HOME}2.xml", reason="503 Service\n\x1bUnavailable", wait=30.0))
    now[0] = 110.0
    assert [line for line, _ in progress_lines(account)] == [
        "1/9 sitemaps, 1,500 pages, 2.0 MB, 150 pages/s, 10 s",
        f"  waiting 20 s for {HOME}2.xml: 503 Service \\x1bUnavailable",
        f"  fetching {HOME}0.xml, 2.0 MB",
        f"  fetching {HOME}3.xml",
        f"  fetching {HOME}4.xml",
        f"  fetching {HOME}5.xml",
        "  and 2 more",
    ]


def test_usual_places_without_a_sitemap_count_nothing() -> None:
    account = Account(lambda: 0.0)
    account.homepage = HOME
    for path, outcome in (("robots.txt", Outcome.OK), ("sitemap.txt", Outcome.ABSENT), ("", Outcome.OK)):
        account.take(Event(kind=EventKind.FINISHED, url=HOME + path, outcome=outcome))
    assert (account.done, account.found) == (0, 0)
    account.take(Event(kind=EventKind.FINISHED, url=f"{HOME}sitemap.xml", outcome=Outcome.OK, pages=1))
    assert (account.done, account.found) == (1, 1)


@pytest.mark.parametrize(
    ("option", "there", "not_there"),
    [("-v", "INFO", "DEBUG"), ("--verbose", "INFO", "DEBUG"), ("-vv", "DEBUG", "Traceback")],
)
def test_the_log_goes_to_stderr(console: Console, site: Site, option: str, there: str, not_there: str) -> None:
    site(ailing())
    console.terminals = {"stderr"}
    said = console.run("ls", HOME, option).err
    assert there in said
    assert "WARNING" in said
    assert not_there not in said
    assert "\x1b" not in said


@pytest.mark.parametrize("option", ["-l", "--log-file"])
def test_the_log_goes_to_a_file_and_not_to_stderr(console: Console, site: Site, tmp_path: Path, option: str) -> None:
    site(ailing())
    ran = console.run("ls", HOME, option, str(tmp_path / "log"), "-vv")
    log = (tmp_path / "log").read_text(encoding="utf-8")
    assert "DEBUG" in log
    assert f"WARNING {HOME}blocked.xml: 403 Forbidden" in log
    assert "DEBUG" not in ran.err


def test_without_a_log_nothing_is_logged_and_afterwards_logging_is_as_it_was(console: Console, site: Site) -> None:
    logger = logging.getLogger("usp")
    before = (logger.level, logger.propagate, list(logger.handlers))
    site(ailing())
    ran = console.run("ls", HOME, "-v")
    assert "INFO" in ran.err
    assert "WARNING" not in console.run("ls", HOME).err
    assert (logger.level, logger.propagate, list(logger.handlers)) == before


def test_everything_that_can_be_said_includes_why_the_compiled_reader_declined(
    console: Console, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    native = NativeReader(cast("Compiled", None))
    native.accepted = 3
    native.declines.update({"problem": 2, "charset": 1})
    monkeypatch.setattr("usp.compiled.native_reader", lambda: native)
    site(animals())
    assert "has read 3 documents and declined these: charset 1, problem 2\n" in console.run("ls", HOME, "-vv").err
    assert "declined" not in console.run("ls", HOME, "-v").err


def test_a_site_cannot_forge_the_log(console: Console, site: Site) -> None:
    site({"robots.txt": (301, {"Location": "/a\x1b[2Jb\n2024-01-01 INFO all is fine"}, "")})
    said = console.run("ls", HOME, "-vv").err
    assert "\x1b" not in said
    assert not [line for line in said.splitlines() if line.startswith("2024-01-01 INFO")]


class ClosedPipe(Stream):
    """Stdout whose reader has gone."""

    def __init__(self) -> None:
        super().__init__()
        self.buffer.write = refuse  # type: ignore[method-assign]


def refuse(written: object) -> int:
    raise BrokenPipeError


@pytest.mark.parametrize("format_name", ["tabtree", "pages", "tree", "json", "jsonl", "csv", "parquet"])
def test_a_reader_that_has_seen_enough_is_no_fault(
    console: Console, site: Site, monkeypatch: pytest.MonkeyPatch, format_name: str
) -> None:
    site(animals())
    err = Stream()
    monkeypatch.setattr("sys.stdout", ClosedPipe())
    monkeypatch.setattr("sys.stderr", err)
    assert main(["ls", HOME, "-f", format_name]) == 0
    assert err.seen() == b""


class CtrlC:
    """Presses Ctrl-C once so many pages are written, while a sitemap is waited for that never comes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, after: int) -> None:
        self._left = after
        self._of_batch = Selection.of_batch
        monkeypatch.setattr(Selection, "of_batch", lambda selection, batch: self._count(selection, batch))

    def _count(self, selection: Selection, batch: list[Listed]) -> list[Listed]:
        self._left -= len(batch)
        return self._of_batch(selection, batch)

    async def answer(self, _: Request) -> str:
        while self._left > 0:  # the loop runs only while the next pages are waited for: then these are written
            await asyncio.sleep(0.01)
        signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(60)
        return "never"


@pytest.mark.parametrize("format_name", ["pages", "jsonl", "csv", "parquet"])
def test_after_ctrl_c_what_was_written_is_whole(
    console: Console, site: Site, monkeypatch: pytest.MonkeyPatch, format_name: str
) -> None:
    pages = [f"{number}" for number in range(2500)]
    ctrl_c = CtrlC(monkeypatch, after=len(pages))
    site({"robots.txt": robots("1.xml", "2.xml"), "1.xml": urlset(*pages), "2.xml": ctrl_c.answer})
    ran = console.run("ls", HOME, "-f", format_name)
    assert (ran.status, ran.err) == (130, "interrupted: what was written is whole\n")
    if format_name == "parquet":
        assert pyarrow.parquet.read_table(io.BytesIO(ran.out)).num_rows == len(pages)
    else:
        assert len(ran.lines) == len(pages) + (format_name == "csv")
        assert format_name != "jsonl" or json.loads(ran.lines[-1])["url"] == f"{HOME}2499"


@pytest.mark.parametrize("format_name", ["tabtree", "tree", "json", "csv", "parquet"])
def test_ctrl_c_before_anything_is_written_leaves_a_file_alone(
    console: Console, site: Site, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, format_name: str
) -> None:
    site({"robots.txt": CtrlC(monkeypatch, after=0).answer})
    file = tmp_path / "pages"
    file.write_text("good", encoding="utf-8")
    assert console.run("ls", HOME, "-f", format_name, "-o", str(file)).status == 130
    assert file.read_text(encoding="utf-8") == "good"


def test_a_fault_of_our_own_shows_no_traceback_unless_wanted(
    console: Console, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("something is wrong here")

    site(animals())
    monkeypatch.setattr("usp.cli.listing.is_usable", fail)
    ran = console.run("ls", HOME)
    assert (ran.status, ran.err.splitlines()) == (
        1,
        [
            "usp ls: a fault of USP itself: ValueError: something is wrong here",
            "usp ls: please report it with what -vv shows",
        ],
    )
    assert "Traceback" in console.run("ls", HOME, "-vv").err


def test_a_missing_package_is_named_with_what_installs_it(
    console: Console, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def import_module(name: str) -> object:
        raise ModuleNotFoundError(name)

    site(animals())
    monkeypatch.setattr("usp.outputs.tables.import_module", import_module)
    ran = console.run("ls", HOME, "-f", "parquet")
    assert (ran.status, ran.out) == (2, b"")
    assert "pip install 'usp[tables]'" in ran.err


def test_a_full_disk_is_said_in_a_line(console: Console, site: Site) -> None:
    site(animals())
    ran = console.run("ls", HOME, "-f", "jsonl", "-o", "/dev/full")
    assert ran.status == 2
    assert "No space left on device" in ran.err
    assert "Traceback" not in ran.err
