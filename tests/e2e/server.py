"""A site on loopback whose answers are functions that say, byte for byte, whatever a server can do to a client."""

import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Self

HEAD_BYTES = 2**21
"""More than any head that a test sends: a URL of a megabyte may arrive."""

AT_MOST = 60.0
"""Seconds that a connection stays open if all else fails."""


class Visitor:
    """One request over one connection, and everything that a server can do to it."""

    def __init__(self, connection: socket.socket, closing: threading.Event) -> None:
        self._connection = connection
        self._closing = closing
        self._rest = b""
        self.gone = False
        self.head = ""

    @property
    def target(self) -> str:
        """What is asked for, as it stands in the request."""
        return self.head.split(" ", 2)[1]

    def header(self, name: str) -> str | None:
        """A header of the request."""
        for line in self.head.split("\r\n")[1:]:
            key, _, value = line.partition(": ")
            if key.lower() == name.lower():
                return value
        return None

    def next_request(self) -> bool:
        """Read the next head; whether there is one."""
        while b"\r\n\r\n" not in self._rest and len(self._rest) < HEAD_BYTES and not self.gone:
            self._receive()
        head, separator, self._rest = self._rest.partition(b"\r\n\r\n")
        self.head = head.decode("latin-1")
        return bool(separator)

    def say(self, *parts: bytes) -> bool:
        """Send bytes as they are; whether the client is still there."""
        try:
            for part in parts:
                self._connection.sendall(part)
        except OSError:
            self.gone = True
        return not self.gone

    def answer(self, body: bytes = b"", *headers: str, status: str = "200 OK") -> None:
        """Answer as servers do."""
        lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
        self.say("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)

    def pause(self, seconds: float) -> None:
        """Let so much time pass, unless the site closes."""
        self._closing.wait(seconds)

    def wait(self) -> None:
        """Say nothing more until the client goes away."""
        while not self.gone:
            self._receive()

    def pieces(self) -> Iterator[bytes]:
        """Whatever else the client sends, as it comes."""
        while not self.gone:
            self._receive()
            piece, self._rest = self._rest, b""
            yield piece

    def close(self) -> None:
        """Hang up."""
        self.gone = True
        self._connection.close()

    def reset(self) -> None:
        """Hang up without a good-bye: the client sees a reset."""
        self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def _receive(self) -> None:
        try:
            piece = self._connection.recv(2**16)
        except OSError:
            piece = b""
        self.gone = not piece
        self._rest += piece


Behaviour = Callable[[Visitor], object]
"""How a server answers one request."""


def not_found(visitor: Visitor) -> None:
    visitor.answer(b"nothing here", status="404 Not Found")


class Site:
    """Listens on a port of its own; ``answers`` has a behaviour for each target, ``otherwise`` is for all others."""

    def __init__(self, *, tls: ssl.SSLContext | None = None, otherwise: Behaviour = not_found) -> None:
        self.answers: dict[str, Behaviour] = {}
        self.heads: list[str] = []
        self._tls = tls
        self._otherwise = otherwise
        self._closing = threading.Event()
        self._connections: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port: int = self._listening.getsockname()[1]

    def url(self, target: str = "/", host: str = "127.0.0.1") -> str:
        """The URL of something on this site."""
        return f"http{'s' if self._tls else ''}://{host}:{self.port}{target}"

    def asked(self, target: str) -> int:
        """How often something was asked for."""
        return self.targets.count(target)

    @property
    def targets(self) -> list[str]:
        """What was asked for, in the order in which it was."""
        return [head.split(" ", 2)[1] for head in self.heads]

    def __enter__(self) -> Self:
        self._in_thread(self._accept)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        socket.create_connection(("127.0.0.1", self.port)).close()  # wakes who accepts
        self._threads[0].join(AT_MOST)
        for connection in self._connections:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # it is closed already
        for thread in self._threads:
            thread.join(AT_MOST)

    def _in_thread(self, work: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with self._listening:
            while True:
                connection, _ = self._listening.accept()
                if self._closing.is_set():
                    connection.close()
                    return
                connection.settimeout(AT_MOST)
                self._connections.append(connection)
                self._in_thread(self._serve, connection)

    def _serve(self, connection: socket.socket) -> None:
        try:
            if self._tls is not None:
                connection = self._tls.wrap_socket(connection, server_side=True)
        except OSError:
            connection.close()
            return
        with connection:
            visitor = Visitor(connection, self._closing)
            while visitor.next_request():
                self.heads.append(visitor.head)
                self.answers.get(visitor.target, self._otherwise)(visitor)
