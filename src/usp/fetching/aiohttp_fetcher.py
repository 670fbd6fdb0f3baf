"""The fetcher for everybody: HTTP/1.1 by aiohttp, which is imported when a crawl begins, not before.

Laws: see ``usp.fetching.fetcher``. Every address that is really dialled is put before the guard. The caller's
credentials go to the caller's origin only.
"""

import ssl
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

from usp import __version__
from usp.exceptions import InvalidOptionException
from usp.fetching.environment import environment, environment_proxies
from usp.fetching.fetcher import Fetch
from usp.fetching.resolving import Resolver, system_resolver
from usp.fetching.wire_url import UnsendableURL, wire_url

USER_AGENT = f"usp/{__version__} (sitemap reader)"

_FORBIDDEN_IN_HEADERS = frozenset("\r\n\0")


@dataclass(frozen=True, kw_only=True, eq=False)
class AiohttpFetcher:
    """Fetches with aiohttp.

    ``headers`` go with every request, but Authorization, Cookie and Proxy-Authorization among them, and ``auth``
    (user and password), only to the origin of the homepage. ``proxy`` is the URL of a proxy for everything; without
    one the environment decides (HTTP_PROXY, HTTPS_PROXY, NO_PROXY). ``tls`` is True, False (certificates are not
    checked) or an ``ssl.SSLContext``. ``connections`` bounds the connections in all; None leaves that to the
    politeness. ``resolver`` gives the addresses of a host name.

    >>> AiohttpFetcher(user_agent="example-bot/1.0", connections=16).at_once
    16
    """

    headers: Mapping[str, str] | None = field(default=None, repr=False)
    user_agent: str | None = None
    proxy: str | None = field(default=None, repr=False)
    auth: tuple[str, str] | None = field(default=None, repr=False)
    tls: bool | ssl.SSLContext = True
    connections: int | None = None
    resolver: Resolver = system_resolver

    def __post_init__(self) -> None:
        _check_headers(self)
        if self.proxy is not None:
            _check_proxy(self.proxy)
        if not isinstance(self.tls, bool | ssl.SSLContext):
            raise InvalidOptionException(f"tls must be True, False or an ssl.SSLContext, not {self.tls!r}")
        number = self.connections
        if number is not None and (not isinstance(number, int) or isinstance(number, bool) or number < 1):
            raise InvalidOptionException(f"connections must be None or a whole number of at least 1, not {number!r}")
        if not callable(self.resolver):
            raise InvalidOptionException(f"resolver must be a function, not {self.resolver!r}")

    @property
    def at_once(self) -> int | None:
        """The most requests that it takes at a time."""
        return self.connections

    @property
    def sees_addresses(self) -> bool:
        """False where a proxy dials in our place."""
        return self.proxy is None and not environment_proxies()

    def resolver_for(self, url: str) -> Resolver | None:
        """How the host of a URL is looked up; None where a proxy does that in our place."""
        try:
            wire = wire_url(url)
        except UnsendableURL:
            return None
        proxied = self.proxy is not None or environment().proxy_for(wire.scheme, wire.host, wire.port) is not None
        return None if proxied else self.resolver

    def open(self) -> AbstractAsyncContextManager[Fetch]:
        """Connections for one crawl."""
        from usp.fetching.aiohttp_session import AiohttpSession

        return AiohttpSession(self)


def _check_headers(fetcher: AiohttpFetcher) -> None:
    headers = dict(fetcher.headers or {})
    if fetcher.user_agent is not None:
        headers["User-Agent"] = fetcher.user_agent
    for name, value in headers.items():
        if not isinstance(name, str) or not isinstance(value, str) or _FORBIDDEN_IN_HEADERS & {*name, *value}:
            raise InvalidOptionException(f"A header must be one line of text: {name!r}")
    auth = fetcher.auth
    if auth is None:
        return
    if not isinstance(auth, tuple) or len(auth) != 2 or not all(isinstance(part, str) for part in auth):
        raise InvalidOptionException("auth must be a pair of texts: (user, password)")
    if ":" in auth[0]:
        raise InvalidOptionException("The user of auth must not hold a colon: Basic authentication cannot send it")
    if any(name.lower() == "authorization" for name in headers):
        raise InvalidOptionException("auth and an Authorization header exclude each other")


def _check_proxy(proxy: str) -> None:
    try:
        wire_url(proxy)
    except (UnsendableURL, TypeError) as fault:
        raise InvalidOptionException(f"proxy must be the http:// or https:// URL of a proxy: {fault}") from None
