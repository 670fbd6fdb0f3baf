"""Serves a generated site on loopback, in a process of its own: ``with serving(folder, latency) as site: ...``.

Laws: costs next to nothing while it is measured with: every answer is whole bytes in memory before the first request,
sent by one call; a connection has a thread, which sleeps the latency before each answer. Keeps connections as servers
do. Ends when its standard input does, so that it never outlives the benchmark.
"""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import ClassVar

from bench.processes import ROOT
from bench.site import SITE

CONTENT_TYPES = {
    ".gz": "application/gzip",
    ".html": "text/html; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".xml": "application/xml",
}


@contextmanager
def serving(folder: Path, latency: float) -> Iterator[str]:
    """Serve a folder; gives the address of the site, without a slash at its end."""
    command = [sys.executable, "-m", "bench.server", str(folder), str(latency)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.stdin.close()


class Handler(StreamRequestHandler):
    """One connection: request after request."""

    disable_nagle_algorithm = True
    answers: ClassVar[dict[bytes, bytes]] = {}
    latency: ClassVar[float] = 0.0

    def handle(self) -> None:
        while request_line := self.rfile.readline():
            while self.rfile.readline() not in (b"\r\n", b""):
                pass
            time.sleep(self.latency)
            try:
                self.connection.sendall(self.answers.get(request_line.split()[1], NOT_FOUND))
            except ConnectionError:
                return  # whoever asked has gone


class Server(ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 128


def answer(status: str, content_type: str, body: bytes) -> bytes:
    """A whole answer."""
    head = f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode("ascii") + body


NOT_FOUND = answer("404 Not Found", CONTENT_TYPES[".html"], b"<!doctype html><title>Not found</title>\n")


def answers(folder: Path, site: str) -> dict[bytes, bytes]:
    """The answer for each path."""
    prepared = {}
    for file in folder.iterdir():
        body = file.read_bytes()
        if SITE.encode() in body:
            body = body.replace(SITE.encode(), site.encode())
        prepared[f"/{file.name}".encode()] = answer("200 OK", CONTENT_TYPES[file.suffix], body)
    prepared[b"/"] = prepared[b"/index.html"]
    return prepared


def main(folder: str, latency: str) -> None:
    with Server(("127.0.0.1", 0), Handler) as server:
        site = f"http://127.0.0.1:{server.server_address[1]}"
        Handler.answers = answers(Path(folder), site)
        Handler.latency = float(latency)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print(site, flush=True)
        sys.stdin.read()
        server.shutdown()


if __name__ == "__main__":
    main(*sys.argv[1:])
