"""Servers whose TLS nobody should trust, or that speak none: one function a fault."""

import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import trustme


def context(authority: trustme.CA, name: str, not_after: datetime | None = None) -> ssl.SSLContext:
    """What a server presents."""
    presented = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name, not_after=not_after).configure_cert(presented)
    return presented


def for_another_name(authority: trustme.CA) -> ssl.SSLContext:
    return context(authority, "other.example")


def by_an_authority_that_nobody_knows(authority: trustme.CA) -> ssl.SSLContext:
    return context(trustme.CA(), "127.0.0.1")


def out_of_date(authority: trustme.CA) -> ssl.SSLContext:
    return context(authority, "127.0.0.1", not_after=datetime.now(UTC) - timedelta(days=1))


def of_an_old_version(authority: trustme.CA) -> ssl.SSLContext:
    presented = context(authority, "127.0.0.1")
    presented.maximum_version = ssl.TLSVersion.TLSv1_2
    return presented


def hangs_up(connection: socket.socket) -> None:
    connection.recv(2**14)


def resets(connection: socket.socket) -> None:
    connection.recv(2**14)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def speaks_http(connection: socket.socket) -> None:
    connection.recv(2**14)
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")


def says_nothing(connection: socket.socket) -> None:
    while connection.recv(2**14):
        pass


@contextmanager
def shaking_hands(handshake: Callable[[socket.socket], None]) -> Iterator[int]:
    """A port on which every handshake goes like that."""

    def accept() -> None:
        while True:
            connection, _ = listening.accept()
            with connection:
                if closing.is_set():
                    return
                connection.settimeout(20)
                handshake(connection)

    closing = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield port
        closing.set()
        socket.create_connection(("127.0.0.1", port)).close()
        thread.join(20)
