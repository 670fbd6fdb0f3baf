"""The promised interface of web clients: what a program implements to fetch for USP in its own way.

Laws: a client is asked for one URL at a time and answers with a response; what goes wrong on the way is a
``WebClientErrorResponse``, never an exception. It follows redirects and undoes Content-Encodings by itself. Nothing
here knows an HTTP library. To use one well, rather write a ``usp.fetching.fetcher.Fetcher``.
"""

import random
import time
from abc import ABC, abstractmethod
from typing import NoReturn

from usp.crawl.retry import ONCE_MORE_STATUSES, RETRYABLE_STATUSES
from usp.decoding.charset import SurrogateFilter
from usp.exceptions import NoWebClientException
from usp.problems import ProblemLog

__all__ = [
    "RETRYABLE_HTTP_STATUS_CODES",
    "AbstractWebClient",
    "AbstractWebClientResponse",
    "AbstractWebClientSuccessResponse",
    "LocalWebClient",
    "LocalWebClientSuccessResponse",
    "NoWebClientException",
    "RequestWaiter",
    "WebClientErrorResponse",
]

RETRYABLE_HTTP_STATUS_CODES = RETRYABLE_STATUSES | ONCE_MORE_STATUSES
"""Statuses after which asking again may help."""


class AbstractWebClientResponse(ABC):  # noqa: B024 - what both kinds of answers are, and nothing more
    """What a client answers with: a success or an error."""


class AbstractWebClientSuccessResponse(AbstractWebClientResponse):
    """There was an answer, and it is read."""

    @abstractmethod
    def status_code(self) -> int:
        """The status, for example 200."""

    @abstractmethod
    def status_message(self) -> str:
        """The phrase of the status, for example "OK"."""

    @abstractmethod
    def header(self, case_insensitive_name: str) -> str | None:
        """The value of a header, or None if there is no such header."""

    @abstractmethod
    def raw_data(self) -> bytes:
        """The body, with its Content-Encoding undone, cut at the limit that the client was given."""

    @abstractmethod
    def url(self) -> str:
        """The URL that answered: the last one, after redirects."""


class WebClientErrorResponse(AbstractWebClientResponse):
    """There was no answer, or one that cannot be used. A status, if any, leads the message.

    >>> error = WebClientErrorResponse("404 Not Found", retryable=False)
    >>> error.message(), error.retryable()
    ('404 Not Found', False)
    """

    def __init__(self, message: str, retryable: bool) -> None:
        self._message = message
        self._retryable = retryable

    def message(self) -> str:
        """Why, in a few words."""
        return self._message

    def retryable(self) -> bool:
        """Whether asking again may help."""
        return self._retryable

    def __repr__(self) -> str:
        return f"{type(self).__name__}(message={self._message!r}, retryable={self._retryable!r})"


class AbstractWebClient(ABC):
    """A way to fetch. ``usp.web_client.adapter`` makes a fetcher of it."""

    @abstractmethod
    def set_max_response_data_length(self, max_response_data_length: int | None) -> None:
        """The bytes after which bodies are to be cut from now on; None for no limit."""

    @abstractmethod
    def get(self, url: str) -> AbstractWebClientResponse:
        """Fetch a URL. Never raises for what the network or the site does."""


class LocalWebClient(AbstractWebClient):
    """A client for programs that only read what they have: raises ``NoWebClientException`` when asked to fetch."""

    def set_max_response_data_length(self, max_response_data_length: int | None) -> None:
        """Does nothing: there are no bodies."""

    def get(self, url: str) -> NoReturn:
        """Raises."""
        raise NoWebClientException(f"This client does not fetch: {url:.200}")


class LocalWebClientSuccessResponse(AbstractWebClientSuccessResponse):
    """Text that the program has, in the shape of a response.

    >>> LocalWebClientSuccessResponse("https://example.com/sitemap.txt", "https://example.com/").raw_data()
    b'https://example.com/'
    """

    def __init__(self, url: str, data: str) -> None:
        self._url = url
        self._data = data

    def status_code(self) -> int:
        return 200

    def status_message(self) -> str:
        return "OK"

    def header(self, case_insensitive_name: str) -> str | None:  # noqa: ARG002 - none has a value
        return None

    def raw_data(self) -> bytes:
        """The text in UTF-8; lone surrogates, which have none, as U+FFFD."""
        surrogates = SurrogateFilter(ProblemLog(self._url))
        return (surrogates.feed(self._data) + surrogates.close()).encode()

    def url(self) -> str:
        return self._url


class RequestWaiter:
    """Keeps requests apart: call ``wait`` before each. The first one never waits.

    ``wait`` is in seconds; with ``random_wait`` it is anything from half to one and a half of that, each time anew.
    """

    def __init__(self, wait: float | None = None, random_wait: bool = True) -> None:
        self._wait = wait
        self._random_wait = random_wait
        self._is_first = True

    def wait(self) -> None:
        """Sleep, unless this is the first request or there is nothing to wait for."""
        if self._wait and not self._is_first:
            time.sleep(self._wait * (random.uniform(0.5, 1.5) if self._random_wait else 1))
        self._is_first = False
