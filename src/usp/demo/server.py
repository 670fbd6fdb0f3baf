"""The server of the sample site: on the loopback interface only, bounded, and gone when it is told to go.

Laws: it says what ``usp.demo.site`` has prepared and nothing else; of a request it reads the line and the head, never a
body. So many connections at a time and no more; each is given up when it is silent for long.
"""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import socket
from socketserver import TCPServer
from typing import Any

from usp.demo.site import Answer, answers

LOOPBACK = "127.0.0.1"
CONNECTIONS = 64
SILENT = 10.0
"""Seconds after which a connection that says nothing is closed."""

_NOT_FOUND = (Answer(404),)


class SiteServer(ThreadingHTTPServer):
    """Listens on a port of this machine alone; on a free one by default."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, port: int = 0) -> None:
        super().__init__((LOOPBACK, port), _Handler)
        self.url = f"http://{LOOPBACK}:{self.server_port}/"
        self.ending = threading.Event()
        self._answers = answers(self.url.rstrip("/"))
        self._asked: Counter[str] = Counter()
        self._turn = threading.Lock()
        self._free = threading.BoundedSemaphore(CONNECTIONS)

    def server_bind(self) -> None:
        """Take the port without asking a name server what this machine is called, as ``HTTPServer`` would."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = LOOPBACK, self.socket.getsockname()[1]

    def answer(self, path: str) -> Answer:
        """What is to be said to the next request for a path."""
        prepared = self._answers.get(path, _NOT_FOUND)
        if len(prepared) == 1:
            return prepared[0]
        with self._turn:
            self._asked[path] += 1
            return prepared[(self._asked[path] - 1) % len(prepared)]

    def process_request(self, request: socket | tuple[bytes, socket], client_address: Any) -> None:
        """One thread a connection, and none for one too many: that is closed."""
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: socket | tuple[bytes, socket], client_address: Any) -> None:
        """The whole life of a connection; a client that goes away is nobody's fault."""
        try:
            with suppress(OSError):
                self.finish_request(request, client_address)
        finally:
            self.shutdown_request(request)
            self._free.release()


@contextmanager
def site_up(port: int = 0) -> Iterator[SiteServer]:
    """The sample site, for as long as the context lasts. ``OSError`` if the port is not to be had."""
    with SiteServer(port) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), name="usp-demo", daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.ending.set()
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = SILENT
    disable_nagle_algorithm = True
    server: SiteServer

    def do_GET(self) -> None:
        self._say(with_body=True)

    def do_HEAD(self) -> None:
        self._say(with_body=False)

    def _say(self, *, with_body: bool) -> None:
        answer = self.server.answer(self.path.partition("?")[0])
        if answer.wait:
            self.server.ending.wait(answer.wait)
        self.send_response(answer.status)
        for name, value in {**answer.headers, "Content-Length": str(len(answer.body))}.items():
            self.send_header(name, value)
        if self.headers.get("Content-Length") or self.headers.get("Transfer-Encoding"):
            self.send_header("Connection", "close")  # a body that nobody reads must not be taken for a request
        self.end_headers()
        if with_body:
            self.wfile.write(answer.body)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the name of the base class
        """Say nothing: the terminal is for the crawl."""
