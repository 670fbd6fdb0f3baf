"""What an old client's answer is; also of clients that look like the promised classes and do not subclass them."""

import re
from typing import TypeGuard

from usp.web_client.abstract_client import AbstractWebClientSuccessResponse, WebClientErrorResponse

# 1xx and 2xx are no errors: "200 bytes expected" is a message without a status.
_STATUS = re.compile(r"\s*([3-9][0-9]{2})(?::?\s+(.*)|:?)\Z", re.DOTALL)


def is_error(response: object) -> TypeGuard[WebClientErrorResponse]:
    """Whether this is an error response, or behaves as one."""
    return isinstance(response, WebClientErrorResponse) or _has(response, "message", "retryable")


def is_success(response: object) -> TypeGuard[AbstractWebClientSuccessResponse]:
    """Whether this is a success response, or behaves as one; ``url`` and ``status_message`` can be done without."""
    return isinstance(response, AbstractWebClientSuccessResponse) or _has(response, "status_code", "header", "raw_data")


def status_and_phrase(message: str) -> tuple[int, str] | None:
    """The status that leads the message of an error, and its phrase.

    >>> status_and_phrase("404 Not Found"), status_and_phrase("503"), status_and_phrase("timed out")
    ((404, 'Not Found'), (503, ''), None)
    """
    found = _STATUS.match(message)
    return (int(found[1]), (found[2] or "").strip()) if found else None


def _has(response: object, *methods: str) -> bool:
    return all(callable(getattr(response, method, None)) for method in methods)
