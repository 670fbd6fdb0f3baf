"""The code blocks of a page of Markdown, and how each language is run.

    python    runs in the namespace of its page; an `output` block behind it is what it prints
    pycon     runs as a doctest, in the same namespace
    console   commands behind `$ `, run in process, each with what it prints on either channel
    sh        set-up commands: not run, but each must be one that the project has
    toml xml  must be well-formed; other languages are not known, and a block without one is a drawing

`...` in an output stands for anything; white space is not compared.
"""

import doctest
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import usp

Command = Callable[[list[str]], object]

ROOT = Path(__file__).parents[2]

_FENCE = re.compile(r"^(?P<indent> *)```(?P<language>[^\n`]*)\n(?P<text>.*?)^(?P=indent)```$", re.DOTALL | re.MULTILINE)
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
_SET_UP = re.compile(r"(git clone .+|cd .+|make (?P<target>[a-z-]+).*|(python -m )?pip install .+) *(#.*)?")


class Block(NamedTuple):
    """One fenced block: its language, its text, and the line on which it begins."""

    language: str
    text: str
    line: int


class Screen(TextIOWrapper):
    """What commands write, text or bytes, in the order in which they write it."""

    def __init__(self) -> None:
        super().__init__(BytesIO(), encoding="utf-8", write_through=True)

    def shown(self) -> str:
        """All that was written."""
        self.seek(0)
        return self.read()


def blocks(page: str) -> list[Block]:
    """The fenced blocks of a page, in order.

    >>> blocks("Look:\\n```python\\nprint(1)\\n```\\n")
    [Block(language='python', text='print(1)\\n', line=2)]
    """
    return [
        Block(found["language"].strip(), found["text"], page.count("\n", 0, found.start()) + 1)
        for found in _FENCE.finditer(page)
    ]


def run(page: str, commands: dict[str, Command]) -> None:
    """Run all blocks of a page, one after the other; the first that does not do what the page says is an error."""
    namespace: dict[str, Any] = {"__name__": "a_page_of_the_documentation"}
    found = blocks(page)
    for block, following in pairwise([*found, None]):
        assert block is not None
        if block.language == "python":
            printed = _python(block, namespace)
            if following is not None and following.language == "output":
                _compare(following, printed)
        elif block.language == "console":
            _console(block, commands)
        else:
            _CHECKS[block.language](block, namespace)


def _python(block: Block, namespace: dict[str, Any]) -> str:
    code = compile("\n" * block.line + block.text, f"line {block.line} of the page", "exec")
    with redirect_stdout(StringIO()) as printed:
        exec(code, namespace)
    return printed.getvalue()


def _pycon(block: Block, namespace: dict[str, Any]) -> None:
    test = doctest.DocTestParser().get_doctest(block.text, namespace, f"line {block.line}", None, block.line)
    test.globs = namespace
    failed, tried = doctest.DocTestRunner(optionflags=_FLAGS | doctest.FAIL_FAST).run(test, clear_globs=False)
    assert tried, f"line {block.line}: no example"
    assert not failed, f"line {block.line}"


def _console(block: Block, commands: dict[str, Command]) -> None:
    for words, expected in sessions(block):
        with redirect_stdout(Screen()) as screen, redirect_stderr(screen):
            commands[words[0]](words[1:])
        _compare(block._replace(text=expected), screen.shown())


def sessions(block: Block) -> Iterator[tuple[list[str], str]]:
    """The commands of a console block, each with the output that follows it."""
    _, *parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    assert parts, f"line {block.line}: no command behind `$ `"
    for part in parts:
        command, _, output = part.replace("\\\n", " ").partition("\n")
        yield shlex.split(command, comments=True), output


def _compare(expected: Block, got: str) -> None:
    checker = doctest.OutputChecker()
    if not checker.check_output(expected.text.rstrip() + "\n", got.rstrip() + "\n", _FLAGS):
        raise AssertionError(f"line {expected.line}: the page says\n{expected.text}\nbut what comes is\n{got}")


def _set_up(block: Block, _: dict[str, Any]) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for line in filter(None, block.text.splitlines()):
        known = _SET_UP.fullmatch(line)
        assert known, f"line {block.line}: {line} is no command that the project has"
        assert known["target"] is None or known["target"] in targets, line


def _toml(block: Block, _: dict[str, Any]) -> None:
    assert tomllib.loads(block.text), block.line


def _xml(block: Block, _: dict[str, Any]) -> None:
    assert not usp.parse(block.text).problems, block.line


def _text(block: Block, _: dict[str, Any]) -> None:
    assert "$ " not in block.text, f"line {block.line}: a session in a block that is not run"
    assert "import " not in block.text, f"line {block.line}: a program in a block that is not run"


_CHECKS: dict[str, Callable[[Block, dict[str, Any]], None]] = {
    "pycon": _pycon,
    "sh": _set_up,
    "toml": _toml,
    "xml": _xml,
    "output": _text,
    "": _text,
}
