"""The catalogue of problems holds what the source uses, no more, no less. Its page: ``tests/docs``."""

import ast
from pathlib import Path

from usp.problems import CATALOGUE

ROOT = Path(__file__).parent.parent


def test_sentences_and_remedies_are_whole_sentences() -> None:
    wrong = [
        text
        for entry in CATALOGUE.values()
        for text in (entry.sentence, entry.remedy)
        if not (text[0].isupper() and text.endswith("."))
    ]
    assert not wrong


def test_every_code_of_the_catalogue_can_occur() -> None:
    words = {
        node.value
        for path in (ROOT / "src").rglob("*.py")
        if path.name != "problems.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert not set(CATALOGUE) - words


def test_every_code_that_is_recorded_is_in_the_catalogue() -> None:
    recorded = {
        node.args[0].value
        for path in (ROOT / "src").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "add"
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and "log" in ast.unparse(node.func.value)
    }
    assert len(recorded) > 30
    assert not recorded - set(CATALOGUE)
