"""How aiohttp's parser is fed: what is wrong behind the head of an answer costs neither the head nor the reader.

Why: aiohttp parses at once whatever arrived at once, and forgets all that it understood of it when it meets a fault: a
whole answer with a few bytes too many behind it, or the head of one whose chunks are broken. And whoever waits for the
next bytes of a body is never told that its chunks are broken, nor that a body without a length broke off.

This leans on names of aiohttp's own. If a later version has others, such answers are lost again, but no good one is.
"""

import re
from asyncio import AbstractEventLoop, BaseTransport
from collections.abc import Callable
from typing import Any

from aiohttp import ClientPayloadError
from aiohttp.client_proto import ResponseHandler
from aiohttp.http import HttpProcessingError, RawResponseMessage
from aiohttp.streams import StreamReader

from usp.limits import KIB

_BLANK_LINE = re.compile(rb"\A[\r\n]+|\n\r?\n")
"""Where a head may end: the line before may have come in an earlier piece."""

HEADS = 16
"""So many heads of one piece are told from what follows them; more than that of interim answers means harm."""

HEAD_BYTES = 512 * KIB
"""A head, with those of interim answers before it; each of its lines may be long, but not all of them."""


class AnswerParser(ResponseHandler):
    """Takes the bytes of one connection."""

    def __init__(self, loop: AbstractEventLoop, crowded: Callable[[], bool]) -> None:
        super().__init__(loop)
        self._crowded = crowded
        self._head_is_here = False
        self._head_bytes = 0

    def connection_made(self, transport: BaseTransport) -> None:
        """Be kept after the first answer, unless too many are kept already."""
        super().connection_made(transport)
        if self._crowded():
            self.force_close()

    def set_response_params(self, **params: Any) -> None:
        """Await the answer to the next request."""
        self._head_is_here = False
        self._head_bytes = 0
        super().set_response_params(**params)

    def data_received(self, data: bytes) -> None:
        """Take bytes as they come, each head apart from what follows it."""
        begin = 0
        for _ in range(HEADS):
            if self._head_is_here or getattr(self, "_parser", None) is None:
                break
            if (blank := _BLANK_LINE.search(data, begin)) is None:
                break
            super().data_received(data[begin : blank.end()])
            if self.exception() is not None:
                return
            begin = blank.end()
        if begin < len(data) or not data:
            super().data_received(data[begin:] if begin else data)
        if not self._head_is_here:
            self._bound_head(len(data))

    def _bound_head(self, size: int) -> None:
        self._head_bytes += size
        if self._head_bytes > HEAD_BYTES and self.transport is not None:
            self.transport.close()
            self.set_exception(HttpProcessingError(message=f"The head is longer than {HEAD_BYTES} bytes"))

    def feed_data(self, data: tuple[RawResponseMessage, StreamReader], size: int = 0) -> None:
        """Take a head that is complete. Others may come before that of the answer: 100 Continue, 103 Early Hints."""
        self._head_is_here = data[0].code >= 200
        super().feed_data(data, size)

    def set_exception(self, exc: BaseException, *cause: BaseException) -> None:
        """Whoever reads the body hears of a fault as well."""
        self._break_off(exc)
        super().set_exception(exc, *cause)

    def connection_lost(self, exc: BaseException | None) -> None:
        """Nothing more comes: the end of a body without a length, unless the connection was cut."""
        if exc is not None:
            self._break_off(exc)
        super().connection_lost(exc)

    def _break_off(self, fault: BaseException) -> None:
        payload = getattr(self, "_payload", None)
        if payload is not None and not payload.is_eof() and payload.exception() is None:
            payload.set_exception(ClientPayloadError(str(fault)), fault)
            payload.feed_eof()  # wakes a reader who was just told that a chunk has ended, and would wait for the next
