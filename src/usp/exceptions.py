"""What USP raises: only a caller's own mistake, never what a web site does.

    SitemapException
    ├── InvalidOptionException       an option has a value that it cannot have (also a ``ValueError``)
    ├── InvalidSourceException       the source given to ``parse`` cannot be read at all
    ├── MissingDependencyException   an optional package is needed that is not installed (also an ``ImportError``)
    ├── InvalidWebClientException    a web client is none, or gave something that is no response (also a ``TypeError``)
    ├── NoWebClientException         a web client that cannot fetch was asked to
    ├── SitemapXMLParsingException   kept for programs that catch it
    ├── GunzipException              ``gunzip`` was given something that is not gzip
    └── StripURLToHomepageException  a URL without a home page to strip it to

The world's mistakes are values: see ``usp.problems``.
"""


class SitemapException(Exception):
    """The root of everything that USP raises on purpose."""


class InvalidOptionException(SitemapException, ValueError):
    """An option was given a value that it cannot have."""


class InvalidSourceException(SitemapException):
    """The caller's source is of no readable kind, or its file cannot be opened."""


class MissingDependencyException(SitemapException, ImportError):
    """What was asked for needs a package that is not installed; the message says what installs it."""


class InvalidWebClientException(SitemapException, TypeError):
    """What was given as a web client is none, or it answered with something that is no response."""


class NoWebClientException(SitemapException):
    """A web client that cannot fetch was asked to: see ``LocalWebClient``."""


class SitemapXMLParsingException(SitemapException):
    """An XML document could not be read; promised to old programs, which may catch it."""


class GunzipException(SitemapException):
    """The data is not gzip, or inflates beyond the caller's bound."""


class StripURLToHomepageException(SitemapException):
    """The URL has no home page: it is not an HTTP(S) URL with a host."""
