"""The layers of docs/architecture.md, enforced: who imports whom, what the core never touches, how large things get."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest

SOURCE = Path(__file__).parent.parent / "src"

LEVELS = {
    "usp.exceptions": 0,
    "usp.handshake": 0,
    "usp.problems": 0,
    "usp.values": 1,
    "usp.objects": 2,
    "usp.events": 3,
    "usp.limits": 3,
    "usp.messages": 3,
    "usp.rows": 3,
    "usp.crawl": 4,
    "usp.decoding": 4,
    "usp.formats": 4,
    "usp.compiled": 5,
    "usp.fetching": 5,
    "usp.pages": 5,
    "usp.reading": 5,
    "usp.running": 6,
    "usp.outputs": 7,
    "usp.web_client": 7,
    "usp.aio": 8,
    "usp.options": 8,
    "usp.parsing": 8,
    "usp.tree": 8,
    "usp": 9,
    "usp.demo": 9,
    "usp.fetch_parse": 9,
    "usp.helpers": 9,
    "usp.cli": 10,
    "usp.demo.__main__": 11,
    "usp.__main__": 11,
}
"""Each module or package and its layer. What lies below a package belongs to it; the root holds lazy names only."""

NEIGHBOURS = {
    ("usp.messages", "usp.rows"),  # a Document holds blocks
    ("usp.aio", "usp.options"),  # one engine, two faces
    ("usp.tree", "usp.options"),
    ("usp.tree", "usp.parsing"),  # sitemap_from_str is parse under its promised name
    ("usp.fetching", "usp"),  # the user agent names the version
}
"""The imports within one layer that are wanted, each in one direction."""

HIGHEST_PURE_LEVEL = 4
IMPURE = {
    "aiohttp", "asyncio", "concurrent", "curl_cffi", "http.client", "httpx", "importlib", "logging", "multiprocessing",
    "niquests", "os", "pycurl", "requests", "select", "selectors", "socket", "ssl", "subprocess", "tempfile",
    "threading", "time", "urllib.request", "urllib3",
}  # fmt: skip
"""What the core never imports: time, switches, files and the compiled reader arrive as arguments."""

CLOCK_METHODS = {"now", "today", "utcnow"}

FILE_LINES = 400
FUNCTION_LINES = 40
MEDIAN_FUNCTION_LINES = 10
ARGUMENTS = 6
PUBLIC_ENTRY_POINTS = {
    "usp.aio.sitemap_tree_for_homepage",
    "usp.fetch_parse.SitemapFetcher.__init__",
    "usp.helpers.get_url_retry_on_client_errors",
    "usp.objects.page.SitemapImage.__init__",
    "usp.objects.page.SitemapNewsStory.__init__",
    "usp.objects.page.SitemapPage.__init__",
    "usp.objects.page.SitemapVideo.__init__",
    "usp.tree.sitemap_tree_for_homepage",
}
"""May take more arguments than others: their signatures are promised."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


PATHS = {module_name(path): path for path in sorted(SOURCE.rglob("*.py"))}
MODULES = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in PATHS.items()}


def unit(module: str) -> str | None:
    """The row of the table that a module belongs to; the root's row covers the root alone."""
    if module == "usp":
        return module
    owners = [name for name in LEVELS if name != "usp" and (module == name or module.startswith(f"{name}."))]
    return max(owners, key=len, default=None)


def absolute(module: str, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    package = module.split(".")
    is_package = PATHS[module].name == "__init__.py"
    base = package[: len(package) - node.level + is_package]
    return ".".join([*base, *([node.module] if node.module else [])])


def imports(module: str) -> Iterator[tuple[str, int]]:
    """Everything a module imports, inside functions and behind TYPE_CHECKING too, with its line."""
    for node in ast.walk(MODULES[module]):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            origin = absolute(module, node)
            for alias in node.names:
                inner = f"{origin}.{alias.name}"
                # `from urllib import request` imports a module that this table does not hold.
                yield inner if inner in MODULES or inner in IMPURE else origin, node.lineno


def functions(module: str) -> Iterator[tuple[str, Function]]:
    """Every function of a module, nested ones too, with its qualified name."""

    def walk(node: ast.AST, prefix: str) -> Iterator[tuple[str, Function]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, Function | ast.ClassDef):
                name = f"{prefix}.{child.name}"
                if isinstance(child, Function):
                    yield name, child
                yield from walk(child, name)
            else:
                yield from walk(child, prefix)

    return walk(MODULES[module], module)


def lines(function: Function) -> int:
    """The lines of a function from its `def`, without its docstring."""
    length = (function.end_lineno or 0) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function) is not None:
        length -= (first.end_lineno or 0) - first.lineno + 1
    return length


CORE = [module for module in MODULES if LEVELS.get(unit(module) or "", 0) <= HIGHEST_PURE_LEVEL]


@pytest.mark.parametrize("module", MODULES)
def test_every_module_has_a_layer(module: str) -> None:
    assert unit(module) is not None, f"add {module} to LEVELS"


@pytest.mark.parametrize("module", MODULES)
def test_modules_import_from_lower_layers_only(module: str) -> None:
    importer = unit(module)
    assert importer is not None
    wrong = []
    for target, line in imports(module):
        imported = unit(target)
        if imported is None or imported == importer or (importer, imported) in NEIGHBOURS:
            continue
        if LEVELS[imported] >= LEVELS[importer]:
            wrong.append(f"line {line}: {target}")
    assert not wrong


@pytest.mark.parametrize("module", CORE)
def test_the_core_imports_no_network_clock_file_or_log(module: str) -> None:
    wrong = [
        f"line {line}: {target}"
        for target, line in imports(module)
        if any(target == name or target.startswith(f"{name}.") for name in IMPURE)
    ]
    assert not wrong


@pytest.mark.parametrize("module", CORE)
def test_the_core_never_asks_what_time_it_is(module: str) -> None:
    wrong = [
        f"line {node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(MODULES[module])
        if isinstance(node, ast.Attribute) and node.attr in CLOCK_METHODS
    ]
    assert not wrong


@pytest.mark.parametrize("module", MODULES)
def test_files_and_functions_stay_small(module: str) -> None:
    assert len(PATHS[module].read_text(encoding="utf-8").splitlines()) <= FILE_LINES
    assert not [f"{name}: {lines(node)} lines" for name, node in functions(module) if lines(node) > FUNCTION_LINES]


@pytest.mark.parametrize("module", MODULES)
def test_functions_take_few_arguments(module: str) -> None:
    wrong = []
    for name, node in functions(module):
        arguments = [argument.arg for argument in node.args.posonlyargs + node.args.args + node.args.kwonlyargs]
        if len([name for name in arguments if name not in {"self", "cls"}]) > ARGUMENTS:
            wrong.append(name)
    assert not set(wrong) - PUBLIC_ENTRY_POINTS


def test_functions_are_short_as_a_rule() -> None:
    assert median(lines(node) for module in MODULES for _, node in functions(module)) < MEDIAN_FUNCTION_LINES


def modules_loaded_by(statement: str) -> set[str]:
    """What a fresh interpreter has loaded after a statement that it had not loaded before."""
    script = f"""
import json, sys
before = set(sys.modules)
{statement}
print(json.dumps(sorted(set(sys.modules) - before)))
"""
    finished = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True)
    return set(json.loads(finished.stdout))


def test_import_usp_loads_the_root_alone() -> None:
    loaded = modules_loaded_by("import usp")
    foreign = {name for name in loaded if name.partition(".")[0] not in sys.stdlib_module_names}
    assert foreign == {"usp"}


def test_parsing_a_document_loads_no_network_code() -> None:
    loaded = modules_loaded_by("import usp; list(usp.parse(b'<urlset/>').pages)")
    assert "usp.parsing" in loaded
    assert loaded.isdisjoint({"aiohttp", "asyncio", "http.client", "requests", "socket", "ssl", "usp.fetching"})
