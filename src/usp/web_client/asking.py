"""Asking a web client for one URL until there is an answer. Promised as ``usp.helpers.get_url_retry_on_client_errors``.

Crawls do not use it: they retry by their own policy, for clients and fetchers alike.
"""

import logging
import time

from usp.web_client.abstract_client import AbstractWebClient, AbstractWebClientResponse, WebClientErrorResponse
from usp.web_client.answers import is_error, status_and_phrase

_log = logging.getLogger("usp.helpers")  # the promised name: programs filter by it


def get_url_retry_on_client_errors(
    url: str,
    web_client: AbstractWebClient,
    retry_count: int = 5,
    sleep_between_retries: float = 1,
    quiet_404: bool = False,
) -> AbstractWebClientResponse:
    """Ask for a URL up to ``retry_count`` times, at least once, as long as the client says that it may help.

    ``sleep_between_retries`` is in seconds. Every failure is logged: as a warning, or as a mere information if it is a
    404 and ``quiet_404`` says that this is nothing special.

    >>> from usp.web_client.abstract_client import LocalWebClientSuccessResponse
    >>> class Shelf:
    ...     def get(self, url):
    ...         return LocalWebClientSuccessResponse(url, "https://example.com/cats")
    >>> get_url_retry_on_client_errors("https://example.com/sitemap.txt", Shelf()).status_code()
    200
    """
    tries = 1
    while True:
        response = web_client.get(url)
        if not is_error(response):
            return response
        _log.log(_level(response, quiet_404), "Request for URL %s failed: %s", url, response.message())
        if tries >= retry_count or not response.retryable():
            return response
        tries += 1
        time.sleep(sleep_between_retries)


def _level(response: WebClientErrorResponse, quiet_404: bool) -> int:
    status, _ = status_and_phrase(response.message()) or (None, "")
    return logging.INFO if quiet_404 and status == 404 else logging.WARNING
