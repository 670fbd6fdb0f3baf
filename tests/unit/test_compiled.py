"""Finding the compiled reader: installed or not, switched off, of another version."""

import importlib
import logging
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from usp import compiled
from usp.handshake import BLOCK_VERSION, INTERFACE
from usp.parsing import parse


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """What is installed is looked up once a process."""
    compiled._installed.cache_clear()
    compiled._reader.cache_clear()
    yield
    compiled._installed.cache_clear()
    compiled._reader.cache_clear()


def install(monkeypatch: pytest.MonkeyPatch, module: object | None) -> None:
    def found(name: str) -> object:
        if module is None:
            raise ImportError(name)
        return module

    monkeypatch.setattr(compiled, "importlib", SimpleNamespace(import_module=found))
    monkeypatch.delenv(compiled.SWITCH, raising=False)


def module(interface: int = INTERFACE) -> SimpleNamespace:
    return SimpleNamespace(INTERFACE=interface, BLOCK_VERSION=BLOCK_VERSION, __version__="1.2.3")


def test_an_installed_reader_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, module())
    native = compiled.native_reader()
    assert native is not None
    assert native is compiled.native_reader()
    assert compiled.reader_in_use() == "usp_native 1.2.3"


def test_without_one_python_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, None)
    assert compiled.native_reader() is None
    assert compiled.reader_in_use() == "Python"
    assert [page.url for page in parse("https://example.com/").pages] == ["https://example.com/"]


def test_it_can_be_switched_off_and_on_while_a_program_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, module())
    monkeypatch.setenv(compiled.SWITCH, "0")
    assert compiled.native_reader() is None
    monkeypatch.setenv(compiled.SWITCH, "1")
    assert compiled.native_reader() is not None


def test_one_that_does_not_fit_is_not_used_and_a_warning_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    install(monkeypatch, module(INTERFACE + 1))
    assert compiled.native_reader() is None
    assert compiled.native_reader() is None
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "1.2.3" in caplog.text


def test_a_module_that_says_nothing_of_itself_is_not_used(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    install(monkeypatch, SimpleNamespace())
    assert compiled.native_reader() is None
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "usp_native of no version" in caplog.text


def test_the_extra_wants_the_crate_of_this_repository() -> None:
    root = Path(__file__).parents[2]
    crate = tomllib.loads((root / "native" / "Cargo.toml").read_text())
    extras = tomllib.loads((root / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert extras["native"] == [f"usp-native=={crate['package']['version']}"]


def test_every_crate_is_pinned() -> None:
    crate = tomllib.loads((Path(__file__).parents[2] / "native" / "Cargo.toml").read_text())
    wanted = [one if isinstance(one, str) else one["version"] for one in crate["dependencies"].values()]
    assert [version for version in wanted if not version.startswith("=")] == []


def test_the_crate_of_this_repository_fits() -> None:
    pytest.importorskip("usp_native")
    installed = importlib.import_module("usp_native")
    assert (installed.INTERFACE, installed.BLOCK_VERSION) == (INTERFACE, BLOCK_VERSION)
