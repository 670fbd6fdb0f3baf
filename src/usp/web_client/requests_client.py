"""The promised client on top of requests (``pip install usp[requests]``).

For programs that already configure, record or mock requests; the default fetcher is several times faster.

Laws: never raises for what the network, a site or an odd URL does; timeouts and some statuses are retryable, other
errors are not; memory and time of a body are bounded.
"""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.client import HTTPException
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

try:
    import requests
    import urllib3
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "RequestsWebClient needs requests, which is not installed: pip install usp[requests]", name=missing.name
    ) from missing

from usp.exceptions import InvalidOptionException
from usp.limits import DEFAULT_LIMITS, PIECE
from usp.web_client.abstract_client import (
    RETRYABLE_HTTP_STATUS_CODES,
    AbstractWebClient,
    AbstractWebClientResponse,
    AbstractWebClientSuccessResponse,
    RequestWaiter,
    WebClientErrorResponse,
)
from usp.web_client.requests_body import read_body

__all__ = ["RequestsWebClient", "RequestsWebClientErrorResponse", "RequestsWebClientSuccessResponse"]

Timeout = float | tuple[float | None, float | None] | None

TIMEOUT = DEFAULT_LIMITS.idle_seconds
"""Some sites make large sitemaps while one waits."""

_NETWORK_ERRORS = (
    OSError,  # those of requests too
    urllib3.exceptions.HTTPError,
    HTTPException,
    ValueError,  # of odd URLs in redirects: no IPv6 address, no IDNA
    OverflowError,  # of odd ports
)


class RequestsWebClientSuccessResponse(AbstractWebClientSuccessResponse):
    """An answer with a status of 2xx."""

    def __init__(
        self,
        requests_response: requests.Response,
        max_response_data_length: int | None = None,
        *,
        data: bytes | None = None,
    ) -> None:
        self._response = requests_response
        self._most_bytes = max_response_data_length
        self._data = data

    def status_code(self) -> int:
        return self._response.status_code

    def status_message(self) -> str:
        return _phrase(self._response)

    def header(self, case_insensitive_name: str) -> str | None:
        return self._response.headers.get(case_insensitive_name)

    def raw_data(self) -> bytes:
        if self._data is None:
            self._data = read_body(self._response, self._most_bytes)
        return self._data

    def url(self) -> str:
        return self._response.url


class RequestsWebClientErrorResponse(WebClientErrorResponse):
    """No answer, or one with a status that is not 2xx; then ``header`` and ``url`` tell more about it."""

    def __init__(self, message: str, retryable: bool, requests_response: requests.Response | None = None) -> None:
        super().__init__(message, retryable)
        self._headers: Mapping[str, str] = requests_response.headers if requests_response is not None else {}
        self._url = requests_response.url if requests_response is not None else None

    def header(self, case_insensitive_name: str) -> str | None:
        """The value of a header, such as Retry-After; None if there is none."""
        return self._headers.get(case_insensitive_name)

    def url(self) -> str | None:
        """The URL that answered, after redirects; None if nothing did."""
        return self._url


class RequestsWebClient(AbstractWebClient):
    """Fetches with requests, whose proxies (HTTP(S)_PROXY, NO_PROXY) and .netrc are obeyed.

    ``verify`` is False for no check of certificates, or the path of the authorities to trust; ``wait`` the seconds
    between requests, varied by half with ``random_wait``. A ``session`` of one's own is used as it is.

    >>> client = RequestsWebClient(wait=0.5)
    >>> client.get("http://[").retryable()
    False
    """

    def __init__(
        self,
        verify: bool | str = True,
        wait: float | None = None,
        random_wait: bool = False,
        session: requests.Session | None = None,
    ) -> None:
        if isinstance(verify, str) and not Path(verify).exists():
            raise InvalidOptionException(f"verify names no file or folder: {verify!r}")
        self._verify = None if verify is True else verify  # None leaves it to the session, which checks by itself
        self._waiter = RequestWaiter(wait, random_wait)
        self._session = session if session is not None else _new_session()
        self._timeout: tuple[float | None, float | None] = (TIMEOUT, TIMEOUT)
        self._proxies: dict[str, str] = {}
        self._most_bytes: int | None = DEFAULT_LIMITS.wire_bytes

    def set_timeout(self, timeout: Timeout) -> None:
        """The seconds that a connection and each read may take, or one number for each; None waits for ever."""
        parts = timeout if isinstance(timeout, tuple) else (timeout, timeout)
        if len(parts) != 2 or not all(part is None or _is_positive(part) for part in parts):
            raise InvalidOptionException(f"A timeout must be a number of seconds above 0, or two, not {timeout!r}")
        self._timeout = parts

    def set_proxies(self, proxies: Mapping[str, str]) -> None:
        """The proxy for each scheme, for example ``{"https": "http://user:secret@10.10.1.10:3128/"}``."""
        self._proxies = dict(proxies)

    def set_max_response_data_length(self, max_response_data_length: int | None) -> None:
        """The bytes after which bodies are cut, 100 MiB by default; None for no limit."""
        self._most_bytes = max_response_data_length

    def get(self, url: str) -> AbstractWebClientResponse:
        """Fetch a URL, following redirects."""
        self._waiter.wait()
        try:
            return self._answer(
                self._session.get(
                    url,
                    timeout=self._timeout,
                    stream=True,
                    verify=self._verify,
                    proxies=self._proxies,
                    hooks={"response": self._hooks()},
                )
            )
        except _NETWORK_ERRORS as error:
            return RequestsWebClientErrorResponse(_message(error), _is_timeout(error))

    def close(self) -> None:
        """Close the connections that are kept open; the client can be used again."""
        self._session.close()

    def _answer(self, response: requests.Response) -> AbstractWebClientResponse:
        status = response.status_code
        if not 200 <= status < 300:
            response.close()
            message = f"{status} {_phrase(response)}".strip()
            return RequestsWebClientErrorResponse(message, status in RETRYABLE_HTTP_STATUS_CODES, response)
        data = read_body(response, self._most_bytes, self._timeout[1])
        return RequestsWebClientSuccessResponse(response, self._most_bytes, data=data)

    def _hooks(self) -> list[Callable[..., object]]:
        """The session's own, which hooks given with a request would replace, and ours."""
        own = getattr(self._session, "hooks", {}).get("response", [])
        return [*(own if isinstance(own, list | tuple) else [own]), self._read_redirect]

    def _read_redirect(self, response: requests.Response, **_: object) -> None:
        """Read the body of a redirect, which requests would read to its end, however long that takes."""
        if response.is_redirect:
            read_body(response, PIECE, self._timeout[1])


def _new_session() -> requests.Session:
    session = requests.Session()
    session.max_redirects = DEFAULT_LIMITS.redirects
    try:
        session.headers["User-Agent"] = f"usp/{version('usp')}"
    except PackageNotFoundError:  # used without being installed
        session.headers["User-Agent"] = "usp"
    return session


def _phrase(response: requests.Response) -> str:
    """The phrase as sent; HTTP/2 proxies send none."""
    known = next((status.phrase for status in HTTPStatus if status == response.status_code), "")
    return response.reason or known


def _is_positive(seconds: object) -> bool:
    return isinstance(seconds, int | float) and not isinstance(seconds, bool) and seconds > 0


def _is_timeout(error: Exception) -> bool:
    causes = (error, *error.args)  # requests wraps some timeouts in a ConnectionError
    return any(isinstance(cause, requests.Timeout | urllib3.exceptions.TimeoutError | TimeoutError) for cause in causes)


def _message(error: Exception) -> str:
    return str(error) or type(error).__name__
