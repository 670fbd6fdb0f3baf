"""What every test of fetching needs."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test sees the proxies and passwords of the machine that it runs on."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "netrc"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
