"""The command as a process of its own: real pipes, real signals, a real server on loopback."""

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

PAGES = 5_000


class Site(ThreadingHTTPServer):
    """A large sitemap, then one that never comes."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}/"
        self.ending = threading.Event()
        pages = "".join(f"<url><loc>{self.url}{number}</loc></url>" for number in range(PAGES))
        self.answers = {
            "/robots.txt": f"Sitemap: {self.url}large.xml\nSitemap: {self.url}stuck.xml\n".encode(),
            "/large.xml": f"<urlset>{pages}</urlset>".encode(),
        }


class Handler(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        if self.path == "/stuck.xml":
            self.server.ending.wait()
        body = self.server.answers.get(self.path)
        with suppress(ConnectionError):  # who asked may have gone
            self.send_response(200 if body else 404)
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.ending.set()
        server.shutdown()


def usp(*argv: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-m", "usp", *argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.mark.parametrize(
    ("closing", "document", "ended"),
    [
        ("<&-", "-", (1, b"", b"There is nothing in the document.")),
        ("2>&-", "/no/such/file", (2, b"", b"")),
        (">&-", "/dev/null", (2, b"", b"the standard output is closed; to do without it: > /dev/null")),
    ],
    ids=["stdin", "stderr", "stdout"],
)
def test_a_closed_stream_is_no_fault_of_ours(closing: str, document: str, ended: tuple[int, bytes, bytes]) -> None:
    words = ["sh", "-c", f'exec "$0" -m usp parse -f pages {document} {closing}', sys.executable]
    ran = subprocess.run(words, capture_output=True, check=False)
    status, out, said = ended
    assert (ran.returncode, ran.stdout) == (status, out)
    assert said in ran.stderr
    assert b"fault" not in ran.stderr
    assert ran.stderr.count(b"\n") == (1 if said else 0)


def test_a_reader_that_leaves_ends_the_command_quietly(site: Site) -> None:
    with usp("ls", site.url, "-f", "pages") as command:
        assert command.stdout is not None
        assert command.stderr is not None
        assert command.stdout.readline().decode() == f"{site.url}0\n"
        command.stdout.close()
        assert command.stderr.read() == b""
        assert command.wait(60) == 0


def test_ctrl_c_leaves_whole_lines_and_says_so(site: Site) -> None:
    with usp("ls", site.url, "-f", "jsonl") as command:
        assert command.stdout is not None
        assert command.stderr is not None
        first = command.stdout.readline()
        command.send_signal(signal.SIGINT)
        rest = command.stdout.read()
        assert command.wait(60) == 130
        assert command.stderr.read() == b"interrupted: what was written is whole\n"
    urls = [json.loads(line)["url"] for line in (first + rest).splitlines()]
    assert urls == [f"{site.url}{number}" for number in range(len(urls))]


def test_a_sitemap_that_never_comes_is_given_up_at_the_deadline(site: Site) -> None:
    with usp("ls", site.url, "-f", "pages", "--deadline", "4s", "--strict") as command:
        out, err = command.communicate(timeout=60)
    assert command.returncode == 3
    assert len(out.splitlines()) == PAGES
    assert err.decode().splitlines()[0] == "not complete: The limit of 4 seconds was reached."


def test_a_site_that_is_down_is_no_success() -> None:
    with Site() as server:
        url = server.url
    with usp("ls", url, "--retries", "0") as command:
        out, err = command.communicate(timeout=60)
    assert command.returncode == 1
    assert out.decode() == f"{url}\n"
    assert "could not be reached" in err.decode()
    assert err.count(b"\n") == 1
