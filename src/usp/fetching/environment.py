"""What the environment says about proxies and passwords: HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY, .netrc.

Laws: read once a crawl, not once a request; a file that cannot be read is a warning, never an error. Lower-case
variables win over upper-case ones, as curl has it.
"""

import logging
import netrc
import os
from collections.abc import Mapping
from ipaddress import ip_address, ip_network
from pathlib import Path

import msgspec

logger = logging.getLogger(__name__)


class Environment(msgspec.Struct, frozen=True):
    """Proxies by scheme (``http``, ``https``, ``all``), hosts that need none, and passwords by host."""

    proxies: Mapping[str, str] = {}
    no_proxy: tuple[str, ...] = ()
    passwords: netrc.netrc | None = None

    def proxy_for(self, scheme: str, host: str, port: int | None) -> str | None:
        """The proxy through which a host is to be reached.

        >>> Environment({"http": "http://proxy:3128"}, (".example.com",)).proxy_for("http", "example.org", None)
        'http://proxy:3128'
        """
        proxy = self.proxies.get(scheme) or self.proxies.get("all")
        return None if proxy is None or self._reached_directly(host.strip("[]").rstrip("."), port) else proxy

    def credentials_for(self, host: str, trusted: bool) -> tuple[str, str] | None:
        """User and password that ``.netrc`` has for a host; its default entry is for trusted origins only."""
        if self.passwords is None:
            return None
        host = host.strip("[]")
        entry = self.passwords.hosts.get(host) or (self.passwords.hosts.get("default") if trusted else None)
        return None if entry is None else (entry[0] or entry[1] or "", entry[2] or "")

    def _reached_directly(self, host: str, port: int | None) -> bool:
        return any(_covers(entry, host, port) for entry in self.no_proxy)


def environment() -> Environment:
    """The environment of this process, as it is now."""
    return Environment(environment_proxies(), tuple(_variable("no_proxy").lower().replace(",", " ").split()), _netrc())


def environment_proxies() -> dict[str, str]:
    """The proxies that the environment names, by scheme."""
    proxies = {}
    for scheme in ("http", "https", "all"):
        proxy = _variable(f"{scheme}_proxy").strip()
        if proxy:
            proxies[scheme] = proxy if "://" in proxy else f"http://{proxy}"
    return proxies


def _variable(name: str) -> str:
    lower = os.environ.get(name)
    if lower is not None:
        return lower
    if name == "http_proxy" and "REQUEST_METHOD" in os.environ:
        return ""  # a CGI program: HTTP_PROXY is a header that the visitor sent ("httpoxy")
    return os.environ.get(name.upper(), "")


def _covers(entry: str, host: str, port: int | None) -> bool:
    if entry == "*":
        return True
    name, _, wanted_port = entry.rpartition(":") if entry.count(":") == 1 else (entry, "", "")
    if wanted_port and wanted_port != str(port):
        return False
    name = name.strip("[]").lstrip(".").rstrip(".")
    return bool(name) and (host == name or host.endswith(f".{name}") or _holds(name, host))


def _holds(network: str, host: str) -> bool:
    try:
        return ip_address(host) in ip_network(network, strict=False)
    except ValueError:
        return False


def _netrc() -> netrc.netrc | None:
    named = os.environ.get("NETRC")
    try:
        path = Path(named) if named else Path.home() / ("_netrc" if os.name == "nt" else ".netrc")
        return netrc.netrc(str(path)) if named or path.is_file() else None
    except (netrc.NetrcParseError, OSError, RuntimeError, UnicodeError) as fault:
        logger.warning("The passwords of .netrc cannot be read: %s", fault)
        return None
