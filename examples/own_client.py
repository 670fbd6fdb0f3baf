"""Fetch with a client of your own: an ``AbstractWebClient``, as programs for older libraries have one.

python examples/own_client.py https://example.com/
"""

import sys
import urllib.error
import urllib.request
from email.message import Message

from usp.tree import sitemap_tree_for_homepage
from usp.web_client.abstract_client import (
    AbstractWebClient,
    AbstractWebClientResponse,
    AbstractWebClientSuccessResponse,
    WebClientErrorResponse,
)


class Answer(AbstractWebClientSuccessResponse):
    def __init__(self, url: str, status: int, headers: Message, data: bytes) -> None:
        self._url = url
        self._status = status
        self._headers = headers
        self._data = data

    def status_code(self) -> int:
        return self._status

    def status_message(self) -> str:
        return ""

    def header(self, case_insensitive_name: str) -> str | None:
        return self._headers.get(case_insensitive_name)

    def raw_data(self) -> bytes:
        return self._data

    def url(self) -> str:
        return self._url


class UrllibClient(AbstractWebClient):
    """Asks with the standard library alone."""

    def __init__(self) -> None:
        self._longest = 100 * 1024 * 1024

    def set_max_response_data_length(self, max_response_data_length: int | None) -> None:
        self._longest = max_response_data_length or self._longest

    def get(self, url: str) -> AbstractWebClientResponse:
        try:
            with urllib.request.urlopen(url, timeout=30) as response:
                return Answer(response.url, response.status, response.headers, response.read(self._longest))
        except urllib.error.HTTPError as error:
            with error:
                return WebClientErrorResponse(f"{error.code} {error.reason}", retryable=error.code >= 500)
        except OSError as error:
            return WebClientErrorResponse(str(error), retryable=isinstance(error, TimeoutError))


if __name__ == "__main__":
    tree = sitemap_tree_for_homepage(sys.argv[1], web_client=UrllibClient())
    for sitemap in tree.all_sitemaps():
        print(sitemap.url, len(sitemap.pages))
