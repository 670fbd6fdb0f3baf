import importlib
import socket
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
import requests

from tests.unit.decoding.bodies import gz, gz_bomb
from tests.unit.web_client.recorder import Recorder
from tests.unit.web_client.server import Answer, Handler, endless, one_byte_after_another, serving, silent
from usp.exceptions import InvalidOptionException
from usp.web_client import requests_body, requests_client
from usp.web_client.abstract_client import AbstractWebClientResponse
from usp.web_client.requests_client import (
    RequestsWebClient,
    RequestsWebClientErrorResponse,
    RequestsWebClientSuccessResponse,
)


@pytest.fixture(autouse=True)
def no_network_but_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    look_up = socket.getaddrinfo

    def look_up_literals(host: Any, *arguments: Any, **options: Any) -> Any:
        if host != "127.0.0.1":
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return look_up(host, *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", look_up_literals)


@pytest.fixture(autouse=True)
def no_settings_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def answered(
    answer: Answer, set_up: Callable[[RequestsWebClient], object] = lambda client: None
) -> AbstractWebClientResponse:
    """What the client makes of this answer of a server."""
    client = RequestsWebClient()
    set_up(client)
    with serving({"/": answer}) as server:
        response = client.get(server.url())
        client.close()
    return response


def success(response: AbstractWebClientResponse) -> RequestsWebClientSuccessResponse:
    assert isinstance(response, RequestsWebClientSuccessResponse), response
    return response


def error(response: AbstractWebClientResponse) -> RequestsWebClientErrorResponse:
    assert isinstance(response, RequestsWebClientErrorResponse)
    return response


def test_an_answer_tells_its_status_headers_body_and_url() -> None:
    with serving({"/a": lambda handler: handler.give(body=b"<urlset/>", Content_Type="text/xml")}) as server:
        client = RequestsWebClient()
        response = success(client.get(server.url("/a")))
        assert (response.status_code(), response.status_message()) == (200, "OK")
        assert [response.header(name) for name in ("CONTENT-type", "etag")] == ["text/xml", None]
        assert (response.raw_data(), response.url()) == (b"<urlset/>", server.url("/a"))
        client.close()
        (path, headers) = server.requests[0]
        assert path == "/a"
        assert headers["User-Agent"].startswith("usp/")


def test_the_connection_is_kept_and_used_again() -> None:
    ports = set()

    def answer(handler: Handler) -> None:
        ports.add(handler.client_address)
        handler.give(404 if len(handler.server.requests) == 1 else 200, body=b"x")

    with serving({"/": answer}) as server:
        client = RequestsWebClient()
        for _ in range(4):
            client.get(server.url())
        client.close()
    assert len(ports) <= 2  # the body of an error is not read, and its connection not used again


def test_redirects_are_followed_to_the_final_url() -> None:
    answers: dict[str, Answer] = {
        "/": lambda handler: handler.give(301, Location="/a"),
        "/a": lambda handler: handler.give(307, b"elsewhere", Location="/b?c=1"),
        "/b?c=1": lambda handler: handler.give(body=b"here"),
    }
    with serving(answers) as server:
        client = RequestsWebClient()
        response = success(client.get(server.url()))
        client.close()
        assert (response.url(), response.raw_data()) == (server.url("/b?c=1"), b"here")


@pytest.mark.parametrize(
    ("location", "message"),
    [
        ("/", "10 redirects"),
        ("ftp://example.org/", "No connection adapters"),
        ("http://[", ""),
        ("http://\udcff.example.org/".encode("utf-8", "surrogateescape").decode("latin-1"), ""),
        ("http://" + "a" * 64 + ".example/", ""),
        ("http://127.0.0.1:0/", ""),
        ("http://127.0.0.1:99999/", ""),
    ],
)
def test_a_redirect_that_leads_nowhere_is_an_error(location: str, message: str) -> None:
    response = error(answered(lambda handler: handler.give(302, Location=location)))
    assert message in response.message()
    assert not response.retryable()


@pytest.mark.parametrize("slow", [False, True])
def test_the_body_of_a_redirect_is_never_read_to_its_end(slow: bool) -> None:
    sent = []

    def redirect(handler: Handler) -> None:
        handler.head(302, Location="/b", Content_Length=str(1 << 40))
        while not slow and not handler.server.stopping.is_set():
            handler.wfile.write(b"x" * 65536)
            sent.append(1)
        handler.server.stopping.wait(30)

    with serving({"/": redirect, "/b": lambda handler: handler.give(body=b"here")}) as server:
        client = RequestsWebClient()
        client.set_timeout(0.2 if slow else 30)
        response = client.get(server.url())
        client.close()
    if slow:
        assert error(response).retryable()
    else:
        assert success(response).raw_data() == b"here"
        assert len(sent) < 500  # what the buffers of the system hold


@pytest.mark.parametrize(
    ("status", "phrase", "message", "retryable"),
    [
        (404, None, "404 Not Found", False),
        (403, "Go Away", "403 Go Away", False),
        (503, None, "503 Service Unavailable", True),
        (429, "", "429 Too Many Requests", True),
        (530, "", "530", True),
        (304, None, "304 Not Modified", False),
        (301, None, "301 Moved Permanently", False),
    ],
)
def test_a_status_that_is_no_success_is_an_error_that_begins_with_it(
    status: int, phrase: str | None, message: str, retryable: bool
) -> None:
    response = error(answered(lambda handler: handler.give(status, phrase=phrase, Retry_After="7")))
    assert (response.message(), response.retryable(), response.header("retry-after")) == (message, retryable, "7")
    assert (response.url() or "").startswith("http://127.0.0.1:")


def test_an_endless_body_is_cut_at_the_limit() -> None:
    response = success(answered(endless, lambda client: client.set_max_response_data_length(100_000)))
    assert response.raw_data() == b"x" * 100_000


def test_without_a_limit_a_body_is_whole() -> None:
    body = bytes(300_000)
    response = answered(
        lambda handler: handler.give(body=body), lambda client: client.set_max_response_data_length(None)
    )
    assert success(response).raw_data() == body


def test_a_body_that_comes_too_slowly_is_a_timeout() -> None:
    response = error(answered(one_byte_after_another, lambda client: client.set_timeout((5, 0.2))))
    assert response.retryable()
    assert "too slowly" in response.message()


@pytest.mark.parametrize("encoding", ["gzip", "br"])
def test_a_slow_body_is_a_timeout_also_if_it_never_says_anything(encoding: str) -> None:
    def answer(handler: Handler) -> None:
        """Chunks whose extensions never end: http.client reads them by itself."""
        handler.head(Transfer_Encoding="chunked", Content_Encoding=encoding)
        handler.wfile.write(b"1;")
        while not handler.server.stopping.wait(0.01):
            handler.wfile.write(b"x")

    assert error(answered(answer, lambda client: client.set_timeout(0.2))).retryable()


def test_a_large_body_that_comes_steadily_is_given_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    given_up: list[bool] = []
    watch = requests_body._Watch(10, lambda: given_up.append(True))
    for _ in range(10):
        now[0] += 9
        watch.count(9 * requests_body.SLOWEST)
    assert watch.stop() is False
    assert given_up == []


def test_no_thread_is_left_by_bodies() -> None:
    success(answered(lambda handler: handler.give(body=b"x")))
    assert not [thread for thread in threading.enumerate() if thread.name == "usp-body-watch"]


def test_no_answer_in_time_is_a_retryable_error() -> None:
    assert error(answered(silent, lambda client: client.set_timeout(0.1))).retryable()


def test_no_time_out_is_set_where_none_is_wanted() -> None:
    response = answered(lambda handler: handler.give(body=b"x"), lambda client: client.set_timeout(None))
    assert success(response).raw_data() == b"x"


def drop(handler: Handler) -> None:
    handler.close_connection = True


def break_off(handler: Handler) -> None:
    handler.head(Content_Length="100", Connection="close")
    handler.wfile.write(b"x" * 10)
    handler.close_connection = True


def break_chunks(handler: Handler) -> None:
    handler.head(Transfer_Encoding="chunked", Connection="close")
    handler.wfile.write(b"5\r\nabcde\r\nnonsense\r\n")
    handler.close_connection = True


def endless_headers(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: x\r\n" % number for number in range(1000)))


def no_http(handler: Handler) -> None:
    handler.wfile.write(b"\0\1\2\3" * 100 + b"\r\n")
    handler.close_connection = True


@pytest.mark.parametrize("fault", [drop, break_off, break_chunks, endless_headers, no_http])
def test_a_broken_answer_is_an_error_that_is_not_retryable(fault: Answer) -> None:
    response = error(answered(fault))
    assert response.message()
    assert not response.retryable()


def test_a_refused_connection_is_an_error_that_is_not_retryable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    response = error(RequestsWebClient().get(f"http://127.0.0.1:{port}/"))
    assert response.message()
    assert not response.retryable()
    assert (response.header("Retry-After"), response.url()) == (None, None)


def test_a_server_that_speaks_no_tls_is_an_error_that_is_not_retryable() -> None:
    with serving({}) as server:
        response = error(RequestsWebClient().get(server.url().replace("http://", "https://")))
    assert response.message()
    assert not response.retryable()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://unheard-of.example/",
        "example.org",
        "/sitemap.xml",
        "mailto:me@example.org",
        "file:///etc/passwd",
        "http://",
        "http://[",
        "http://[::1",
        "http://*.example.org/",
        "http://.example.org/",
        "http://" + "a" * 64 + ".example/",
        "http://" + "é" * 300 + ".example/",
        "http://\ud800/",
        "http://127.0.0.1:0/",
        "http://127.0.0.1:99999/",
        "http://127.0.0.1:-1/",
        "http://127.0.0.1:x/",
        "http://a b/",
        "http://\0/",
        "http://%/",
        "http://a\\b/",
    ],
)
def test_an_odd_url_is_an_error_and_never_raises(url: str) -> None:
    response = error(RequestsWebClient().get(url))
    assert response.message()
    assert not response.retryable()


@pytest.mark.parametrize("encoded", [gz(b"<urlset/>"), b"<urlset/>"])
def test_a_content_encoding_is_undone_if_it_is_there(encoded: bytes) -> None:
    response = answered(lambda handler: handler.give(body=encoded, Content_Encoding="gzip"))
    assert success(response).raw_data() == b"<urlset/>"


def test_a_gzip_file_stays_one() -> None:
    body = gz(b"<urlset/>")
    assert success(answered(lambda handler: handler.give(body=body))).raw_data() == body


def test_a_bomb_is_cut_at_the_limit() -> None:
    bomb = gz_bomb(50)
    response = answered(
        lambda handler: handler.give(body=bomb, Content_Encoding="gzip"),
        lambda client: client.set_max_response_data_length(len(bomb)),
    )
    assert success(response).raw_data() == bytes(len(bomb))


def test_waits_are_kept_between_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    client = RequestsWebClient(wait=2)
    for _ in range(3):
        client.get("http://[")
    assert slept == [2, 2]


def test_proxies_are_asked() -> None:
    with serving({"http://example.org/a": lambda handler: handler.give(body=b"by proxy")}) as proxy:
        client = RequestsWebClient()
        client.set_proxies({"http": proxy.url()})
        response = success(client.get("http://example.org/a"))
        client.close()
    assert (response.raw_data(), response.url()) == (b"by proxy", "http://example.org/a")


def test_a_session_of_ones_own_is_used_as_it_is() -> None:
    recorder, hooked = Recorder(), []
    session = requests.Session()
    session.mount("https://", recorder)
    session.headers["User-Agent"] = "mine"
    session.verify = False
    session.hooks["response"].append(lambda response, **_: hooked.append(response.content))
    response = success(RequestsWebClient(session=session).get("https://example.org/"))
    assert response.raw_data() == b"recorded"
    assert hooked == [b"recorded"]
    assert [(asked["verify"], asked["headers"]["User-Agent"]) for asked in recorder.asked] == [(False, "mine")]


@pytest.mark.parametrize("verify", [False, __file__])
def test_certificates_are_checked_as_told(verify: bool | str) -> None:
    recorder = Recorder()
    session = requests.Session()
    session.mount("https://", recorder)
    for client in (RequestsWebClient(session=session), RequestsWebClient(verify, session=session)):
        client.set_timeout((1, 2))
        client.get("https://example.org/")
    assert [(asked["verify"], asked["timeout"]) for asked in recorder.asked] == [(True, (1, 2)), (verify, (1, 2))]


@pytest.mark.parametrize("timeout", [0, -1, "5", True, (1, 2, 3), (1,), (None, 0), float("nan")])
def test_a_timeout_that_is_none_is_the_callers_mistake(timeout: Any) -> None:
    with pytest.raises(InvalidOptionException, match="timeout"):
        RequestsWebClient().set_timeout(timeout)


def test_authorities_that_do_not_exist_are_the_callers_mistake() -> None:
    with pytest.raises(InvalidOptionException, match="verify"):
        RequestsWebClient(verify="/no/such/file.pem")


@pytest.mark.parametrize("stream", [False, True])
def test_a_response_of_requests_can_be_given_as_it_is(stream: bool) -> None:
    body = gz(b"<urlset/>")
    with serving({"/": lambda handler: handler.give(body=body, Content_Encoding="gzip")}) as server:
        response = RequestsWebClientSuccessResponse(requests.get(server.url(), stream=stream, timeout=30), 7)
        assert [response.raw_data(), response.raw_data()] == [b"<urlset"] * 2


def test_without_requests_the_module_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "requests", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install usp\[requests\]"):
        importlib.reload(requests_client)  # fails before it replaces anything
