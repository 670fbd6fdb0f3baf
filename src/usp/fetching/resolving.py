"""Names to addresses, without ever waiting for a name server longer than somebody wants to.

Law: a look-up runs in a thread of its own and is left to itself when nobody waits any more, for ``getaddrinfo`` cannot
be interrupted.
"""

import socket
from collections.abc import Callable, Sequence
from functools import partial

from usp.fetching.threads import left_to_itself

Resolver = Callable[[str], Sequence[str]]
"""Gives the IP addresses of a host name, best first; raises ``OSError`` if there are none. May block."""


def system_resolver(host: str) -> Sequence[str]:
    """The addresses as this machine knows them.

    >>> "127.0.0.1" in system_resolver("127.0.0.1")
    True
    """
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


async def resolved(resolver: Resolver, host: str) -> Sequence[str]:
    """The addresses of a host, looked up in a thread of its own."""
    return await left_to_itself(partial(resolver, host), f"usp-resolver-{host[:32]}")
