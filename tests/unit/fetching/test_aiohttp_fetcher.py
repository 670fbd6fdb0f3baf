"""The options of the fetcher for everybody."""

import subprocess
import sys
from typing import Any

import pytest

from usp.exceptions import InvalidOptionException
from usp.fetching.aiohttp_fetcher import AiohttpFetcher


def test_importing_the_fetcher_loads_no_http_client() -> None:
    script = "import sys, usp.fetching.aiohttp_fetcher as f; f.AiohttpFetcher(); print('aiohttp' in sys.modules)"
    finished = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True)
    assert finished.stdout.strip() == "False"


@pytest.mark.parametrize(
    "options",
    [
        {"proxy": "socks5://127.0.0.1:1080"},
        {"proxy": "127.0.0.1:3128"},
        {"proxy": ""},
        {"proxy": 5},
        {"auth": "me:secret"},
        {"auth": ("me",)},
        {"auth": ("m:e", "secret")},
        {"auth": ("me", "secret"), "headers": {"AUTHORIZATION": "Bearer x"}},
        {"headers": {"X": "a\r\nY: b"}},
        {"headers": {"X\n": "a"}},
        {"headers": {"X": 1}},
        {"user_agent": "a\nb"},
        {"tls": "no"},
        {"connections": 0},
        {"connections": True},
        {"connections": 1.5},
        {"resolver": None},
    ],
)
def test_an_option_that_cannot_be_is_the_callers_mistake(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidOptionException):
        AiohttpFetcher(**options)


def test_what_a_fetcher_looks_like_tells_no_secret() -> None:
    fetcher = AiohttpFetcher(auth=("me", "secret"), proxy="http://me:secret@proxy", headers={"Cookie": "secret"})
    assert "secret" not in repr(fetcher)
