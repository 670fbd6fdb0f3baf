"""``usp demo``: a sample site on this machine, crawled for real, and what was found and what was wrong."""

import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.console import Console, Ran
from usp.demo.server import site_up
from usp.demo.site import SECTIONS

PATHS = [path for exhibits in SECTIONS.values() for path in exhibits if path not in {"/", "/moved.xml"}]


@pytest.fixture(scope="module")
def ran() -> Iterator[Ran]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        yield Console(monkeypatch).run("demo")


def test_the_whole_site_is_drawn(ran: Ran) -> None:
    assert ran.status == 0
    assert ran.lines[0].endswith("web site, 37 sitemaps, 309 pages, not complete")
    drawn = "\n".join(line for line in ran.lines if "──" in line)
    assert [path for path in PATHS if f"{path}  " not in drawn] == []


def test_problems_are_shown_with_lines_and_remedies(ran: Ran) -> None:
    (report,) = re.findall(r"^http\S+/mismatched-tag\.xml\n(.*?)^$", ran.out.decode(), re.DOTALL | re.MULTILINE)
    assert report.splitlines() == [
        "loss broken-entry: An entry is not well-formed and was dropped.",
        "  remedy: Make the entry well-formed XML.",
        "  line 7: mismatched tag",
    ]


def test_odd_values_are_judged_too(ran: Ran) -> None:
    assert "note bad-date" in ran.out.decode()


def test_what_was_blocked_has_a_remedy(ran: Ran) -> None:
    lines = ran.lines
    assert "--user-agent" in lines[lines.index("blocked: 403 Forbidden") + 1]


def test_sound_sitemaps_have_no_report(ran: Ran) -> None:
    headings = [line for line in ran.lines if re.fullmatch(r"http://\S+", line)]
    assert not any(line.endswith(("/urlset.xml", "/collection.xml.gz")) for line in headings)
    assert len(headings) == 14


def test_what_happens_is_said_beside_the_data(ran: Ran) -> None:
    assert ran.err.startswith("A sample site is up at http://127.0.0.1:")
    assert "busy.xml: asking again in 1 s: 503 Service Unavailable" in ran.err
    assert "309 pages; " in ran.err
    assert "sitemaps: 28 ok, " in ran.err


def test_quiet_says_nothing_beside_the_data_and_the_log_goes_to_a_file(console: Console, tmp_path: Path) -> None:
    log = tmp_path / "log"
    ran = console.run("demo", "--quiet", "-v", "--log-file", str(log))
    assert (ran.status, ran.err) == (0, "")
    assert "309 pages" in ran.lines[0]
    assert "/robots.txt" in log.read_text(encoding="utf-8")


def test_no_proxy_of_the_environment_is_asked(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "example.org")
    before = dict(os.environ)
    ran = console.run("demo", "--quiet")
    assert (ran.status, "309 pages" in ran.lines[0]) == (0, True)
    assert dict(os.environ) == before


def test_the_site_is_gone_afterwards(ran: Ran) -> None:
    url = ran.lines[0].split()[0]
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(url, timeout=20)


def test_a_port_in_use_is_one_sentence_and_exit_status_2(console: Console) -> None:
    with site_up() as site:
        ran = console.run("demo", "--port", str(site.server_port))
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, b"", 1)
    assert f"port {site.server_port} is not to be had" in ran.err


@pytest.mark.parametrize("port", ["65536", "-1", "http"])
def test_a_port_that_is_none_is_refused(console: Console, port: str) -> None:
    ran = console.run("demo", "--port", port)
    assert (ran.status, ran.out) == (2, b"")
    assert port in ran.err


@pytest.mark.parametrize("module", [["usp", "demo"], ["usp.demo"]])
def test_serve_keeps_the_site_up_until_ctrl_c(module: list[str]) -> None:
    command = [sys.executable, "-m", *module, "--serve"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        line = next(line for line in process.stderr if "stays up" in line)
        (url,) = re.findall(r"at (http://[\d.:]+/) until", line)
        with urllib.request.urlopen(f"{url}robots.txt", timeout=20) as answer:
            assert answer.read().startswith(b"# The museum")
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=20)
    assert (error, process.returncode) == ("", 0)


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    command = [sys.executable, "-m", "usp", "demo", "--quiet"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(timeout=30) == 0
