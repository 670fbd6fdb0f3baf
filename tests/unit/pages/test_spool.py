"""The spool keeps every block readable, in memory or in one file that goes with the last block."""

import copy
import errno
import gc
import logging
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from usp.objects.sitemap import IndexXMLSitemap, PagesXMLSitemap
from usp.pages.block_pages import BlockPages
from usp.pages.spool import Spool, SpoolBlock
from usp.rows import MemoryBlock, Row, pack

BLOCK = pack([Row(f"https://example.com/{number}", "2024") for number in range(100)])
SMALL, LARGE = len(BLOCK) * 3, len(BLOCK) * 1000
"""A threshold that the fourth block passes, and one that no test passes."""


class Files:
    """Makes temporary files as the library does, remembers them, and can fail as disks do."""

    def __init__(self) -> None:
        self.made: list[Any] = []
        self.error: OSError | None = None
        self._make = tempfile.TemporaryFile

    def __call__(self, **options: Any) -> Any:
        if self.error:
            raise self.error
        self.made.append(self._make(**options))
        return self.made[-1]

    def open(self) -> int:
        return sum(not file.closed for file in self.made)


class FillingFile:
    """A file on a disk that has little room left: it takes a part of what is written, then nothing more."""

    def __init__(self, file: Any, room: int) -> None:
        self.file = file
        self.room = room

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)

    def write(self, data: memoryview) -> int:
        if not self.room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written: int = self.file.write(data[: min(self.room, 100)])
        self.room -= written
        return written


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> Iterator[Files]:
    files = Files()
    monkeypatch.setattr(tempfile, "TemporaryFile", files)
    yield files
    for file in files.made:
        file.close()


def keep(spool: Spool, count: int) -> list[SpoolBlock]:
    return [spool.keep(BLOCK, 100) for _ in range(count)]


def readable(blocks: list[SpoolBlock]) -> bool:
    return all(block.packed() == BLOCK and block.rows == 100 for block in blocks)


def test_few_blocks_need_no_file(files: Files) -> None:
    blocks = keep(Spool(SMALL), 3)
    assert readable(blocks)
    assert files.made == []


def test_all_blocks_move_to_one_file_once_they_are_many(files: Files) -> None:
    spool = Spool(SMALL)
    blocks = keep(spool, 4)
    assert len(files.made) == 1
    assert not any(isinstance(block._kept, bytes) for block in blocks)
    blocks += keep(spool, 4)
    assert not any(isinstance(block._kept, bytes) for block in blocks)
    assert len(files.made) == 1
    assert readable(blocks)


def test_the_file_is_smaller_than_the_blocks(files: Files) -> None:
    blocks = keep(Spool(SMALL), 10)
    assert os.fstat(files.made[0].fileno()).st_size < len(BLOCK) * len(blocks) / 4


def test_the_file_has_no_name_that_others_could_see(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.name == "nt":
        pytest.skip("there, a file without a name is a file that goes when it is closed")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    blocks = keep(Spool(SMALL), 4)
    assert list(tmp_path.iterdir()) == []
    assert readable(blocks)


def test_blocks_that_nobody_holds_do_not_count(files: Files) -> None:
    spool = Spool(SMALL)
    for _ in range(100):
        keep(spool, 2)
    assert files.made == []


def test_a_block_may_go_at_any_moment(files: Files) -> None:
    spool = Spool(SMALL)
    blocks = keep(spool, 2)
    with spool._lock:  # where the garbage collector may run, too
        del blocks[0]
    blocks += keep(spool, 2)
    assert files.made == []
    blocks += keep(spool, 1)
    assert len(files.made) == 1
    assert readable(blocks)


def test_the_file_goes_with_the_last_block_and_not_before(files: Files) -> None:
    blocks = keep(Spool(SMALL), 6)
    gc.collect()
    while blocks:
        assert files.open() == 1
        assert readable(blocks)
        blocks.pop()
    assert files.open() == 0


def test_the_file_goes_with_the_last_block_although_the_spool_lives(files: Files) -> None:
    spool = Spool(SMALL)
    del keep(spool, 6)[:]
    assert files.open() == 0
    few = keep(spool, 3)
    assert len(files.made) == 1
    assert readable(few)
    more = keep(spool, 3)
    assert (len(files.made), files.open()) == (2, 1)
    assert readable(few + more)


def test_the_file_goes_when_the_last_sitemap_goes(files: Files) -> None:
    spool = Spool(0)
    one, other = (PagesXMLSitemap(f"https://example.com/{n}", BlockPages(keep(spool, 2))) for n in range(2))
    tree = IndexXMLSitemap("https://example.com/", [one, other])
    del spool, one
    tree.sub_sitemaps = tree.sub_sitemaps[1:]
    gc.collect()
    assert files.open() == 1
    assert len(list(other.pages)) == 200
    del tree, other
    gc.collect()
    assert files.open() == 0


def test_two_documents_share_one_file_and_each_reads_its_own(files: Files) -> None:
    spool = Spool(0)
    blocks: dict[str, list[SpoolBlock]] = {"cats": [], "dogs": []}
    for number in range(5):
        for name, kept in blocks.items():
            kept.append(spool.keep(pack([(f"https://example.com/{name}/{number}",)]), 1))
    assert len(files.made) == 1
    for name, kept in blocks.items():
        assert [page.url for page in BlockPages(kept)] == [f"https://example.com/{name}/{n}" for n in range(5)]


def test_a_block_pickles_as_its_bytes(files: Files) -> None:
    for threshold in (0, LARGE):
        block = Spool(threshold).keep(BLOCK, 100)
        frozen = pickle.dumps(block)
        del block
        assert pickle.loads(frozen) == MemoryBlock(BLOCK, 100)
    assert files.open() == 0


def test_a_copied_block_is_the_block() -> None:
    block = Spool(0).keep(BLOCK, 100)
    assert copy.copy(block) is block
    assert copy.deepcopy([block])[0] is block


def test_many_threads_may_keep_and_read(files: Files) -> None:
    spool = Spool(SMALL)
    kept: list[tuple[bytes, SpoolBlock]] = []

    def keep_and_read(name: int) -> None:
        mine = [pack([Row(f"https://example.com/{name}/{number}")] * 50) for number in range(20)]
        blocks = [spool.keep(packed, 50) for packed in mine]
        assert [block.packed() for block in blocks] == mine
        kept.extend(zip(mine, blocks, strict=True))

    threads = [threading.Thread(target=keep_and_read, args=[name]) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(kept) == 160
    assert all(block.packed() == packed for packed, block in kept)
    assert len(files.made) == 1


def test_blocks_are_readable_where_there_is_no_pread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "pread", raising=False)
    spool = Spool(SMALL)
    blocks = keep(spool, 5)
    assert readable(blocks[:1])  # which leaves the file's position in its middle
    blocks += keep(spool, 5)
    assert readable(blocks)


def test_no_page_is_lost_where_no_file_can_be_made(files: Files, caplog: pytest.LogCaptureFixture) -> None:
    files.error = PermissionError(errno.EACCES, "no")
    blocks = keep(Spool(SMALL), 20)
    assert readable(blocks)
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "stay in memory" in caplog.text


@pytest.mark.parametrize("room", [0, 50, 1000])
def test_no_page_is_lost_when_the_disk_is_full(
    files: Files, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **options: FillingFile(files(**options), room))
    spool = Spool(SMALL)
    blocks = keep(spool, 20)
    assert readable(blocks)
    assert any(isinstance(block._kept, bytes) for block in blocks)
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "No space left" in caplog.text


def test_a_file_that_takes_a_part_at_a_time_is_written_whole(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **options: FillingFile(files(**options), 10**9))
    blocks = keep(Spool(SMALL), 8)
    assert not any(isinstance(block._kept, bytes) for block in blocks)
    assert readable(blocks)


def test_a_file_that_somebody_cut_raises_and_gives_no_wrong_page(files: Files) -> None:
    blocks = keep(Spool(0), 2)
    files.made[0].truncate(os.fstat(files.made[0].fileno()).st_size - 1)
    assert blocks[0].packed() == BLOCK
    with pytest.raises(OSError, match="ended"):
        blocks[1].packed()


# Whole processes: what is left in the folder for temporary files when they are gone?

SCRIPT = """
import atexit, os, signal, sys, tempfile
if sys.argv[1] == "named":  # as on Windows, where the file has a name until it is closed
    tempfile.TemporaryFile = tempfile.NamedTemporaryFile
from usp.pages.block_pages import BlockPages
from usp.pages.spool import Spool
from usp.rows import Row, pack
spool = Spool(0)
pages = BlockPages([spool.keep(pack([Row("https://example.com/")]), 1)])
immortal = [pages]
immortal.append(immortal)
assert pages[0].url == "https://example.com/"
if sys.argv[1] == "named":
    assert len(os.listdir(os.environ["TMPDIR"])) == 1
"""


def run(tmp_path: Path, script: str, kind: str = "anonymous") -> "subprocess.CompletedProcess[str]":
    environment = os.environ | {name: str(tmp_path) for name in ("TMPDIR", "TEMP", "TMP")}
    command = [sys.executable, "-W", "error", "-c", SCRIPT + script, kind]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("kind", ["anonymous", "named"])
def test_nothing_is_left_after_the_interpreter_exits(tmp_path: Path, kind: str) -> None:
    finished = run(tmp_path, "", kind)
    assert (finished.returncode, finished.stderr) == (0, "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["anonymous", "named"])
def test_nothing_is_left_after_an_uncaught_exception(tmp_path: Path, kind: str) -> None:
    finished = run(tmp_path, "raise RuntimeError('uncaught')", kind)
    assert finished.returncode == 1
    assert finished.stderr.endswith("RuntimeError: uncaught\n")
    assert "Warning" not in finished.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals that cannot be caught")
def test_nothing_is_left_after_the_process_was_killed(tmp_path: Path) -> None:
    finished = run(tmp_path, "os.kill(os.getpid(), signal.SIGKILL)")
    assert finished.returncode == -signal.SIGKILL
    assert list(tmp_path.iterdir()) == []


FORK = """
mine = [spool.keep(pack([Row(f"https://example.com/parent/{n}")] * 50), 50) for n in range(5)]
child = os.fork()
if not child:
    theirs = [spool.keep(pack([Row(f"https://example.com/child/{n}")] * 50), 50) for n in range(5)]
else:
    theirs = [spool.keep(pack([Row(f"https://example.com/still/{n}")] * 50), 50) for n in range(5)]
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
who = "still" if child else "child"
for _ in range(100):
    assert [page.url for page in BlockPages(mine)] == [f"https://example.com/parent/{n // 50}" for n in range(250)]
    assert [page.url for page in BlockPages(theirs)] == [f"https://example.com/{who}/{n // 50}" for n in range(250)]
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_reads_what_there_was_and_writes_a_file_of_its_own(tmp_path: Path) -> None:
    finished = run(tmp_path, FORK)
    assert (finished.returncode, finished.stderr) == (0, "")
    assert list(tmp_path.iterdir()) == []
