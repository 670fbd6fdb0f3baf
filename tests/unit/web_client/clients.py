"""Clients as programs write them."""

from collections.abc import Callable

from usp.web_client.abstract_client import (
    AbstractWebClient,
    AbstractWebClientResponse,
    AbstractWebClientSuccessResponse,
    WebClientErrorResponse,
)


class Success(AbstractWebClientSuccessResponse):
    def __init__(
        self, url: str, body: bytes = b"", *, status: int = 200, headers: dict[str, str] | None = None
    ) -> None:
        self._url = url
        self.body = body
        self.status = status
        self.headers = {name.lower(): value for name, value in (headers or {}).items()}
        self.reads = 0

    def status_code(self) -> int:
        return self.status

    def status_message(self) -> str:
        return "OK" if self.status == 200 else "Other"

    def header(self, case_insensitive_name: str) -> str | None:
        return self.headers.get(case_insensitive_name.lower())

    def raw_data(self) -> bytes:
        self.reads += 1
        return self.body

    def url(self) -> str:
        return self._url


class Client(AbstractWebClient):
    """Answers with what a function makes of the URL; remembers what it was asked."""

    def __init__(self, answer: Callable[[str], AbstractWebClientResponse]) -> None:
        self.answer = answer
        self.asked: list[str] = []
        self.limits: list[int | None] = []

    def set_max_response_data_length(self, max_response_data_length: int | None) -> None:
        self.limits.append(max_response_data_length)

    def get(self, url: str) -> AbstractWebClientResponse:
        self.asked.append(url)
        return self.answer(url)


def failing(*errors: tuple[str, bool]) -> Client:
    """A client that gives these errors one after the other, then success."""
    left = [WebClientErrorResponse(message, retryable) for message, retryable in errors]
    return Client(lambda url: left.pop(0) if left else Success(url, b"good"))
