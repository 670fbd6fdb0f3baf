"""What is understood of an answer does not depend on how its bytes are cut, whole or broken."""

import asyncio
from collections.abc import Sequence

import pytest
from aiohttp.http import HttpProcessingError

from usp.fetching.aiohttp_answers import HEAD_BYTES, AnswerParser
from usp.fetching.aiohttp_session import _Body
from usp.fetching.fetcher import Interrupted


class Wire(asyncio.Transport):
    """A connection that leads nowhere."""

    def __init__(self) -> None:
        super().__init__()
        self.closed = False

    def pause_reading(self) -> None:
        """There is nothing to read."""

    def resume_reading(self) -> None:
        """There is nothing to read."""

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed


Meaning = tuple[int | None, bytes, str, bool]
"""The status, the body, how it ended, and whether the connection is still open."""

STAYS = "the connection stays"


def understood(pieces: Sequence[bytes], lost: Exception | str | None = STAYS) -> Meaning:
    """What is understood of these pieces, after which the connection is lost, for a reason or none, or stays."""

    async def take() -> Meaning:
        wire = Wire()
        parser = AnswerParser(asyncio.get_running_loop(), lambda: False)
        parser.connection_made(wire)
        parser.set_response_params(read_until_eof=True, auto_decompress=False)
        for piece in pieces:
            if not wire.closed:
                parser.data_received(piece)
        is_open = not wire.closed
        if not isinstance(lost, str) or wire.closed:
            parser.connection_lost(None if isinstance(lost, str) else lost)
        try:
            head, payload = await parser.read()
            while head.code < 200:
                head, payload = await parser.read()
        except HttpProcessingError:
            return None, b"", "no HTTP", is_open
        body = []
        try:
            async for piece in _Body(payload):
                body.append(piece)  # noqa: PERF401 - it is kept if the body breaks off
        except Interrupted:
            return head.code, b"".join(body), "broken off", is_open
        return head.code, b"".join(body), "whole", is_open

    async def in_time() -> Meaning:
        async with asyncio.timeout(20):
            return await take()

    return asyncio.run(in_time())


CASES = {
    "whole": (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", (200, b"hello", "whole", True)),
    "no body": (b"HTTP/1.1 204 No Content\r\n\r\n", (204, b"", "whole", True)),
    "bare line feeds": (b"HTTP/1.1 200 OK\nContent-Length: 5\n\nhello", (200, b"hello", "whole", True)),
    "a body of line breaks": (
        b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n\n\r\n\n",
        (200, b"\n\r\n\n", "whole", True),
    ),
    "line breaks before": (b"\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", (200, b"hi", "whole", True)),
    "more than promised": (
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi and more\r\n",
        (200, b"hi", "whole", False),
    ),
    "chunks": (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n1;x=y\r\n!\r\n0\r\n\r\n",
        (200, b"hi!", "whole", True),
    ),
    "no chunks": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n<urlset>", (200, b"", "broken off", False)),
    "broken chunks": (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nnonsense\r\n",
        (200, b"hello", "broken off", False),
    ),
    "broken chunks after interim answers": (
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n"
        b"HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\r\nhello!\r\n",
        (200, b"hello", "broken off", False),
    ),
}


@pytest.mark.parametrize(("raw", "meaning"), CASES.values(), ids=CASES)
def test_an_answer_means_the_same_wherever_it_is_cut(raw: bytes, meaning: Meaning) -> None:
    for cut in range(len(raw)):
        assert understood([raw[:cut], raw[cut:]] if cut else [raw]) == meaning, cut
    assert understood([bytes([byte]) for byte in raw]) == meaning


def test_what_is_no_answer_is_none_wherever_it_is_cut() -> None:
    raw = b"SSH-2.0-OpenSSH_9.2\r\n\r\n"
    for cut in range(1, len(raw)):
        assert understood([raw[:cut], raw[cut:]])[2] == "no HTTP"


@pytest.mark.parametrize(
    ("lost", "ending"), [(None, "whole"), (ConnectionResetError(104, "reset"), "broken off"), (OSError(), "broken off")]
)
def test_a_body_without_a_length_ends_with_its_connection_unless_that_was_cut(
    lost: Exception | None, ending: str
) -> None:
    assert understood([b"HTTP/1.1 200 OK\r\n\r\nhel", b"lo"], lost)[:3] == (200, b"hello", ending)


@pytest.mark.parametrize("piece", [b"HTTP/1.1 100 Continue\r\n\r\n", b"\r\n", b"X-More: " + b"x" * 1000 + b"\r\n"])
def test_a_head_without_end_is_no_answer(piece: bytes) -> None:
    first = b"HTTP/1.1 200 OK\r\n" if piece.startswith(b"X") else b""
    pieces = [first, *[piece * 10] * (HEAD_BYTES // (10 * len(piece)) + 2)]
    assert understood(pieces)[2] == "no HTTP"


def test_a_parser_of_a_crowd_is_used_once() -> None:
    async def use() -> list[bool]:
        closing = []
        for crowded in (False, True):
            parser = AnswerParser(asyncio.get_running_loop(), lambda crowded=crowded: crowded)  # type: ignore[misc]
            parser.connection_made(Wire())
            parser.set_response_params()
            parser.data_received(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
            await parser.read()
            closing.append(parser.should_close)
        return closing

    assert asyncio.run(use()) == [False, True]
