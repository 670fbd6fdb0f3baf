"""Dialling on behalf of one request: every address goes past its guard before a socket exists.

Laws: the request is known by a context variable, which the tasks that try several addresses at once inherit; nothing
here waits. A refusal is an ``OSError``, so that the next address is tried.
"""

import errno
import socket
import weakref
from contextvars import ContextVar

from usp.messages import MayDial


class AddressRefusedError(OSError):
    """The guard does not let this address be dialled."""


class Dial:
    """What one request dials: for which host, past which guard, and what came of it."""

    __slots__ = ("allowed", "host", "may_dial", "proxied", "refused")

    def __init__(self, host: str, may_dial: MayDial | None, proxied: bool) -> None:
        self.host = host
        self.may_dial = None if proxied else may_dial
        self.proxied = proxied
        self.allowed = 0
        self.refused: list[str] = []

    @property
    def happened(self) -> bool:
        """Whether a new connection was tried; if not, the request went over an old one."""
        return bool(self.allowed or self.refused)

    @property
    def where(self) -> str:
        """Whom the connection is with, for a sentence."""
        return f"the proxy for {self.host}" if self.proxied else self.host


DIAL: ContextVar[Dial] = ContextVar("usp_dial")
"""The dial of the request that is being made in this context."""

KEPT = 128
"""Connections to one host are few, but an index can name thousands of hosts, and a process may open 256 files."""

AddressInfo = tuple[int, int, int, str, tuple[str | int, ...]]


class Dialler:
    """Makes the sockets of one crawl and knows which are still open."""

    def __init__(self) -> None:
        self._sockets: weakref.WeakSet[socket.socket] = weakref.WeakSet()

    def socket(self, info: "AddressInfo") -> socket.socket:
        """A socket for an address, if the guard of the request allows it."""
        family, kind, protocol, _, address = info
        dial = DIAL.get()
        if dial.may_dial is not None and not dial.may_dial(dial.host, str(address[0])):
            dial.refused.append(str(address[0]))
            raise AddressRefusedError(errno.EACCES, f"{address[0]} is no public address")
        dial.allowed += 1
        made = socket.socket(family, kind, protocol)
        self._sockets.add(made)
        return made

    def is_crowded(self) -> bool:
        """Whether so many connections are open that a new one should not be kept after its first answer."""
        return len(self._sockets) > KEPT

    def hang_up(self) -> bool:
        """End every connection that is still open, without waiting for the other side; whether there was one."""
        still_open = [made for made in self._sockets if made.fileno() >= 0]
        for made in still_open:
            try:
                made.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # it is not connected, or not any more
        return bool(still_open)
