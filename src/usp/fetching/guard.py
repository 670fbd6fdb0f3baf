"""The guard: a site can never lead us into a private network.

Laws: an address is judged at the moment of dialling, whatever name led to it; what is not globally routable is
refused. Exempt is the homepage's own host, at the addresses that it first resolved to, unless the guard is strict: a
caller who names an internal site wants it read, but nothing beside it. Pure apart from that one look-up.
"""

from collections.abc import Sequence
from ipaddress import IPv4Address, ip_network
from typing import Literal

import msgspec

from usp.exceptions import InvalidOptionException
from usp.fetching.addresses import Address, Network, address_from, ends_in_number, is_public, readings_of
from usp.fetching.resolving import Resolver, resolved, system_resolver
from usp.fetching.wire_url import UnsendableURL, authority_of, wire_host

_LOOPBACK = IPv4Address("127.0.0.1")


class Guard(msgspec.Struct, frozen=True, kw_only=True):
    """What counts as private, and who may be led there.

    ``strict`` exempts nobody, not even the homepage: for homepages given by strangers. The networks of ``public``
    count as public besides what is globally routable. ``resolver`` looks up the homepage, if not as the fetcher does.

    >>> Guard(public=["10.1.0.0/16"]).strict
    False
    """

    strict: bool = False
    public: Sequence[str] = ()
    resolver: Resolver | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.strict, bool):
            raise InvalidOptionException(f"Guard.strict must be True or False, not {self.strict!r}")
        if self.resolver is not None and not callable(self.resolver):
            raise InvalidOptionException(f"Guard.resolver must be None or a function, not {self.resolver!r}")
        if isinstance(self.public, str):
            raise InvalidOptionException(f"Guard.public must be a sequence of networks, not the text {self.public!r}")
        _networks(self.public)


GuardOption = Guard | Literal["auto", "strict"] | None


def guard_of(option: GuardOption) -> Guard | None:
    """The guard that an option means; None guards nothing.

    >>> guard_of("strict").strict
    True
    """
    if option is None or isinstance(option, Guard):
        return option
    if option == "auto":
        return Guard()
    if option == "strict":
        return Guard(strict=True)
    raise InvalidOptionException(f'guard must be "auto", "strict", None or a Guard, not {option!r}')


class CrawlGuard:
    """A guard applied to one crawl, which begins at a homepage.

    >>> guard = CrawlGuard(Guard(), "https://example.com/")
    >>> guard.may_dial("example.com", "10.0.0.1"), guard.may_ask("http://0x7f.1/"), guard.may_ask("https://example.org/")
    (False, False, True)
    """

    __slots__ = ("_exempt", "_guard", "_home", "_public")

    def __init__(self, guard: Guard, homepage_url: str) -> None:
        self._guard = guard
        self._public = _networks(guard.public)
        self._home = _host_of(homepage_url)
        self._exempt: frozenset[Address] = frozenset()
        if self._home is not None and not guard.strict:
            self._exempt = readings_of(self._home)

    async def look_up_homepage(self, resolver: Resolver = system_resolver) -> None:
        """Remember where the homepage lives; if nobody knows, nothing is exempt. A resolver of the guard's own wins."""
        if self._guard.strict or self._home is None or self._exempt:
            return
        try:
            found = await resolved(self._guard.resolver or resolver, self._home)
        except Exception:  # a resolver of the caller's may raise anything
            return
        self._exempt = frozenset(address for text in found if (address := address_from(text)) is not None)

    def may_dial(self, host: str, address: str) -> bool:
        """Whether a connection to an address may be made for a host, as a URL names it."""
        dialled = address_from(address)
        if dialled is None:
            return False
        return is_public(dialled, self._public) or (dialled in self._exempt and _comparable(host) == self._home)

    def may_ask(self, url: str) -> bool:
        """Whether a URL may be asked for, as far as its host tells; a name tells nothing before it is dialled."""
        host = _host_of(url)
        if host is None:
            return False
        if _is_loopback_name(host):
            return is_public(_LOOPBACK, self._public) or (host == self._home and not self._guard.strict)
        readings = readings_of(host)
        if not readings:
            return ":" not in host and not ends_in_number(host)
        if host == self._home and readings <= self._exempt:
            return True
        return all(is_public(address, self._public) for address in readings)


def _networks(texts: Sequence[str]) -> tuple[Network, ...]:
    networks = []
    for text in texts:
        try:
            networks.append(ip_network(text))
        except ValueError as fault:
            raise InvalidOptionException(f"Guard.public must hold networks like '10.1.0.0/16': {fault}") from None
    return tuple(networks)


def _is_loopback_name(host: str) -> bool:
    """RFC 6761, section 6.3: these names always mean the machine itself."""
    name = host.rstrip(".")
    return name == "localhost" or name.endswith(".localhost")


def _host_of(url: str) -> str | None:
    """The host of a URL in the form that is compared, or None where clients might disagree about it."""
    try:
        written = authority_of(url).host
    except UnsendableURL:
        return None
    host = wire_host(written)
    if host is None and not written.startswith("[") and ("%" in written or not written.isascii()):
        return None
    return _comparable(written)


def _comparable(host: str) -> str:
    """A host in lower case and ASCII, an IPv6 address without brackets; one that cannot be encoded stays as it is."""
    return (wire_host(host) or host.lower()).strip("[]")
