"""Every command and option has a help line and a test, and does what it says."""

import re
import ssl
import sys
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
import trustme

import usp
from tests.cli.console import Console
from tests.cli.sites import HOME, urlset
from usp import compiled
from usp.cli.options.network import BOUNDS, crawl_options
from usp.cli.parser import COMMANDS, parser_for
from usp.compiled import SWITCH, reader_in_use
from usp.crawl.politeness import Politeness
from usp.crawl.retry import Retry
from usp.fetching.memory import MemoryFetcher
from usp.handshake import BLOCK_VERSION, INTERFACE
from usp.limits import Limits

TESTS = "".join(path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("test_*.py")))


def commands() -> dict[str, ArgumentParser]:
    parsers = next(action for action in parser_for(None)._actions if isinstance(action, _SubParsersAction))
    return dict(parsers.choices)


def options() -> Iterator[tuple[str, str, str | None]]:
    """Every command, option and help line."""
    for name, parser in commands().items():
        for action in parser._actions:
            for option in action.option_strings:
                yield name, option, action.help


def test_every_command_has_a_parser_and_a_sentence() -> None:
    assert commands().keys() == {command.name for command in COMMANDS}
    assert all(
        command.sentence and parser.description for command, parser in zip(COMMANDS, commands().values(), strict=True)
    )


@pytest.mark.parametrize(("command", "option", "help_line"), [*options()])
def test_every_option_has_a_help_line_and_a_test(command: str, option: str, help_line: str | None) -> None:
    assert help_line
    assert help_line.isascii()
    assert re.search(rf'"{option}"', TESTS) or option in ("-h", "--help")


@pytest.mark.parametrize("argv", [["--help"], ["-h"], *([command.name, "--help"] for command in COMMANDS)])
def test_help_can_be_read_on_any_terminal(console: Console, argv: list[str]) -> None:
    console.encoding = "ascii"
    ran = console.run(*argv)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.decode("ascii").startswith("usage: usp")


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_the_help_of_a_command_begins_with_examples_that_can_be_run(console: Console, command: str) -> None:
    lines = console.run(command, "--help").lines
    examples = [line.split(" usp ")[1].split("  ")[0] for line in lines[lines.index("Examples:") :] if " usp " in line]
    assert len(examples) >= 3
    for example in examples:
        words = [word.strip("'") for word in example.split()]
        assert parser_for(words).parse_args(words).command == command


def test_version_names_the_reader_python_and_the_packages(console: Console) -> None:
    ran = console.run("--version")
    assert (ran.status, ran.err) == (0, "")
    first, second, packages = ran.lines
    assert first == f"usp {usp.__version__} (reader: {reader_in_use()})"
    assert re.fullmatch(r"Python 3\.\d+\.\d+\S*", second)
    wanted = {name: version(name) for name in ("aiohttp", "msgspec", "brotli", "rich", "requests", "pyarrow", "pandas")}
    assert wanted.items() <= dict(package.split() for package in packages.split(", ")).items()


@pytest.mark.parametrize(
    ("switch", "interface", "named"),
    [("1", INTERFACE, "usp_native 1.2.3"), ("0", INTERFACE, "Python"), ("1", INTERFACE + 1, "Python")],
    ids=["compiled", "switched off", "of another version"],
)
def test_version_names_the_compiled_reader_where_it_is_used(
    console: Console, monkeypatch: pytest.MonkeyPatch, switch: str, interface: int, named: str
) -> None:
    module = SimpleNamespace(INTERFACE=interface, BLOCK_VERSION=BLOCK_VERSION, __version__="1.2.3")
    monkeypatch.setitem(sys.modules, "usp_native", module)
    monkeypatch.setenv(SWITCH, switch)
    monkeypatch.setattr("usp.compiled._installed", compiled._installed.__wrapped__)
    assert console.run("--version").lines[0] == f"usp {usp.__version__} (reader: {named})"


def crawl_of(*argv: str) -> dict[str, Any]:
    words = ["ls", HOME, *argv]
    return crawl_options(parser_for(words).parse_args(words))


def test_without_options_a_crawl_is_as_usual() -> None:
    crawl = crawl_of()
    assert (crawl["limits"], crawl["politeness"], crawl["retry"]) == (Limits(), Politeness(), Retry())
    assert crawl["guard"] == "auto"
    fetcher = crawl["fetcher"]
    assert (fetcher.headers, fetcher.user_agent, fetcher.proxy, fetcher.auth, fetcher.tls) == (
        None,
        None,
        None,
        None,
        True,
    )


def test_every_limit_has_an_option() -> None:
    assert {bound.field for bound in BOUNDS} == set(Limits.__struct_fields__)


@pytest.mark.parametrize(
    ("option", "words", "field", "value"),
    [
        ("--deadline", "1h", "seconds", 3600),
        ("--timeout", "5", "idle_seconds", 5),
        ("--request-timeout", "2m", "request_seconds", 120),
        ("--max-depth", "3", "depth", 3),
        ("--max-sitemaps", "7", "sitemaps", 7),
        ("--max-pages", "1000", "pages", 1000),
        ("--max-redirects", "2", "redirects", 2),
        ("--max-wire-size", "1M", "wire_bytes", 2**20),
        ("--max-size", "64k", "inflated_bytes", 65536),
        ("--max-ratio", "50", "ratio", 50),
        ("--ratio-after", "1M", "ratio_after", 2**20),
        ("--max-encodings", "1", "encodings", 1),
        ("--in-flight", "1M", "in_flight_bytes", 2**20),
    ],
)
def test_limits_are_set(option: str, words: str, field: str, value: float) -> None:
    limits = crawl_of(option, words)["limits"]
    assert getattr(limits, field) == value
    assert limits == msgspec.structs.replace(Limits(), **{field: value})


def test_politeness_and_retries_are_set() -> None:
    crawl = crawl_of("--connections", "2", "--connections-in-all", "3", "--delay", "1.5", "--retries", "0")
    assert crawl["politeness"] == Politeness(connections=2, connections_in_all=3, delay=1.5)
    assert crawl["retry"] == Retry(attempts=1)
    assert crawl_of("--max-retry-after", "5m")["retry"] == Retry(longest_retry_after=300.0)


@pytest.mark.parametrize(("words", "guard"), [("auto", "auto"), ("strict", "strict"), ("off", None)])
def test_the_guard_is_set(words: str, guard: str | None) -> None:
    assert crawl_of("--guard", words)["guard"] == guard


def test_requests_are_made_as_the_options_say() -> None:
    fetcher = crawl_of(
        "--user-agent", "bot/1", "--header", "X-One: 1", "--header", "X-Two: a: b", "--auth", "ann:secret",
        "--proxy", "http://proxy.example:3128", "--insecure",
    )["fetcher"]  # fmt: skip
    assert fetcher.user_agent == "bot/1"
    assert fetcher.headers == {"X-One": "1", "X-Two": "a: b"}
    assert fetcher.auth == ("ann", "secret")
    assert fetcher.proxy == "http://proxy.example:3128"
    assert fetcher.tls is False


def test_authorities_of_ones_own_are_trusted(tmp_path: Path) -> None:
    file = tmp_path / "authorities.pem"
    trustme.CA().cert_pem.write_to_path(str(file))
    context = crawl_of("--ca-file", str(file))["fetcher"].tls
    assert isinstance(context, ssl.SSLContext)
    assert len(context.get_ca_certs()) >= 1


@pytest.mark.parametrize(
    ("argv", "lines"),
    [
        ([], ["usp: error: the following arguments are required: COMMAND", "`usp --help` shows what there is."]),
        (
            ["ls"],
            ["usp ls: error: the following arguments are required: URL", "`usp ls --help` shows what there is."],
        ),
        (["ls", HOME, "--nope"], ["usp: error: unrecognized arguments: --nope", "`usp --help` shows what there is."]),
        (["ls", HOME, "-l", "/no/such/log"], ["usp ls: error: /no/such/log: No such file or directory"]),
    ],
)
def test_a_mistake_is_said_without_a_screen_of_options(console: Console, argv: list[str], lines: list[str]) -> None:
    ran = console.run(*argv)
    assert (ran.status, ran.out, ran.err.splitlines()) == (2, b"", lines)


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["--header", "no colon"], "is no header"),
        (["--auth", "ann"], "credentials are written USER:PASSWORD"),
        (["--proxy", "nowhere"], "proxy must be"),
        (["--guard", "maybe"], "invalid choice: 'maybe'"),
        (["--max-size", "large"], "is no size"),
        (["--deadline", "soon"], "is no length of time"),
        (["--deadline", "0"], "Limits.seconds must be a number above 0"),
        (["--connections", "0"], "is no whole number of at least 1"),
        (["--ca-file", "/no/such/file"], "No such file"),
        (["--since", "99999999w"], "longer ago than dates go back"),
    ],
)
def test_values_that_are_none_are_refused_in_a_line(console: Console, argv: list[str], said: str) -> None:
    ran = console.run("ls", HOME, *argv)
    assert (ran.status, ran.out) == (2, b"")
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_the_deadline_ends_the_crawl(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    fetcher = MemoryFetcher(
        {f"{HOME}sitemap.xml": urlset("cats"), f"{HOME}robots.txt": [(503, {"Retry-After": "60"}, "")]}
    )
    monkeypatch.setattr("usp.fetching.aiohttp_fetcher.AiohttpFetcher", lambda **given: fetcher)
    ran = console.run("ls", HOME, "--deadline", "0.2s")
    assert ran.status == 1
    assert "The limit of 0.2 seconds was reached" in ran.err
