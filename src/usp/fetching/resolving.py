"""Names to addresses, without ever waiting for a name server longer than somebody wants to.

Laws: a look-up runs in a daemon thread of its own and is left to itself when nobody waits any more: ``getaddrinfo``
cannot be interrupted, and a thread pool would be joined at the end of the loop.
"""

import asyncio
import socket
import threading
from collections.abc import Callable, Sequence

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
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Sequence[str]] = loop.create_future()

    def tell(addresses: Sequence[str] | None, error: BaseException | None) -> None:
        if answer.done():
            return
        if error is not None:
            answer.set_exception(error)
        else:
            answer.set_result(addresses or ())

    def look_up() -> None:
        addresses, error = None, None
        try:
            addresses = resolver(host)
        except Exception as caught:
            error = caught
        try:
            loop.call_soon_threadsafe(tell, addresses, error)
        except RuntimeError:
            return  # nobody waits: the loop is closed

    threading.Thread(target=look_up, name=f"usp-resolver-{host[:32]}", daemon=True).start()
    return await answer
