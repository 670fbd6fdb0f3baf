"""The runner of the documentation's code finds what is wrong: a page that lies does not pass."""

import sys
from collections.abc import Callable
from doctest import DocTestFailure

import pytest

from tests.docs.blocks import Command, blocks, run, sessions

SOUND = """
```python
x = 1
print(x)
```

```output
1
```

```pycon
>>> x + 1
2
```

```console
$ greet world
hello world
...
$ greet
hello
bye
```

```sh
make test
```

```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>
```

```toml
x = 1
```

```
a ──► b
```
"""


def greet(words: list[str]) -> None:
    sys.stdout.write(f"{' '.join(['hello', *words])}\n")
    sys.stderr.write("bye\n")


COMMANDS: dict[str, Command] = {"greet": greet}


def test_a_page_that_says_what_happens_passes() -> None:
    run(SOUND, COMMANDS)


@pytest.mark.parametrize(
    "change",
    [
        lambda page: page.replace("x = 1\nprint", "x = 2\nprint"),
        lambda page: page.replace("```output\n1", "```output\n2"),
        lambda page: page.replace("```pycon\n>>> x + 1\n2", "```pycon\n>>> x + 1\n3"),
        lambda page: page.replace(">>> x + 1\n2", "nothing"),
        lambda page: page.replace("hello\nbye", "hello"),
        lambda page: page.replace("$ greet\n", "$ greet you\n"),
        lambda page: page.replace("$ greet world", "$ unknown"),
        lambda page: page.replace("make test", "make nothing-known"),
        lambda page: page.replace("make test", "rm -r ."),
        lambda page: page.replace("<urlset", "<urllist"),
        lambda page: page.replace("```toml\nx = 1", "```toml\nx = "),
        lambda page: page.replace("a ──► b", "import usp"),
        lambda page: page.replace("a ──► b", "$ usp ls"),
        lambda page: page.replace("```toml", "```unheard-of"),
        lambda page: page.replace("print(x)", "1 / 0"),
    ],
)
def test_a_page_that_lies_does_not_pass(change: Callable[[str], str]) -> None:
    assert change(SOUND) != SOUND
    with pytest.raises((AssertionError, ArithmeticError, KeyError, ValueError, DocTestFailure)):
        run(change(SOUND), COMMANDS)


def test_blocks_know_their_lines() -> None:
    assert [(block.language, block.line) for block in blocks(SOUND)][:3] == [
        ("python", 2),
        ("output", 7),
        ("pycon", 11),
    ]


def test_a_command_may_go_on_on_the_next_line() -> None:
    (block,) = blocks("```console\n$ greet a \\\n    b  # a remark\nhello a b\n```\n")
    assert list(sessions(block)) == [(["greet", "a", "b"], "hello a b\n")]
