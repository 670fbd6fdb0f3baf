"""URLs as they go over the wire: as the site wrote them, except for what cannot be sent at all.

Laws: percent-escapes, dots, case and order stay as written; only characters that a request line cannot hold (white
space, controls, non-ASCII) are escaped, as UTF-8. A host becomes what DNS knows: percent-escapes undone, IDNA (as
browsers do it), lower case. Never raises anything but ``UnsendableURL``; linear in the length of the URL.
"""

import re
from functools import lru_cache
from ipaddress import AddressValueError, IPv6Address
from typing import NamedTuple
from urllib.parse import quote, unquote_to_bytes

_URL = re.compile(r"(?P<scheme>[Hh][Tt][Tt][Pp][Ss]?)://(?P<authority>[^/?#]*)(?P<target>[^#]*)", re.DOTALL)

# A backslash ends the host for browsers, and belongs to the user's name for RFC 3986: nobody knows where it leads.
_AMBIGUOUS = re.compile(r"[\x00-\x20\x7f\\]")
_HOST_PORT = re.compile(r"(?P<host>\[[^\[\]]*\]|[^:\[\]]*)(?::(?P<port>[0-9]*))?")

_UNSENDABLE = re.compile(r"[^!-~]+")
_NAME = re.compile(r"(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}\.?")

HOST_LENGTH = 1000
"""Longer hosts are not even tried: DNS allows 253 characters, percent-escapes and IDNA take up to a few more."""

_DNS_LENGTH = 254
_HIGHEST_PORT = 65535


class UnsendableURL(ValueError):
    """The URL cannot be requested: why, in one sentence."""


class Authority(NamedTuple):
    """Who answers for a URL, as it is written: ``user:password@host:port``."""

    userinfo: str
    host: str
    port: str


class WireURL(NamedTuple):
    """A URL that can be sent. ``host`` has its brackets if it is an IPv6 address; ``port`` None is the default one."""

    scheme: str
    userinfo: str
    host: str
    port: int | None
    target: str

    def __str__(self) -> str:
        port = "" if self.port is None else f":{self.port}"
        return f"{self.scheme}://{self.host}{port}{self.target}"


def authority_of(url: str) -> Authority:
    """The authority of an HTTP(S) URL, as written.

    >>> authority_of("http://me:secret@example.com:8080/sitemap.xml")
    Authority(userinfo='me:secret', host='example.com', port='8080')
    """
    parts = _URL.match(url)
    if parts is None:
        raise UnsendableURL("This is not an HTTP(S) URL.")
    return _authority(parts["authority"])


def wire_url(url: str) -> WireURL:
    """An HTTP(S) URL as it can be sent.

    >>> str(wire_url("HTTP://BÜCHER.example/a b/%2e%2E?ü=%zz#top"))
    'http://xn--bcher-kva.example/a%20b/%2e%2E?%C3%BC=%zz'
    """
    parts = _URL.match(url)
    if parts is None:
        raise UnsendableURL("This is not an HTTP(S) URL.")
    userinfo, written_host, port = _authority(parts["authority"])
    host = wire_host(written_host)
    if host is None:
        raise UnsendableURL(f"This is not the name of a host: {written_host[:100]!r}.")
    target = _UNSENDABLE.sub(_escaped, parts["target"])
    return WireURL(parts["scheme"].lower(), userinfo, host, _port(port), target)


def wire_host(host: str) -> str | None:
    """A host as DNS or a socket takes it, an IPv6 address in its brackets, or None if it cannot be one.

    >>> wire_host("Bücher.example"), wire_host("%31%32%37.0.0.1"), wire_host("[::0001]"), wire_host("a b")
    ('xn--bcher-kva.example', '127.0.0.1', '[::1]', None)
    """
    return None if len(host) > HOST_LENGTH else _wire_host(host)


@lru_cache(maxsize=1024)
def _wire_host(host: str) -> str | None:
    if host.startswith("["):
        return _wire_ipv6(host[1:-1])
    try:
        if "%" in host:
            host = unquote_to_bytes(host).decode()
        host = _idna(host).lower()
    except UnicodeError:  # also what idna raises
        return None
    return host if len(host) <= _DNS_LENGTH and _NAME.fullmatch(host) else None


def _wire_ipv6(address: str) -> str | None:
    try:
        # One with a zone means something on one machine only, and could not be dialled without asking a name server.
        return None if "%" in address else f"[{IPv6Address(address)}]"
    except AddressValueError:
        return None


def _idna(host: str) -> str:
    if host.isascii():
        return host
    import idna  # here, because its tables are large and few hosts need them

    try:
        return idna.encode(host, uts46=True).decode("ascii")
    except idna.IDNAError:
        return host.encode("idna").decode("ascii")  # the older rules, which know emoji


def _authority(authority: str) -> Authority:
    userinfo, _, host_port = authority.rpartition("@")
    parts = _HOST_PORT.fullmatch(host_port)
    if parts is None or not parts["host"] or _AMBIGUOUS.search(authority):
        raise UnsendableURL(f"The URL has no valid host and port: {host_port[:100]!r}.")
    return Authority(userinfo, parts["host"], parts["port"] or "")


def _port(written: str) -> int | None:
    digits = written.lstrip("0")
    if not written:
        return None
    if not digits:
        raise UnsendableURL("Port 0 cannot be connected to.")
    if len(digits) > len(str(_HIGHEST_PORT)) or int(digits) > _HIGHEST_PORT:
        raise UnsendableURL(f"This is not a port: {written[:20]}.")
    return int(digits)


def _escaped(characters: re.Match[str]) -> str:
    try:
        # Surrogates are the bytes of a header that was not UTF-8; they go out again as they came in.
        return quote(characters[0].encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return quote(characters[0].encode("utf-8", "surrogatepass"))
