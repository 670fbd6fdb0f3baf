"""``csv``: a table as RFC 4180 has it, with a line of names first; what is a list or a story is JSON in its cell."""

import csv
import io
from collections.abc import Iterable
from datetime import datetime
from enum import Enum
from typing import Any

from usp.outputs.batches import Listed, Source, batches
from usp.outputs.delivery import BinaryFile, check_binary, deliver, put
from usp.outputs.fields import fields_named, rows
from usp.outputs.jsonl import JSON


def write_csv(source: Source, file: BinaryFile, *, fields: Iterable[str] | None = None) -> None:
    """Write a table of the pages, in UTF-8; ``fields`` are all by default. What a page does not say is empty.

    >>> import io
    >>> from usp.parsing import parse
    >>> file = io.BytesIO()
    >>> write_csv(parse("https://example.com/?a,b"), file, fields=["priority", "url"])
    >>> file.getvalue()
    b'priority,url\\r\\n0.5,"https://example.com/?a,b"\\r\\n'
    """
    deliver(batches(source), _CSVWriter(file, fields))


class _CSVWriter:
    def __init__(self, file: BinaryFile, fields: Iterable[str] | None) -> None:
        check_binary(file)
        self._file = file
        self._fields = fields_named(fields)
        self._heading = [[field.name for field in self._fields]]

    def write(self, piece: list[Listed]) -> None:
        self._put(self._heading + [[*map(_cell, row)] for row in rows(piece, self._fields)])
        self._heading = []

    def close(self) -> None:
        """A table without pages has a line of names too."""
        self._put(self._heading)

    def _put(self, cells: list[list[Any]]) -> None:
        text = io.StringIO()
        csv.writer(text).writerows(cells)
        put(self._file, text.getvalue().encode())


def _cell(value: Any) -> object:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, datetime):
        return JSON.encode(value)[1:-1].decode()  # without its quotes
    if isinstance(value, Enum):
        return value.value
    return JSON.encode(value).decode()
