"""The server of the sample site: for this machine alone, bounded, and gone when it is told to go."""

import http.client
import socket
from collections.abc import Iterator
from contextlib import closing
from time import monotonic

import pytest

from usp.demo import server as demo_server
from usp.demo.server import SiteServer, site_up
from usp.demo.site import Answer


@pytest.fixture
def site() -> Iterator[SiteServer]:
    with site_up() as server:
        yield server


def ask(site: SiteServer, path: str, method: str = "GET", **headers: str) -> tuple[int, bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", site.server_port, timeout=20)) as connection:
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, answer.read()


def connect(site: SiteServer) -> socket.socket:
    return socket.create_connection(("127.0.0.1", site.server_port), timeout=20)


def test_only_this_machine_is_served(site: SiteServer) -> None:
    assert site.server_address[0] == "127.0.0.1"
    assert site.url == f"http://127.0.0.1:{site.server_port}/"


@pytest.mark.parametrize(
    "path",
    [
        "/robots.TXT",
        "/../robots.txt",
        "/samples/robots.txt",
        "/%2e%2e/site.py",
        "//etc/passwd",
        "/../../../../../../etc/passwd",
        "http://127.0.0.1/robots.txt",
        "*",
    ],
)
def test_what_is_not_in_the_table_is_not_there(site: SiteServer, path: str) -> None:
    assert ask(site, path) == (404, b"")


def test_a_query_changes_nothing(site: SiteServer) -> None:
    assert ask(site, "/text.txt?page=2") == ask(site, "/text.txt")


def test_who_asks_under_another_name_is_told_the_same(site: SiteServer) -> None:
    assert ask(site, "/text.txt", Host="attacker.example") == ask(site, "/text.txt")


def test_one_path_is_busy_at_every_other_request(site: SiteServer) -> None:
    assert [ask(site, "/busy.xml")[0] for _ in range(4)] == [503, 200, 503, 200]


def test_a_head_has_no_body(site: SiteServer) -> None:
    assert ask(site, "/text.txt", "HEAD") == (200, b"")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_nothing_can_be_changed(site: SiteServer, method: str) -> None:
    assert ask(site, "/text.txt", method)[0] == 501


def test_a_connection_serves_many_requests(site: SiteServer) -> None:
    with connect(site) as connection, connection.makefile("rb") as answer:
        for _ in range(3):
            connection.sendall(b"HEAD /text.txt HTTP/1.1\r\nHost: x\r\n\r\n")
            assert answer.readline() == b"HTTP/1.1 200 OK\r\n"
            while answer.readline().strip():
                pass


def test_the_body_of_a_request_is_never_taken_for_a_request(site: SiteServer) -> None:
    with connect(site) as connection, connection.makefile("rb") as answer:
        inner = b"GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n"
        connection.sendall(b"HEAD /text.txt HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(inner) + inner)
        assert answer.read().count(b"HTTP/1.1") == 1


def test_a_connection_too_many_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo_server, "CONNECTIONS", 2)
    with site_up() as site, connect(site) as one, connect(site) as two:
        for used in (one, two):
            used.sendall(b"HEAD /text.txt HTTP/1.1\r\nHost: x\r\n\r\n")
            assert used.recv(8) == b"HTTP/1.1"
        with connect(site) as three:
            assert three.recv(1) == b""


def test_a_silent_connection_is_given_up(monkeypatch: pytest.MonkeyPatch, site: SiteServer) -> None:
    monkeypatch.setattr(site.RequestHandlerClass, "timeout", 0.1)
    with connect(site) as connection:
        connection.sendall(b"GET /text.txt HT")
        assert connection.recv(1) == b""


def test_it_ends_at_once_whatever_is_going_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo_server, "answers", lambda origin: {"/slow": (Answer(wait=60.0),)})
    with site_up() as site, connect(site) as idle, connect(site) as waiting:
        idle.sendall(b"GET ")
        waiting.sendall(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        began = monotonic()
        site.ending.wait(0.1)
        port = site.server_port
    assert monotonic() - began < 10
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=20)


def test_a_client_that_goes_away_disturbs_nobody(site: SiteServer, capfd: pytest.CaptureFixture[str]) -> None:
    for _ in range(5):
        with connect(site) as connection:
            connection.sendall(b"GET /collection.xml.gz HTTP/1.1\r\nHost: x\r\n\r\n")
    assert ask(site, "/text.txt")[0] == 200
    assert capfd.readouterr() == ("", "")


def test_a_port_in_use_is_an_os_error(site: SiteServer) -> None:
    with pytest.raises(OSError, match="in use"), site_up(site.server_port):
        pass
