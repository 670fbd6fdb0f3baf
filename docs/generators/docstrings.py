"""Public objects of the package as Markdown: signatures and docstrings, as they stand in the source.

Laws: the source is read, not the objects: what a signature looks like at run time differs between versions of Python.
"""

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

Function = ast.FunctionDef | ast.AsyncFunctionDef
Node = Function | ast.ClassDef | ast.AnnAssign | ast.Assign

WIDTH = 100

_EXAMPLE = re.compile(r"^>>> .*?(?=\n\n|\Z)", re.DOTALL | re.MULTILINE)


class Named(NamedTuple):
    """A statement that gives a name, and the documentation that goes with it."""

    node: Node
    documentation: str
    source: str
    """Of the whole module."""


def section(public_name: str) -> str:
    """What is to be said about one public name, such as ``usp.Limits``, under a heading of its own."""
    home, name = _home(public_name)
    named = _names(home)[name]
    node, documentation = named.node, named.documentation
    heading = f"## `{public_name}`\n\n"
    if isinstance(node, ast.ClassDef):
        return heading + _class(named, node)
    if isinstance(node, Function):
        return f"{heading}```python\n{_signature(node)}\n```\n\n{markdown(documentation)}\n"
    return f"{heading}```python\n{_as_written(named)}\n```\n\n{markdown(documentation)}\n"


def markdown(documentation: str) -> str:
    """A docstring in the project's habit, as Markdown: literals in double backticks, examples as doctests."""
    text = re.sub(r"``(.+?)``", r"`\1`", inspect.cleandoc(documentation), flags=re.DOTALL)
    return _EXAMPLE.sub(lambda example: f"```pycon\n{example[0].rstrip()}\n```", text)


def _home(public_name: str) -> tuple[str, str]:
    """The module in whose source a public name is defined, and its name there."""
    module, _, name = public_name.rpartition(".")
    value = getattr(import_module(module), name)
    home, own = getattr(value, "__module__", module), getattr(value, "__qualname__", name)
    if own in _names(home):
        return home, own
    return (module, name) if name in _names(module) else (_imported_from(module, name), name)


def _imported_from(module: str, name: str) -> str:
    """Where a module has a name from that does not say it itself: an alias of a type."""
    return next(
        statement.module
        for statement in ast.parse(_source(module)).body
        if isinstance(statement, ast.ImportFrom) and statement.module
        if any(alias.name == name for alias in statement.names)
    )


@cache
def _source(module: str) -> str:
    file = inspect.getsourcefile(import_module(module))
    assert file is not None
    return Path(file).read_text(encoding="utf-8")


@cache
def _names(module: str) -> Mapping[str, Named]:
    source = _source(module)
    return dict(_of_body(ast.parse(source).body, source))


def _of_body(body: list[ast.stmt], source: str) -> Iterator[tuple[str, Named]]:
    """The names that a body gives; a string behind an assignment is its documentation."""
    for statement, following in zip(body, [*body[1:], None], strict=True):
        if isinstance(statement, Function | ast.ClassDef):
            yield statement.name, Named(statement, ast.get_docstring(statement) or "", source)
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield statement.target.id, Named(statement, _string(following), source)
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            yield statement.targets[0].id, Named(statement, _string(following), source)


def _as_written(named: Named) -> str:
    """A statement with its numbers as people write them, in one line."""
    return " ".join((ast.get_source_segment(named.source, named.node) or "").split())


def _string(statement: ast.stmt | None) -> str:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return str(statement.value.value)
    return ""


def _class(named: Named, node: ast.ClassDef) -> str:
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    parts = [f"```python\nclass {node.name}{f'({bases})' if bases else ''}\n```\n"]
    parts.append(markdown(named.documentation) + "\n")
    lines = [line for name, member in _of_body(node.body, named.source) for line in _member(node.name, name, member)]
    if lines:
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _member(owner: str, name: str, member: Named) -> Iterator[str]:
    """A public member, as an item of a list; a constructor is called by its class."""
    node = member.node
    if name.startswith("_") and name != "__init__":
        return
    if isinstance(node, Function):
        decorators = {ast.unparse(decorator) for decorator in node.decorator_list}
        if "overload" in decorators:
            return
        is_property = "property" in decorators and node.returns is not None
        if name == "__init__":
            written = _signature(node, owner)
        else:
            written = f"{name}: {ast.unparse(node.returns)}" if is_property and node.returns else _signature(node)
    else:
        written = f"class {name}" if isinstance(node, ast.ClassDef) else _as_written(member)
    first, *rest = markdown(member.documentation).split("\n")
    yield f"- `{written}`" + (f": {first}" if first else "")
    yield from (f"    {line}" if line else "" for line in rest)


def _signature(node: Function, name: str = "") -> str:
    """As it is written in a call; one argument a line where one line is too short for all."""
    arguments = [_spaced(argument) for argument in _arguments(ast.unparse(_without_self(node)))]
    prefix = "async " if isinstance(node, ast.AsyncFunctionDef) else ""
    start = f"{prefix}{name or node.name}("
    end = f") -> {ast.unparse(node.returns)}" if node.returns and not name else ")"
    line = f"{start}{', '.join(arguments)}{end}"
    if len(line) <= WIDTH or name:
        return line
    return "\n".join([start, *(f"    {argument}," for argument in arguments), end])


def _without_self(node: Function) -> ast.arguments:
    function = ast.parse(ast.unparse(node)).body[0]  # a copy
    assert isinstance(function, Function)
    for group in (function.args.posonlyargs, function.args.args):
        if group and group[0].arg in {"self", "cls"}:
            del group[0]
    return function.args


def _arguments(listed: str) -> list[str]:
    """The arguments of a signature, one by one: a comma within brackets separates nothing."""
    depth, start, found = 0, 0, []
    for position, letter in enumerate(f"{listed},"):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and not depth:
            found.append(listed[start:position].strip())
            start = position + 1
    return [argument for argument in found if argument]


def _spaced(argument: str) -> str:
    """PEP 8 wants spaces around the default of an annotated argument."""
    name, colon, rest = argument.partition(":")
    return f"{name}{colon}{rest.replace('=', ' = ', 1)}" if colon and "=" not in name else argument
