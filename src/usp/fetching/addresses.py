"""IP addresses: which can be reached from everywhere, which only from within, and in which spellings.

Laws: pure; own tables, since those of ``ipaddress`` change from one Python to the next. What is not certainly public
is not public. An IPv4 address within an IPv6 address is judged as what it is.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# The registries of special-purpose addresses: RFC 6890 and what IANA added to it since.
_SPECIAL_IPV4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this host
        "10.0.0.0/8",
        "100.64.0.0/10",  # carriers' own; also the metadata service of one cloud
        "127.0.0.0/8",
        "168.63.129.16/32",  # public by number, but the platform itself to every machine of a large cloud
        "169.254.0.0/16",  # link-local; also the metadata services of most clouds
        "172.16.0.0/12",
        "192.0.0.0/24",  # protocol assignments; also the metadata service of one cloud
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays, given up
        "192.168.0.0/16",
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)
_GLOBAL_IPV6 = IPv6Network("2000::/3")
_SPECIAL_IPV6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments: Teredo, benchmarks, ORCHID
        "2001:db8::/32",  # documentation
        "3fff::/20",  # documentation
    )
)

_NAT64 = IPv6Network("64:ff9b::/96")

_DIGITS = 11
"""Of the largest number that is an address, written in octal."""

_NUMBER = re.compile(r"0[xX][0-9A-Fa-f]*|[0-9]+")


def is_public(address: Address, public: Iterable[Network] = ()) -> bool:
    """Whether an address can be reached from everywhere, or lies in one of the networks that count as such.

    >>> [is_public(ip_address(text)) for text in ("192.0.9.1", "::ffff:10.0.0.1", "64:ff9b::a00:1")]
    [True, False, False]
    """
    if any(address in network for network in public):
        return True
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _SPECIAL_IPV4)
    embedded = embedded_ipv4(address)
    if embedded is not None:
        return is_public(embedded, public)
    return address in _GLOBAL_IPV6 and not any(address in network for network in _SPECIAL_IPV6)


def embedded_ipv4(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that an IPv6 address leads to: IPv4-mapped, NAT64, 6to4.

    The NAT64 prefix for local use (64:ff9b:1::/48) is not among them: only the network's operator knows its layout.
    """
    if address in _NAT64:
        return IPv4Address(address.packed[-4:])
    return address.ipv4_mapped or address.sixtofour


def address_from(text: str) -> Address | None:
    """The address that a text certainly is, in its usual spelling; a zone is left out."""
    try:
        return ip_address(text.partition("%")[0])
    except ValueError:
        return None


@lru_cache(maxsize=64)  # a crawl asks the same few hosts again and again
def readings_of(host: str) -> frozenset[Address]:
    """The addresses that some client may take a host for, in any spelling; none if it is a name.

    IPv6 without brackets; IPv4 as ``inet_aton`` reads it: decimal, octal, hexadecimal, of one to four parts. A leading
    zero means octal to most clients and nothing to some: both readings are given.

    >>> readings_of("0x7f.1"), readings_of("example.com")
    (frozenset({IPv4Address('127.0.0.1')}), frozenset())
    """
    if ":" in host:
        address = address_from(host)
        return frozenset() if address is None else frozenset((address,))
    parts = host.rstrip(".").split(".")
    if len(parts) > 4 or not all(_NUMBER.fullmatch(part) for part in parts):
        return frozenset()
    both = (_joined([_number(part, octal) for part in parts]) for octal in (True, False))
    return frozenset(address for address in both if address is not None)


def ends_in_number(host: str) -> bool:
    """Whether the last label of a host is a number: it is then an address or nothing, no top-level domain is one."""
    return _NUMBER.fullmatch(host.rstrip(".").rpartition(".")[2]) is not None


def _joined(numbers: list[int]) -> IPv4Address | None:
    *leading, last = numbers
    if any(number > 0xFF for number in leading) or last >= 1 << (8 * (4 - len(leading))):
        return None
    return IPv4Address(last + sum(number << (8 * (3 - index)) for index, number in enumerate(leading)))


def _number(text: str, octal: bool) -> int:
    if text[:2] in ("0x", "0X"):
        return int(text[2:] or "0", 16)
    digits = text.lstrip("0")
    if len(digits) > _DIGITS:
        return 1 << 32
    if octal and digits != text and not set(digits) & {"8", "9"}:
        return int(digits or "0", 8)
    return int(digits or "0")
