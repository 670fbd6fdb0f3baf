"""A small server on loopback that says exactly what a test gives it, byte for byte, and remembers what it was asked."""

import asyncio
import socket
import ssl
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import Enum, auto


class Then(Enum):
    """What a server does after an answer."""

    KEEP = auto()
    CLOSE = auto()
    RESET = auto()
    WAIT = auto()


@dataclass(frozen=True)
class Say:
    """An answer as bytes, and what follows it once ``after`` has happened."""

    raw: bytes
    then: Then = Then.KEEP
    after: asyncio.Event | None = None


def ok(body: bytes = b"", *headers: str) -> Say:
    """A plain answer of status 200."""
    lines = ["HTTP/1.1 200 OK", f"Content-Length: {len(body)}", *headers]
    return Say("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)


@dataclass
class Server:
    """What a test knows about its server."""

    answers: list[Say]
    port: int = 0
    connections: int = 0
    open_now: int = 0
    most_open: int = 0
    """The most connections that were open at a time."""
    heads: list[str] = field(default_factory=list)
    writers: list[asyncio.StreamWriter] = field(default_factory=list)
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a client has gone."""

    def url(self, path: str = "/", host: str = "127.0.0.1", scheme: str = "http") -> str:
        return f"{scheme}://{host}:{self.port}{path}"

    @property
    def targets(self) -> list[str]:
        return [head.split(" ")[1] for head in self.heads]

    def header(self, name: str, index: int = -1) -> str | None:
        for line in self.heads[index].split("\r\n")[1:]:
            key, _, value = line.partition(": ")
            if key.lower() == name:
                return value
        return None

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.open_now += 1
        self.most_open = max(self.most_open, self.open_now)
        self.writers.append(writer)
        try:
            while await self.answer(reader, writer):
                pass
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            self.open_now -= 1
            self.gone.set()
            writer.close()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = await reader.readuntil(b"\r\n\r\n")
        self.heads.append(head.decode("latin-1"))
        say = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        writer.write(say.raw)
        await writer.drain()
        if say.after is not None:
            await say.after.wait()
        if say.then is Then.WAIT:
            await reader.read()
        if say.then is Then.RESET:
            connection: socket.socket = writer.get_extra_info("socket")
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
        return say.then is Then.KEEP


@asynccontextmanager
async def serving(*answers: Say, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1") -> AsyncIterator[Server]:
    """A server that gives its answers one after the other, the last one again and again."""
    server = Server(list(answers or (ok(),)))
    listening = await asyncio.start_server(server.handle, host, 0, ssl=tls, limit=2**21)
    server.port = listening.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listening.close()
        for writer in server.writers:
            writer.transport.abort()
        await asyncio.sleep(0)
        await listening.wait_closed()
