"""What a document may cost: memory that does not grow with it, and time that grows no faster than it does."""

import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import brotli  # type: ignore[import-untyped]
import pytest

from tests.unit import large_documents
from tests.unit.decoding.bodies import gz, zst_bomb
from tests.unit.hostile_texts import HOSTILE, IN_LOC, IN_URL
from tests.unit.large_documents import GROWTH, LARGE, PAGE, URLSET, Pieces, entry
from usp.decoding.zstandard import zstd
from usp.limits import DEPTH, KIB, MIB
from usp.parsing import parse
from usp.problems import KEPT_A_CODE, Outcome

# -- memory


class Measured(NamedTuple):
    outcome: str
    pages: int
    mebibytes: float


def measured(name: str, kind: str, path: Path) -> Measured:
    command = [sys.executable, "-m", large_documents.__name__, name, kind, str(path)]
    folder = Path(__file__).parents[2]
    run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder, timeout=60)
    outcome, pages, growth = run.stdout.split()
    return Measured(outcome, int(pages), int(growth) / KIB)


on_linux = pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="only Linux forgets a peak")


@on_linux
def test_fifty_megabytes_from_anywhere_grow_the_process_by_little(tmp_path: Path) -> None:
    path = tmp_path / "sitemap.xml"
    with path.open("w") as file:
        file.writelines(LARGE["entries"].content())
    for kind in ("path", "bytes", "text"):
        found = measured("entries", kind, path)
        assert found.pages == LARGE["entries"].pages  # the last entry is cut
        assert found.mebibytes <= GROWTH, kind


@on_linux
@pytest.mark.parametrize("name", [name for name in LARGE if name != "entries"])
def test_no_document_grows_the_process_by_much(name: str, tmp_path: Path) -> None:
    found = measured(name, "pieces", tmp_path)
    assert found.pages >= LARGE[name].pages
    assert found.mebibytes <= LARGE[name].most


def gz_bomb() -> bytes:
    """1 MiB that inflates to 1 GiB: the same compressed block of blanks again and again."""
    stream = zlib.compressobj(9, wbits=31)
    first = stream.compress(b"<urlset>".ljust(MIB)) + stream.flush(zlib.Z_FULL_FLUSH)
    again = stream.compress(b" " * MIB) + stream.flush(zlib.Z_FULL_FLUSH)
    return first + again * 1023


def br_bomb() -> bytes:
    stream = brotli.Compressor(quality=1)
    return b"".join([stream.process(b" " * MIB) for _ in range(1024)]) + bytes(stream.finish())


BOMBS: Mapping[str, Callable[[], bytes]] = {
    "gzip": gz_bomb,
    "gzip in gzip": lambda: gz(gz_bomb()),
    "brotli": br_bomb,
    "zstd": lambda: zst_bomb(1024),
    "gzip in zstd": lambda: zstd.compress(gz_bomb()),
}


@on_linux
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_before_it_costs_memory(name: str, tmp_path: Path) -> None:
    path = tmp_path / "sitemap.xml.gz"
    path.write_bytes(BOMBS[name]())
    for kind in ("path", "bytes"):
        found = measured(name, kind, path)
        assert (found.outcome, found.pages) == (Outcome.REFUSED, 0)
        assert found.mebibytes < 16


# -- problems


MILLION, MANY = 1_000_000, 20_000
PROBLEMS = (
    ("<a/>", "unknown-element", MANY),
    ("&", "bare-ampersand", MILLION),
    ("&#0;", "invalid-reference", MILLION),
    ("&eacute;", "html-entity", MANY),
    ("</a>", "stray-tag", MANY),
    ("<url/>", "missing-loc", MANY),
    ("<url></a></url>", "broken-entry", MANY),
    (PAGE, "duplicate-url", MANY),
    ("<?xml?>", "repeated-declaration", MANY),
    ("<!DOCTYPE a>", "doctype", MANY),
)


@pytest.mark.parametrize(("unit", "code", "number"), PROBLEMS, ids=[code for _, code, _ in PROBLEMS])
def test_problems_are_counted_and_the_first_few_kept(unit: str, code: str, number: int) -> None:
    sitemap = parse(Pieces(iter([URLSET, *[unit * (number // 100)] * 100, "</urlset>"])))  # type: ignore[arg-type]
    first_is_none = code in ("duplicate-url", "repeated-declaration")
    assert sitemap.problems.counts[code] == number - first_is_none
    assert sum(problem.code == code for problem in sitemap.problems) == KEPT_A_CODE


# -- time

SMALL, TIMES = 50_000, 4


def seconds(text: str) -> float:
    start = time.process_time()
    parse(text, url="https://example.com/a/b/c")
    return time.process_time() - start


@cache
def seconds_of_a_plain_sitemap() -> float:
    # with a blank in each tag: what is written as usual takes a short cut
    plain = URLSET + "".join(map(entry, range(SMALL * TIMES // len(entry(0))))).replace("<url>", "<url >")
    return min(seconds(plain) for _ in range(5))


@pytest.mark.parametrize("name", HOSTILE)
def test_time_grows_no_faster_than_the_document(name: str) -> None:
    small, large = HOSTILE[name](SMALL), HOSTILE[name](SMALL * TIMES)
    assert costs_little(small, large), name


def costs_little(small: str, large: str) -> bool:
    """Whether four times the text takes less than eight times the time, and neither much more than a plain sitemap.

    The best of a few attempts, and as many as needed: a busy machine makes anything slow, nothing fast.
    """
    fewest = [float("inf")] * 2
    for _ in range(5):
        fewest = [min(least, seconds(text)) for least, text in zip(fewest, (small, large), strict=True)]
        if fewest[1] < max(2 * TIMES * fewest[0], 0.02) and fewest[1] < 500 * seconds_of_a_plain_sitemap():
            return True
    return False


def test_empty_gzip_members_take_linear_time() -> None:
    empty = gz(b"")
    small = min(best_of_bytes(empty * 2000) for _ in range(3))
    large = min(best_of_bytes(empty * 8000) for _ in range(3))
    assert large < 2 * TIMES * small


def best_of_bytes(body: bytes) -> float:
    start = time.process_time()
    sitemap = parse(body)
    assert sitemap.outcome is Outcome.EMPTY
    return time.process_time() - start


BEFORE_LEVELS = ("<x>", URLSET, IN_URL, IN_LOC, "<rss><channel><item>", "<feed><entry><title>", "")
NAMES_OF_LEVELS = ("a", "urlset", "url", "image:image")
HUNDRED_THOUSAND = 100_000


@pytest.mark.parametrize("before", BEFORE_LEVELS)
@pytest.mark.parametrize("name", NAMES_OF_LEVELS)
def test_levels_beyond_the_bound_are_read(before: str, name: str) -> None:
    assert levels_cost_all_but_one_page(before, name, 10 * DEPTH)


@pytest.mark.parametrize(
    ("before", "name"), [("", "urlset"), (URLSET, "a"), (IN_LOC, "url"), ("<rss><channel><item>", "image:image")]
)
def test_a_hundred_thousand_levels_are_read(before: str, name: str) -> None:
    assert levels_cost_all_but_one_page(before, name, HUNDRED_THOUSAND)


def levels_cost_all_but_one_page(before: str, name: str, number: int) -> bool:
    """Whether so many elements within each other are noted, and invent nothing."""
    sitemap = parse(before + f"<{name}>" * number + f"</{name}>" * number + PAGE)
    return sitemap.problems.total > 0 and len(list(islice(sitemap.pages, 2))) <= 1
