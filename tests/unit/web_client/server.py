"""A server on loopback for the client on top of requests: each path answers as its test says. Bounded, and closed."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MOST = 8 * 1024 * 1024
"""Bytes that an endless body has at most, so that a client that reads it all fails its test and not the machine."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are written apart
    server: "Server"

    def do_GET(self) -> None:
        self.server.requests.append((self.path, dict(self.headers)))
        with suppress(OSError):  # the client went away
            self.server.answers[self.path](self)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the name of the base class
        """Say nothing."""

    def give(self, status: int = 200, body: bytes = b"", phrase: str | None = None, **headers: str) -> None:
        """A whole answer; an underscore in the name of a header stands for a hyphen."""
        self.head(status, phrase, Content_Length=str(len(body)), **headers)
        self.wfile.write(body)

    def head(self, status: int = 200, phrase: str | None = None, **headers: str) -> None:
        self.send_response(status, phrase)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()


Answer = Callable[[Handler], None]


class Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, answers: Mapping[str, Answer]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = answers
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.stopping = threading.Event()

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.server_port}{path}"


@contextmanager
def serving(answers: Mapping[str, Answer]) -> Iterator[Server]:
    server = Server(answers)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stopping.set()
        server.shutdown()
        server.server_close()
        thread.join()


def endless(handler: Handler) -> None:
    """A body without end, as fast as it is read."""
    handler.head(Connection="close")
    for _ in range(MOST // 65536):
        handler.wfile.write(b"x" * 65536)


def one_byte_after_another(handler: Handler) -> None:
    """A body that says a byte, and then another, so slowly that no read ever times out and no body ever ends."""
    handler.head(Content_Length=str(MOST))
    for _ in range(3000):
        handler.wfile.write(b"x")
        if handler.server.stopping.wait(0.01):
            return


def silent(handler: Handler) -> None:
    """Nothing at all."""
    handler.server.stopping.wait(30)
