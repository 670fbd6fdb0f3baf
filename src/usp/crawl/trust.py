"""Where the caller's credentials may go."""

from usp.values.urls import origin


def trusted_origins(homepage_url: str) -> frozenset[str]:
    """The homepage's origin, and the same host asked more safely.

    >>> sorted(trusted_origins("http://example.com/docs/"))
    ['http://example.com', 'https://example.com']
    """
    own = origin(homepage_url)
    scheme, _, host = own.partition("://")
    return frozenset({own, f"https://{host}"} if scheme == "http" and ":" not in host else {own})
