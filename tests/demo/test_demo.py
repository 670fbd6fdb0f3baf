"""``python -m usp.demo``: the sample site, crawled for real, and what was found."""

import re
import signal
import subprocess
import sys
import urllib.request

import pytest

from usp.demo.__main__ import main
from usp.demo.server import site_up

COMMAND = [sys.executable, "-m", "usp.demo"]


def test_the_demo_shows_sitemaps_pages_problems_and_remedies(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    output, error = capsys.readouterr()
    assert error == ""
    wanted = ["collection.xml.gz", "broken-entry", "403 Forbidden", "Recursion detected", "well-formed XML", "refused"]
    assert [part for part in wanted if part not in output] == []


def test_a_port_in_use_is_one_sentence_and_exit_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    with site_up() as site:
        assert main(["--port", str(site.server_port)]) == 2
    output, error = capsys.readouterr()
    assert (output, error.count("\n"), "in use" in error) == ("", 1, True)


def test_a_port_that_is_none_is_exit_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--port", "70000"]) == 2
    assert "70000" in capsys.readouterr().err


def test_serve_keeps_the_site_up_until_ctrl_c() -> None:
    with subprocess.Popen([*COMMAND, "--serve"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = next(line for line in process.stdout if "stays up" in line)
        url = re.search(r"http://[\d.:]+/", line)
        assert url is not None
        with urllib.request.urlopen(f"{url[0]}robots.txt", timeout=20) as answer:
            assert answer.read().startswith(b"# The museum")
        process.send_signal(signal.SIGINT)
        output, error = process.communicate(timeout=20)
    assert (output, error, process.returncode) == ("", "", 0)


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    with subprocess.Popen(COMMAND, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith("A sample site")
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(timeout=30) == 0
