"""URLs as sites write them: told apart, resolved, compared; never rewritten.

Laws: never raises for what a site wrote (``urllib.parse`` does, for ``http://[``); an absolute URL stays as written,
its percent-escapes, case and dots too (no canonicalisation, ever); resolving follows RFC 3986, section 5.2; linear in
the length of the URL, whatever is in it.
"""

import re

from usp.exceptions import StripURLToHomepageException

# Letters spelled out: IGNORECASE would take the long s (U+017F) for an s.
HTTP_URL = re.compile(r"[Hh][Tt][Tt][Pp][Ss]?://[^/?#\s]")
"""``HTTP_URL.match(text)``: the cheap test of the hot path, an HTTP(S) scheme and something that may be a host."""

_HOST = r"(?:[^/?#@:\[\]\\\s\x00-\x1f\x7f]+|\[[0-9A-Fa-f:.]+(?:%[^/?#@\[\]\\\s]*)?\])"
_HTTP_ORIGIN = re.compile(rf"[Hh][Tt][Tt][Pp][Ss]?://(?:[^/?#\\\s]*@)?{_HOST}(?::[0-9]*)?(?=[/?#]|\Z)")

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")

# RFC 3986, appendix B, for a URL that HTTP_URL matches.
_BASE = re.compile(r"(?P<scheme>[^:]*:)(?P<authority>//[^/?#]*)(?P<path>[^?#]*)(?P<query>(?:\?[^#]*)?)", re.DOTALL)
_RELATIVE = re.compile(r"(?P<path>[^?#]*)(?P<rest>.*)", re.DOTALL)

_AUTHORITY = re.compile(
    r"(?P<scheme>[^:]*)://(?P<user>(?:[^/?#]*@)?)(?P<host>\[[^\]/?#]*\]|[^/?#:]*)(?::(?P<port>[0-9]*)(?=[/?]|\Z))?"
)
_PLAIN = re.compile(r"https?://[a-z0-9.-]+(?=[/?]|\Z)")
"""What nearly every URL begins with, and needs no second look to tell its identity."""

_DEFAULT_PORTS = {"http": "80", "https": "443"}

_WHITE_SPACE_OR_CONTROL = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")


def is_http_url(url: str | None) -> bool:
    """Whether this is an absolute URL with the scheme http or https and a host.

    >>> is_http_url("HTTPS://example.com"), is_http_url("mailto:me@example.com"), is_http_url("http://[")
    (True, False, False)
    """
    return url is not None and _HTTP_ORIGIN.match(url) is not None


def resolve(base: str | None, reference: str) -> str | None:
    """The URL that a reference in a document means, or None if it cannot be an HTTP(S) URL.

    Without a base a relative reference comes back as it is.

    >>> resolve("https://example.com/a/map.xml", "../b?c=%2e")
    'https://example.com/b?c=%2e'
    >>> resolve(None, "/b")
    '/b'
    >>> resolve("https://example.com/", "javascript:void(0)") is None
    True
    """
    reference = reference.strip()
    if HTTP_URL.match(reference):
        return reference
    if not reference or _SCHEME.match(reference):
        return None
    if base is None:
        return reference
    return _resolve_relative(base, reference)


def resolve_base(base: str | None, own: str | None) -> str | None:
    """The base for what stands within an element that sets its ``own`` one: the one around it if that is of no use.

    >>> resolve_base("https://example.com/a/", "b/"), resolve_base(None, "b/")
    ('https://example.com/a/b/', None)
    """
    url = resolve(base, own) if own else None
    return url if url is not None and HTTP_URL.match(url) else base


def strip_url_to_homepage(url: str | None) -> str:
    """The home page of a URL's site: scheme, host and port as they are written, and the path ``/``.

    >>> strip_url_to_homepage("http://example.com:8080/shop/?page=2")
    'http://example.com:8080/'
    """
    origin = _HTTP_ORIGIN.match(url.strip()) if url else None
    if origin is None:
        raise StripURLToHomepageException(f"This is not an HTTP(S) URL with a host: {url!r:.200}")
    return origin[0] + "/"


def folder_of(url: str) -> str:
    """The folder in which a URL stands, up to its last ``/``; a last segment without a dot is a folder itself.

    >>> folder_of("https://example.com/docs"), folder_of("https://example.com/docs/index.html?page=2")
    ('https://example.com/docs/', 'https://example.com/docs/')
    """
    home = strip_url_to_homepage(url)
    path = re.split("[?#]", url.strip()[len(home) - 1 :], maxsplit=1)[0]
    folder, _, last = path.rpartition("/")
    return home[:-1] + (f"{folder}/" if not last or "." in last else f"{path}/")


def identity(url: str) -> str:
    """What makes two URLs the same: scheme and host in lower case, no default port, no fragment; the rest as written.

    >>> identity("HTTP://Example.COM:80/A%2fb?C#top")
    'http://example.com/A%2fb?C'
    """
    if "#" in url:
        url = url.partition("#")[0]
    if _PLAIN.match(url):
        return url
    parts = _AUTHORITY.match(url) if HTTP_URL.match(url) else None
    if parts is None:
        return url
    return f"{parts['scheme'].lower()}://{parts['user']}{_host_and_port(parts)}{url[parts.end() :]}"


def origin(url: str) -> str:
    """Whom a URL asks: scheme, host and port (if it is not the default one), without user information.

    >>> origin("HTTPS://me:secret@Example.COM:443/a"), origin("http://example.com:8080/")
    ('https://example.com', 'http://example.com:8080')
    """
    if plain := _PLAIN.match(url):
        return plain[0]
    parts = _AUTHORITY.match(url) if HTTP_URL.match(url) else None
    return f"{parts['scheme'].lower()}://{_host_and_port(parts)}" if parts else url


def has_white_space_or_control(url: str) -> bool:
    """Whether a URL holds characters that it should have escaped: white space or control characters.

    >>> has_white_space_or_control("https://example.com/a b"), has_white_space_or_control("https://example.com/a%20b")
    (True, False)
    """
    return _WHITE_SPACE_OR_CONTROL.search(url) is not None


def _host_and_port(parts: re.Match[str]) -> str:
    port = parts["port"]
    known = not port or port == _DEFAULT_PORTS[parts["scheme"].lower()]
    return parts["host"].lower() + ("" if known else ":" + port)


def _resolve_relative(base: str, reference: str) -> str | None:
    parts = _BASE.match(base) if HTTP_URL.match(base) else None
    if parts is None:
        return None
    if reference.startswith("//"):
        url = parts["scheme"] + reference
        return url if HTTP_URL.match(url) else None
    origin = parts["scheme"] + parts["authority"]
    relative = _RELATIVE.match(reference)
    path, rest = (relative["path"], relative["rest"]) if relative else ("", "")
    if not path:
        query = "" if rest.startswith("?") else parts["query"]
        return origin + parts["path"] + query + rest
    if not path.startswith("/"):
        folder = parts["path"].rpartition("/")[0]
        path = f"{folder}/{path}"
    return origin + _without_dot_segments(path) + rest


def _without_dot_segments(path: str) -> str:
    """RFC 3986, section 5.2.4, in one pass: ``/a/./b/../c`` is ``/a/c``."""
    if "/." not in path:
        return path
    segments = path.split("/")[1:]
    kept: list[str] = []
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)
