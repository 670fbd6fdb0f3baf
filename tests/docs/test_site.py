"""The documentation as a site: complete, and whole without a network."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import usp
from docs.generators import cli
from docs.generators.api import API
from docs.generators.docstrings import section
from tests.docs.blocks import ROOT
from tests.test_public_names import BASES, SIGNATURES
from usp import exceptions, outputs

FETCHED = re.compile(r"<(?:script|img|iframe|source)\b[^>]*\bsrc=\"(?:https?:)?//|<link\b[^>]*\bhref=\"(?:https?:)?//")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(folder)]
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (finished.returncode, finished.stderr) == (0, "")
    return folder


def test_every_page_becomes_one_of_the_site(site: Path) -> None:
    pages = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")}
    assert [page for page in sorted(pages) if not (site / page).is_file()] == []


STYLE_FETCHED = re.compile(r"(@import|url\()\s*['\"]?https?:")


def test_the_site_fetches_nothing_from_anywhere(site: Path) -> None:
    fetching = [
        path.name for path in site.rglob("*") if path.suffix == ".html" and FETCHED.search(path.read_text("utf-8"))
    ]
    styles = [path.name for path in site.rglob("*.css") if STYLE_FETCHED.search(path.read_text("utf-8"))]
    assert (fetching, styles) == ([], [])


def test_no_generator_is_published(site: Path) -> None:
    assert list(site.rglob("*.py")) == []


DOCUMENTED = {name for page in API.values() for name in page.names}
HOMES = {*DOCUMENTED, "usp.outputs.Output"} | {f"usp.exceptions.{name.rpartition('.')[2]}" for name in DOCUMENTED}


def test_every_public_name_of_the_package_is_in_the_reference() -> None:
    assert [name for name in usp.__all__ if f"usp.{name}" not in DOCUMENTED] == []


@pytest.mark.parametrize("module", [exceptions, outputs])
def test_every_exception_and_output_is_in_the_reference(module: ModuleType) -> None:
    names = [name for name, value in vars(module).items() if name[0] != "_" and hasattr(value, "__module__")]
    ours = [name for name in names if getattr(module, name).__module__.startswith(module.__name__)]
    assert [name for name in ours if f"{module.__name__}.{name}" not in HOMES] == []


def test_every_promised_name_is_in_the_reference() -> None:
    text = "\n".join(section(name) for name in DOCUMENTED)
    names = {name.rpartition(".")[2] for name in (*SIGNATURES, *BASES)}
    assert [name for name in sorted(names) if not re.search(rf"\b{name}\b", text)] == []


def test_no_name_of_the_reference_is_without_a_word() -> None:
    words = {name: re.sub(r"```.*?```", "", section(name), flags=re.DOTALL).splitlines() for name in DOCUMENTED}
    assert [name for name, said in words.items() if not any(line and line[0] not in "#-" for line in said)] == []


def options() -> Iterator[tuple[str, str]]:
    for command, parser in cli.commands().items():
        for _, _, actions in cli.groups(parser):
            yield from ((command, option) for action in actions for option in action.option_strings)


@pytest.mark.parametrize(("command", "option"), [*options()])
def test_every_option_has_its_place_in_the_reference(command: str, option: str) -> None:
    (said,) = re.findall(rf"^## `usp {command}`$(.*?)(?=^## |\Z)", cli.page(), re.DOTALL | re.MULTILINE)
    assert re.search(rf"^\| `(\S+, )?{option}\b.*` \| .+ \|$", said, re.MULTILINE)


@pytest.mark.parametrize("command", [*cli.commands()])
def test_every_command_has_a_place_in_the_tutorial(command: str) -> None:
    tutorial = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    assert f"usp {command} " in tutorial
