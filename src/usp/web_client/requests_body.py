"""Reads the body of a response of requests: as many bytes as are allowed, and not for ever.

Laws: what lies beyond the limit is never downloaded; a body that comes too slowly is given up, whatever the server
does: the timeouts of requests bound single reads only, so one byte a minute would keep them content.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from threading import Event, Thread

import requests
from urllib3.response import HTTPResponse

from usp.decoding.content_encoding import room_for, without_content_encoding
from usp.limits import KIB

PIECE = 16 * KIB
"""Read at a time: small, since a read waits until it is full, and only then counts as progress."""

SLOWEST = 16 * KIB
"""Bytes a second that a body must bring on the average, once it has taken as long as the timeout."""


def read_body(response: requests.Response, most_bytes: int | None, seconds: float | None = None) -> bytes:
    """The body with its Content-Encoding undone, cut at ``most_bytes``; ends the connection if there is more.

    Raises ``requests.Timeout`` if the body took ``seconds``, and a second more for every ``SLOWEST`` bytes of it.
    """
    raw = response.raw
    # What somebody read already (a hook of the session, a cache) is at hand, decoded, in the response alone.
    fresh = isinstance(raw, HTTPResponse) and not getattr(response, "_content_consumed", False)
    encoding = response.headers.get("content-encoding") if fresh else None
    try:
        with _patience(seconds, raw.shutdown if fresh else response.close) as count:
            pieces = raw.stream(PIECE, decode_content=False) if fresh else response.iter_content(PIECE)
            body = _collected(pieces, room_for(most_bytes) if encoding else most_bytes, count)
    finally:
        response.close()
    return without_content_encoding(body, encoding, most_bytes)


def _collected(pieces: Iterator[bytes], most_bytes: int | None, count: Callable[[int], None]) -> bytes:
    body = BytesIO()  # unlike a bytearray, it gives what it holds without a copy
    for piece in pieces:
        body.write(piece)
        count(len(piece))
        if most_bytes is not None and body.tell() >= most_bytes:
            body.truncate(most_bytes)
            break
    return body.getvalue()


@contextmanager
def _patience(seconds: float | None, give_up: Callable[[], None]) -> Iterator[Callable[[int], None]]:
    """Bounds what is done within; gives the function that counts the bytes that came."""
    if seconds is None:
        yield lambda _: None
        return
    watch = _Watch(seconds, give_up)
    try:
        yield watch.count
    except Exception:
        if not watch.stop():
            raise
    finally:
        watch.stop()
    if watch.stop():
        raise requests.ReadTimeout(f"The body came too slowly: not whole after {seconds:g} seconds")


class _Watch:
    """A thread that waits for the end of somebody's patience."""

    def __init__(self, seconds: float, give_up: Callable[[], None]) -> None:
        self._deadline = time.monotonic() + seconds
        self._give_up = give_up
        self._finished = Event()
        self._ran_out = False
        self._thread = Thread(target=self._wait, name="usp-body-watch", daemon=True)
        self._thread.start()

    def count(self, size: int) -> None:
        """So many bytes came."""
        self._deadline += size / SLOWEST

    def stop(self) -> bool:
        """End the thread; whether patience ran out before."""
        self._finished.set()
        self._thread.join()
        return self._ran_out

    def _wait(self) -> None:
        while (left := self._deadline - time.monotonic()) > 0:
            if self._finished.wait(left):
                return
        self._ran_out = True
        with suppress(ValueError, RuntimeError, OSError):  # nothing to shut down, or read to its end just now
            self._give_up()
