"""``usp`` starts at once: nothing is loaded that is not needed."""

import json
import subprocess
import sys

import pytest

HEAVY = (
    "aiohttp",
    "asyncio",
    "logging",
    "msgspec",
    "numpy",
    "pandas",
    "pyarrow",
    "rich",
    "ssl",
    "usp.tree",
    "usp.outputs",
)


def run(*argv: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *argv], capture_output=True, text=True, check=False, encoding="utf-8")


def loaded_by(*argv: str) -> set[str]:
    script = f"import sys, json\nfrom usp.cli import main\nmain({list(argv)!r})\nprint(json.dumps(sorted(sys.modules)))"
    found: list[str] = json.loads(run("-c", script).stdout.splitlines()[-1])
    return set(found)


@pytest.mark.parametrize("argv", [["--help"], ["--version"]])
def test_help_and_version_load_next_to_nothing(argv: list[str]) -> None:
    assert loaded_by(*argv).isdisjoint(HEAVY)


def test_the_help_of_a_command_loads_no_network_and_no_tables() -> None:
    assert loaded_by("ls", "--help").isdisjoint({"aiohttp", "rich", "pyarrow", "pandas", "numpy"})


def test_reading_a_file_loads_no_client() -> None:
    assert loaded_by("parse", "/dev/null").isdisjoint({"aiohttp", "rich", "pyarrow", "pandas", "numpy"})


def test_it_can_be_run_as_a_module() -> None:
    ran = run("-m", "usp", "--version")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("usp ")


def test_the_command_is_installed() -> None:
    from importlib.metadata import entry_points

    (command,) = entry_points(group="console_scripts", name="usp")
    from usp.cli import main

    assert command.load() is main
