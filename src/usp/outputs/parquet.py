"""``parquet``: a table in a file of columns, for pandas, DuckDB, Spark and others.

Laws: memory stays flat: pages leave as soon as they make a group of rows. What is written when the source ends, however
it ends, is a whole file.
"""

from collections.abc import Iterable
from functools import partial
from typing import Any

from usp.limits import MIB
from usp.outputs.batches import LONGEST, Listed, Source, batches
from usp.outputs.delivery import BinaryFile, check_binary, deliver
from usp.outputs.tables import Columns, needed

ROWS_A_GROUP = 100_000
BYTES_A_GROUP = 4 * MIB
"""A group of rows is written when it has so many rows, or is so large before it is compressed: 16,000 usual pages."""


def write_parquet(source: Source, file: BinaryFile, *, fields: Iterable[str] | None = None) -> None:
    """Write a table of the pages, compressed with zstd; ``fields`` are its columns, all by default.

    >>> import io
    >>> import pyarrow.parquet
    >>> from usp.parsing import parse
    >>> file = io.BytesIO()
    >>> write_parquet(parse("https://example.com/"), file, fields=["url", "outcome"])
    >>> pyarrow.parquet.read_table(file).to_pylist()
    [{'url': 'https://example.com/', 'outcome': 'ok'}]
    """
    deliver(batches(source), _ParquetWriter(file, fields))


class _ParquetWriter:
    def __init__(self, file: BinaryFile, fields: Iterable[str] | None) -> None:
        check_binary(file)
        self._columns = Columns(fields)
        self._open = partial(
            needed("pyarrow.parquet").ParquetWriter,
            _Sink(file),
            self._columns.schema,
            compression="zstd",
            use_dictionary=False,  # URLs do not repeat, and zstd finds what does: a quarter less, in memory too
        )
        self._writer: Any = None  # opening it writes
        self._listed: list[Listed] = []
        self._group: list[object] = []
        self._rows = self._bytes = 0

    def write(self, piece: list[Listed]) -> None:
        """Lists may be short, as many as a site has sitemaps: they are joined first."""
        self._listed += piece
        if len(self._listed) >= LONGEST:
            self._pack()
            if self._rows >= ROWS_A_GROUP or self._bytes >= BYTES_A_GROUP:
                self._write_group()

    def close(self) -> None:
        """Write what is left, and the end of the file, without which nobody can read it."""
        self._writer = self._writer or self._open()
        try:
            self._pack()
            self._write_group()
        finally:
            self._writer.close()

    def _pack(self) -> None:
        if self._listed:
            table = self._columns.table(self._listed)
            self._listed = []
            self._group.append(table)
            self._rows += table.num_rows
            self._bytes += table.nbytes

    def _write_group(self) -> None:
        if self._group:
            table = self._columns.arrow.concat_tables(self._group)
            self._group, self._rows, self._bytes = [], 0, 0
            self._writer = self._writer or self._open()
            self._writer.write_table(table, row_group_size=table.num_rows)


class _Sink:
    """The caller's file, as pyarrow wants it: one that knows where it is, which a pipe does not."""

    closed = False

    def __init__(self, file: BinaryFile) -> None:
        self._file = file
        self._position = 0

    def write(self, written: bytes) -> int:
        self._file.write(written)
        self._position += len(written)
        return len(written)

    def tell(self) -> int:
        return self._position

    def flush(self) -> None:
        self._file.flush()

    def close(self) -> None:
        """The file stays open: it is the caller's."""
