"""What the environment says about proxies and passwords, as curl and others read it."""

import logging
from pathlib import Path

import pytest

from usp.fetching.environment import Environment, environment

PROXY = "http://proxy.example:3128"


@pytest.mark.parametrize(
    ("variables", "scheme", "proxy"),
    [
        ({}, "http", None),
        ({"http_proxy": PROXY}, "http", PROXY),
        ({"http_proxy": PROXY}, "https", None),
        ({"HTTPS_PROXY": PROXY}, "https", PROXY),
        ({"ALL_PROXY": PROXY}, "https", PROXY),
        ({"https_proxy": "http://own.example", "all_proxy": PROXY}, "https", "http://own.example"),
        ({"http_proxy": "http://lower.example", "HTTP_PROXY": PROXY}, "http", "http://lower.example"),
        ({"http_proxy": "", "HTTP_PROXY": PROXY}, "http", None),
        ({"http_proxy": " proxy.example:3128 "}, "http", PROXY),
        ({"HTTP_PROXY": PROXY, "REQUEST_METHOD": "GET"}, "http", None),  # a visitor's header, not a setting
        ({"http_proxy": PROXY, "REQUEST_METHOD": "GET"}, "http", PROXY),
    ],
)
def test_a_variable_names_the_proxy_of_its_scheme(
    variables: dict[str, str], scheme: str, proxy: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert environment().proxy_for(scheme, "example.com", None) == proxy


@pytest.mark.parametrize(
    ("no_proxy", "host", "port", "direct"),
    [
        ("example.com", "example.com", None, True),
        ("example.com", "www.example.com", None, True),
        ("example.com", "badexample.com", None, False),
        (".example.com", "www.example.com", None, True),
        ("EXAMPLE.com", "example.com", None, True),
        ("example.com", "example.com.", None, True),
        ("other.example, example.com", "example.com", None, True),
        ("other.example example.com", "example.com", None, True),
        ("*", "example.com", None, True),
        ("example.com:8080", "example.com", 8080, True),
        ("example.com:8080", "example.com", None, False),
        ("10.0.0.0/8", "10.1.2.3", None, True),
        ("10.0.0.0/8", "11.1.2.3", None, False),
        ("10.0.0.1", "10.0.0.1", None, True),
        ("::1", "[::1]", None, True),
        ("[::1]", "[::1]", None, True),
        ("fd00::/8", "[fd00::1]", 443, True),
        ("", "example.com", None, False),
        (", ,", "example.com", None, False),
        (".", "example.com", None, False),
        ("1/2/3", "example.com", None, False),
    ],
)
def test_no_proxy_names_the_hosts_that_need_none(
    no_proxy: str, host: str, port: int | None, direct: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", PROXY)
    monkeypatch.setenv("no_proxy", no_proxy)
    assert environment().proxy_for("http", host, port) == (None if direct else PROXY)


def passwords(text: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> Environment:
    path.write_text(text)
    monkeypatch.setenv("NETRC", str(path))
    return environment()


def test_a_password_is_for_its_host_and_the_default_for_trusted_hosts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = passwords(
        "machine example.com login me password secret\n"
        "machine ::1 login six password x\n"
        "default login any password one\n",
        tmp_path / "passwords",
        monkeypatch,
    )
    for trusted in (True, False):
        assert known.credentials_for("example.com", trusted) == ("me", "secret")
        assert known.credentials_for("[::1]", trusted) == ("six", "x")
    assert known.credentials_for("other.example", True) == ("any", "one")
    assert known.credentials_for("other.example", False) is None
    assert known.credentials_for("www.example.com", False) is None


def test_without_a_file_there_are_no_passwords(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert environment().passwords is None
    (tmp_path / ".netrc").write_text("machine example.com login me password secret\n")
    (tmp_path / "_netrc").write_text("machine example.com login me password secret\n")
    assert environment().credentials_for("example.com", False) == ("me", "secret")


@pytest.mark.parametrize("text", ["machine", "nonsense", "\udcff"])
def test_a_file_that_cannot_be_read_is_a_warning(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "passwords"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    monkeypatch.setenv("NETRC", str(path))
    with caplog.at_level(logging.WARNING):
        assert environment().passwords is None
    assert ".netrc" in caplog.text


def test_a_file_that_is_named_and_missing_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("NETRC", str(tmp_path / "missing"))
    assert environment().passwords is None
    assert ".netrc" in caplog.text
