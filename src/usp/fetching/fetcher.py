"""What fetches: the interface between USP and one HTTP library. Write one of your own to use another.

Laws: a fetcher fetches one Request, one hop: it follows no redirect, retries nothing, keeps no cookies, undoes no
compression, and reads no more of a body than is asked for. Everything else is done once, for every fetcher, elsewhere.
"""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from usp.messages import Failure, Request, Response

Fetch = Callable[[Request], AbstractAsyncContextManager[Response | Failure]]
"""Fetches one Request; the body of the Response can be read until the context ends, what is left is then dropped."""


class Fetcher(Protocol):
    """A way to fetch: a configuration that can be opened again and again, in any event loop, also at the same time.

    One that does not look every name up as the system does has a method ``resolver_for(url)``, so that the guard looks
    the homepage up in the same way (see ``usp.fetching.resolving``); it gives None for what is not looked up here.
    """

    @property
    def at_once(self) -> int | None:
        """The most requests that it takes at a time; None leaves that to the politeness."""

    @property
    def sees_addresses(self) -> bool:
        """Whether ``Request.may_dial`` is asked for every address that is really dialled."""

    def open(self) -> AbstractAsyncContextManager[Fetch]:
        """Connections for one crawl, closed when the context ends."""


class Interrupted(Exception):
    """A body broke off: raised by ``Response.body`` with the reason, never seen outside the exchange."""
