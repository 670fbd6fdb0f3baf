"""Whatever ends an output, what is written by then is whole; nothing is held longer than it takes to be whole."""

import csv
import io
import json
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import pyarrow.parquet
import pytest

from usp.exceptions import InvalidOptionException, InvalidSourceException, MissingDependencyException
from usp.objects.page import SitemapPage
from usp.objects.sitemap import IndexXMLSitemap, PagesXMLSitemap
from usp.outputs import OUTPUTS, Output, tables, to_arrow, to_pandas, write_csv, write_json, write_pages, write_parquet
from usp.outputs.batches import LONGEST, Listed, batches
from usp.outputs.delivery import LinesWriter, deliver

HOME = "https://example.com/"
STREAMED = [output for output in OUTPUTS if output.streams]
TREES = [output for output in OUTPUTS if not output.streams]


def pages(count: int) -> Iterator[SitemapPage]:
    return (SitemapPage(f"{HOME}{number}") for number in range(count))


def parquet_urls(written: bytes) -> list[str]:
    found: list[str] = pyarrow.parquet.read_table(io.BytesIO(written))["url"].to_pylist()
    return found


READERS: dict[str, Callable[[bytes], list[str]]] = {
    "pages": lambda written: written.decode().splitlines(),
    "jsonl": lambda written: [json.loads(line)["url"] for line in written.splitlines()],
    "csv": lambda written: [row["url"] for row in csv.DictReader(io.StringIO(written.decode(), newline=""))],
    "parquet": parquet_urls,
}


def named(output: Output) -> str:
    return output.name


def test_every_output_that_streams_is_read_back_here() -> None:
    assert READERS.keys() == {output.name for output in STREAMED}


@pytest.mark.parametrize("output", STREAMED, ids=named)
@pytest.mark.parametrize("fault", [KeyboardInterrupt, ValueError])
def test_what_is_written_when_the_source_raises_is_whole(output: Output, fault: type[BaseException]) -> None:
    def source() -> Iterator[SitemapPage]:
        yield from pages(2 * LONGEST)
        raise fault

    file = io.BytesIO()
    with pytest.raises(fault):
        output.write(source(), file)
    assert READERS[output.name](file.getvalue()) == [page.url for page in pages(2 * LONGEST)]


@pytest.mark.parametrize("output", STREAMED, ids=named)
def test_no_pages_make_a_whole_output_too(output: Output) -> None:
    file = io.BytesIO()
    output.write([], file)
    assert READERS[output.name](file.getvalue()) == []


class Ending(Sequence[SitemapPage]):
    """Pages of which only the first ones can be read."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __len__(self) -> int:
        return self._count + 1

    def __getitem__(self, index: Any) -> Any:
        raise NotImplementedError

    def __iter__(self) -> Iterator[SitemapPage]:
        yield from pages(self._count)
        raise KeyboardInterrupt


@pytest.mark.parametrize("after", [0, 1, 2, 3])
def test_json_that_ends_early_is_closed(after: int) -> None:
    tree = IndexXMLSitemap(HOME, [PagesXMLSitemap(HOME, Ending(after * LONGEST)), PagesXMLSitemap(HOME, [])])
    file = io.BytesIO()
    with pytest.raises(KeyboardInterrupt):
        write_json(tree, file)
    below = json.loads(file.getvalue())["sub_sitemaps"]
    assert [len(sitemap["pages"]) for sitemap in below] == [after * LONGEST]


@pytest.mark.parametrize("output", STREAMED, ids=named)
def test_ctrl_c_in_the_middle_of_a_piece_is_heard_after_it(output: Output) -> None:
    class Interrupted(io.BytesIO):
        def write(self, written: Any) -> int:
            count = super().write(bytes(written)[:3])
            if not self.interrupted:
                self.interrupted = True
                signal.raise_signal(signal.SIGINT)
            return count + super().write(bytes(written)[3:])

        interrupted = False

    file = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        output.write(pages(3 * LONGEST), file)
    read = READERS[output.name](file.getvalue())
    assert read == [page.url for page in pages(len(read))]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_ctrl_c_is_heard_at_once() -> None:
    class Stuck(io.BytesIO):
        def write(self, _: Any) -> int:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
            raise AssertionError("not reached")

    with pytest.raises(KeyboardInterrupt):
        write_pages(pages(1), Stuck())
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


class Interrupting(LinesWriter):
    def close(self) -> None:
        signal.raise_signal(signal.SIGINT)


def test_ctrl_c_during_the_last_piece_is_not_lost() -> None:
    with pytest.raises(KeyboardInterrupt):
        deliver([["a"]], Interrupting(io.BytesIO()))


def test_a_handler_of_the_programs_own_stays() -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        deliver([["a"]], Interrupting(io.BytesIO()))
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [signal.SIGINT]


@pytest.mark.parametrize("output", [output for output in STREAMED if output.name != "parquet"], ids=named)
def test_the_pages_of_a_sitemap_are_written_before_the_next_one_is_waited_for(output: Output) -> None:
    file = io.BytesIO()
    sitemaps = [PagesXMLSitemap(f"{HOME}{size}.xml", [*pages(size)]) for size in (3, LONGEST + 2, 1)]

    def stream() -> Iterator[Listed]:
        expected = 0
        for sitemap in sitemaps:
            assert len(READERS[output.name](file.getvalue())) == expected
            for page in sitemap.pages:
                yield page, sitemap
            expected += len(sitemap.pages)

    output.write(stream(), file)
    assert len(READERS[output.name](file.getvalue())) == LONGEST + 6


@pytest.mark.parametrize("output", STREAMED, ids=named)
def test_pages_leave_as_they_come(output: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("usp.outputs.parquet.ROWS_A_GROUP", 2 * LONGEST)
    file = io.BytesIO()
    sizes = []

    def source() -> Iterator[SitemapPage]:
        for number, page in enumerate(pages(10 * LONGEST)):
            if number % (2 * LONGEST) == 0:
                sizes.append(file.tell())
            yield page

    output.write(source(), file)
    assert len(sizes) == 5
    assert all(one < following for one, following in pairwise(sizes[1:]))


def test_lists_end_where_their_sitemap_ends() -> None:
    first, second = (PagesXMLSitemap(f"{HOME}{size}.xml", [*pages(size)]) for size in (2, 1))
    stream = [(page, sitemap) for sitemap in (first, second, first) for page in sitemap.pages]
    assert [len(batch) for batch in batches(stream)] == [2, 1, 2]
    assert [len(batch) for batch in batches(IndexXMLSitemap(HOME, [first, second]))] == [2, 1]
    assert [len(batch) for batch in batches(pages(LONGEST + 1))] == [LONGEST, 1]


def test_fewer_or_more_pages_than_the_sitemap_has_do_no_harm() -> None:
    sitemap = PagesXMLSitemap(HOME, [*pages(2)])
    for count in (1, 2, 5):
        stream = [(page, sitemap) for page in pages(count)]
        assert [page.url for batch in batches(stream) for page, _ in batch] == [page.url for page in pages(count)]


class Closed(io.BytesIO):
    def write(self, _: Any) -> int:
        raise BrokenPipeError


@pytest.mark.parametrize("output", OUTPUTS, ids=named)
def test_a_closed_pipe_is_said_to_whoever_writes(output: Output) -> None:
    with pytest.raises(BrokenPipeError):
        output.write(PagesXMLSitemap(HOME, [*pages(3)]), Closed())


@pytest.mark.parametrize("output", OUTPUTS, ids=named)
def test_no_output_closes_the_callers_file(output: Output) -> None:
    file = io.BytesIO()
    output.write(PagesXMLSitemap(HOME, [*pages(1)]), file)
    assert not file.closed
    assert file.getvalue()


@pytest.mark.parametrize("output", OUTPUTS, ids=named)
@pytest.mark.parametrize("file", [io.StringIO(), "pages.csv", None])
def test_a_file_that_takes_no_bytes_is_a_mistake(output: Output, file: object) -> None:
    with pytest.raises(InvalidOptionException, match="binary"):
        output.write(PagesXMLSitemap(HOME, []), file)


@pytest.mark.parametrize("output", OUTPUTS, ids=named)
@pytest.mark.parametrize("source", [None, 7, "text", [HOME], [(HOME, None)], [*pages(2), HOME], [()]])
def test_what_holds_no_pages_is_a_mistake(output: Output, source: object) -> None:
    with pytest.raises(InvalidSourceException, match="cannot write"):
        output.write(source, io.BytesIO())


@pytest.mark.parametrize("output", TREES, ids=named)
def test_a_tree_is_not_drawn_of_mere_pages(output: Output) -> None:
    with pytest.raises(InvalidSourceException, match="as a tree"):
        output.write([*pages(1)], io.BytesIO())


@pytest.mark.parametrize("fields", [["url", "nothing"], [], ["url", "url"], "url"])
def test_fields_that_are_none_are_a_mistake(fields: Iterable[str]) -> None:
    with pytest.raises(InvalidOptionException, match="field"):
        write_csv([], io.BytesIO(), fields=fields)


@pytest.mark.parametrize("missing", ["pyarrow", "pandas"])
def test_a_missing_package_is_named_with_what_installs_it(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def import_module(name: str) -> object:
        if name.partition(".")[0] == missing:
            raise ModuleNotFoundError(name)
        return __import__(name)

    monkeypatch.setattr(tables, "import_module", import_module)
    calls: list[Callable[[], object]] = [lambda: to_pandas([])]
    if missing == "pyarrow":
        calls += [lambda: to_arrow([]), lambda: write_parquet([], io.BytesIO())]
    for call in calls:
        with pytest.raises(MissingDependencyException, match=rf"{missing} .*pip install 'usp\[tables\]'"):
            call()


def test_every_output_takes_the_options_that_it_names() -> None:
    sitemap = PagesXMLSitemap(HOME, [*pages(1)])
    values = {"strip_url": HOME, "encoding": "utf-8", "depth": 1, "pages": 1, "fields": ["url"]}
    for output in OUTPUTS:
        output.write(sitemap, io.BytesIO(), **{name: values[name] for name in output.options})
        others = values.keys() - set(output.options)
        for name in others:
            with pytest.raises(TypeError):
                output.write(sitemap, io.BytesIO(), **{name: values[name]})
