"""``jsonl``: a JSON object a page, each on a line."""

from collections.abc import Iterable

import msgspec

from usp.outputs.batches import Listed, Source, batches
from usp.outputs.delivery import BinaryFile, check_binary, deliver, put
from usp.outputs.fields import fields_named, records

JSON = msgspec.json.Encoder(decimal_format="number")
"""Numbers stay numbers, and a date keeps its zone, or has none."""


def write_jsonl(source: Source, file: BinaryFile, *, fields: Iterable[str] | None = None) -> None:
    """Write every page as a JSON object on a line of its own, in UTF-8; ``fields`` are all by default.

    >>> import io
    >>> from usp.parsing import parse
    >>> file = io.BytesIO()
    >>> write_jsonl(parse("https://example.com/"), file, fields=["url", "priority", "outcome"])
    >>> file.getvalue()
    b'{"url":"https://example.com/","priority":0.5,"outcome":"ok"}\\n'
    """
    deliver(batches(source), _JSONLinesWriter(file, fields))


class _JSONLinesWriter:
    def __init__(self, file: BinaryFile, fields: Iterable[str] | None) -> None:
        check_binary(file)
        self._file = file
        self._fields = fields_named(fields)

    def write(self, piece: list[Listed]) -> None:
        put(self._file, JSON.encode_lines(records(piece, self._fields)))

    def close(self) -> None:
        """Lines end with themselves."""
