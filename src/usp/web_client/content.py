"""The text of a response. Promised as ``usp.helpers.ungzipped_response_content``.

Crawls do not use it: they read bodies piece by piece, and never hold the text whole.
"""

import logging
import sys

from usp.decoding.charset import TextDecoder, charset_of
from usp.decoding.compression import Inflater
from usp.exceptions import GunzipException
from usp.limits import Limits
from usp.problems import ProblemLog, Severity
from usp.web_client.abstract_client import AbstractWebClientSuccessResponse

_log = logging.getLogger("usp.helpers")  # the promised name: programs filter by it


def ungzipped_response_content(
    url: str,
    response: AbstractWebClientSuccessResponse,
    max_uncompressed_bytes: int | None = None,
) -> str:
    """The text of a response: compression undone where the bytes show it, then the charset.

    What is damaged gives all that it says before the damage, with a warning in the log. Raises ``GunzipException``
    beyond ``max_uncompressed_bytes``, and for what inflates like a bomb: half a document would pass for a whole one.

    >>> from usp.web_client.abstract_client import LocalWebClientSuccessResponse
    >>> url = "https://example.com/sitemap.txt"
    >>> ungzipped_response_content(url, LocalWebClientSuccessResponse(url, "https://example.com/cats"))
    'https://example.com/cats'
    """
    problems = ProblemLog(url)
    data = _inflated(url, response.raw_data(), max_uncompressed_bytes, problems)
    decoder = TextDecoder(charset_of(response.header("Content-Type")), problems)
    text = decoder.feed(data) + decoder.close()
    for problem in problems.problems():
        _log.log(logging.DEBUG if problem.severity is Severity.NOTE else logging.WARNING, "%s: %s", url, problem)
    return text


def _inflated(url: str, data: bytes, most_bytes: int | None, problems: ProblemLog) -> bytes:
    limits = Limits(wire_bytes=sys.maxsize, inflated_bytes=sys.maxsize if most_bytes is None else most_bytes + 1)
    inflater = Inflater(None, limits, problems)
    output = bytearray()
    for pieces in (inflater.feed(data), inflater.close()):
        for piece in pieces:
            output += piece
            if most_bytes is not None and len(output) > most_bytes:
                raise GunzipException(f"The response of {url:.200} has more than {most_bytes} bytes, uncompressed")
    if inflater.refused:
        reasons = "; ".join(str(problem) for problem in problems.problems())
        raise GunzipException(f"The response of {url:.200} is refused: {reasons}")
    return bytes(output)
