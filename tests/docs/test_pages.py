"""What the documentation shows is what happens: every code block of every page runs."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs import generators
from tests.docs.blocks import ROOT, Command, blocks, run
from tests.docs.museum import open_museum
from usp.fetching.aiohttp_fetcher import AiohttpFetcher

WRITTEN = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
GENERATED = {generators.FOLDER / path for path in generators.PAGES}
PAGES = [path for path in WRITTEN if path not in GENERATED]

COMMANDS: dict[str, Command] = {}


@pytest.fixture
def quiet_log() -> Iterator[None]:
    """A page shows what it prints; warnings of the log go elsewhere."""
    logger = logging.getLogger("usp")
    handler = logging.NullHandler()
    logger.addHandler(handler)
    yield
    logger.removeHandler(handler)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_code_block_does_what_its_page_says(
    page: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, quiet_log: None
) -> None:
    monkeypatch.setattr(AiohttpFetcher, "open", open_museum)
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    assert text.count("\n```") == 2 * len(blocks(text)), "every fence is known"
    run(text, COMMANDS)


@pytest.mark.parametrize("path", generators.PAGES)
def test_generated_pages_are_fresh(path: str) -> None:
    written = (generators.FOLDER / path).read_text(encoding="utf-8")
    assert written == generators.PAGES[path](), "run `make docs`"
