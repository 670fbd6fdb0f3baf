"""What the documentation shows is what happens: every code block of every page runs."""

import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs import generators
from tests.docs.blocks import ROOT, Command, blocks, run
from tests.docs.museum import answers_at_once, open_museum
from usp.cli import main
from usp.demo import server
from usp.fetching.aiohttp_fetcher import AiohttpFetcher

WRITTEN = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
GENERATED = {generators.FOLDER / path for path in generators.PAGES}
PAGES = [path for path in WRITTEN if path not in GENERATED]

SERVED = "127.0.0.1:18000"
"""Where the tutorial has the sample site; another port is taken here, which is as long."""


def head(words: list[str]) -> None:
    """``head -n N FILE``."""
    _, number, name = words
    sys.stdout.writelines(Path(name).read_text(encoding="utf-8").splitlines(keepends=True)[: int(number)])


COMMANDS: dict[str, Command] = {"usp": main, "head": head}


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
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    assert text.count("\n```") == 2 * len(blocks(text)), "every fence is known"
    if SERVED in text:
        monkeypatch.setattr(server, "answers", answers_at_once)
        with server.site_up() as site:
            run(text.replace(SERVED, f"127.0.0.1:{site.server_port}"), COMMANDS)
    else:
        monkeypatch.setattr(AiohttpFetcher, "open", open_museum)
        run(text, COMMANDS)


@pytest.mark.parametrize("path", generators.PAGES)
def test_generated_pages_are_fresh(path: str) -> None:
    written = (generators.FOLDER / path).read_text(encoding="utf-8")
    assert written == generators.PAGES[path](), "run `make docs`"
