"""The built distribution works with ``src`` hidden, and holds every file of the package."""

import subprocess
import sys
import sysconfig
from email import message_from_string
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parent.parent

SCRIPT = """
import sys
sys.path += [sys.argv[1], *sys.argv[2:]]  # without site: the editable install's path file is not read
import usp

sitemap = usp.parse(b"<urlset><url><loc>https://example.org/a</loc></url></urlset>")
print(usp.__file__)
print([page.url for page in sitemap.pages])
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source distribution as `python -m build` does it."""
    folder = tmp_path_factory.mktemp("dist")
    run("-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT))
    (built,) = folder.glob("*.whl")
    return built


def run(*arguments: str) -> str:
    finished = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


def test_the_installed_wheel_parses_a_document_without_the_source(wheel: Path, tmp_path: Path) -> None:
    run("-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", str(tmp_path), str(wheel))
    dependencies = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    location, pages = run("-I", "-S", "-c", SCRIPT, str(tmp_path), *dependencies).splitlines()
    assert Path(location).is_relative_to(tmp_path)
    assert pages == "['https://example.org/a']"


def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    source = ROOT / "src"
    wanted = {
        path.relative_to(source).as_posix()
        for path in (source / "usp").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert "usp/py.typed" in packed
    assert packed == wanted


def test_the_wheel_installs_the_command(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/entry_points.txt"))
        assert archive.read(name).decode().split() == ["[console_scripts]", "usp", "=", "usp.cli:main"]


def test_the_wheel_says_what_it_is(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = message_from_string(archive.read(name).decode())
    assert metadata["Name"] == "usp"
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata["License-Expression"] == "MIT"
