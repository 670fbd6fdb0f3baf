"""Tables for programs: pyarrow and pandas, which are needed here and nowhere else.

Laws: imported when a table is made, not before; where one is missing, its exception says what installs it. A date of a
page becomes a moment in UTC (one without a zone is taken as UTC; the site's words stay beside it); dates within lists
and stories stay text, as a table cannot keep their zones. Decimal numbers become 64-bit ones.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

import msgspec

from usp.exceptions import MissingDependencyException
from usp.outputs.batches import Listed, Source, batches
from usp.outputs.fields import Field, fields_named, rows
from usp.values.dates import in_utc

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


def to_arrow(source: Source, *, fields: Iterable[str] | None = None) -> "pa.Table":
    """The pages as a ``pyarrow.Table``; ``fields`` are its columns, all by default.

    >>> from usp.parsing import parse
    >>> to_arrow(parse("https://example.com/"), fields=["url", "priority"]).to_pylist()
    [{'url': 'https://example.com/', 'priority': 0.5}]
    """
    columns = Columns(fields)
    return columns.arrow.Table.from_batches([columns.batch(batch) for batch in batches(source)], columns.schema)


def to_pandas(source: Source, *, fields: Iterable[str] | None = None) -> "pd.DataFrame":
    """The pages as a ``pandas.DataFrame``; ``fields`` are its columns, all by default.

    >>> from usp.parsing import parse
    >>> frame = to_pandas(parse("https://example.com/"), fields=["url", "priority"])
    >>> float(frame["priority"].max())
    0.5
    """
    needed("pandas")
    return to_arrow(source, fields=fields).to_pandas()


def needed(name: str) -> ModuleType:
    """A module of the extra ``tables``."""
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingDependencyException(f"{name} is needed for tables: pip install 'usp[tables]'") from error


class Columns:
    """Makes record batches of pages."""

    def __init__(self, fields: Iterable[str] | None = None) -> None:
        self._fields = fields_named(fields)
        self.arrow = needed("pyarrow")
        types = _types(self.arrow)
        self.schema = self.arrow.schema([(field.name, types[field.name]) for field in self._fields])

    def batch(self, listed: Sequence[Listed]) -> "pa.RecordBatch":
        """Some pages as a record batch."""
        columns = zip(*rows(listed, self._fields), strict=True)
        arrays = [
            self.arrow.array(_cells(field, values), type=wanted.type)
            for field, values, wanted in zip(self._fields, columns, self.schema, strict=True)
        ]
        return self.arrow.RecordBatch.from_arrays(arrays, schema=self.schema)


def _types(arrow: ModuleType) -> dict[str, Any]:
    """The type of each field's column."""
    text, number, whole, yes_no = arrow.string(), arrow.float64(), arrow.int64(), arrow.bool_()
    texts = arrow.list_(text)

    def struct(texts_first: str, **others: Any) -> Any:
        return arrow.struct([(name, others.get(name, text)) for name in texts_first.split()])

    return {
        **dict.fromkeys(("url", "lastmod", "change_frequency", "sitemap", "outcome"), text),
        "last_modified": arrow.timestamp("us", tz="UTC"),
        "priority": number,
        "news_story": struct(
            "title publish_date publication_name publication_language access genres keywords stock_tickers",
            genres=texts, keywords=texts, stock_tickers=texts,
        ),
        "images": arrow.list_(struct("loc caption geo_location title license")),
        "alternates": arrow.list_(struct("hreflang href")),
        "videos": arrow.list_(struct(
            "thumbnail_loc title description content_loc player_loc duration expiration_date rating view_count"
            " publication_date family_friendly restriction restriction_relationship platform platform_relationship"
            " requires_subscription uploader uploader_info live category gallery_loc tags prices",
            duration=whole, rating=number, view_count=whole, family_friendly=yes_no, requires_subscription=yes_no,
            live=yes_no, tags=texts, prices=arrow.list_(struct("price currency type resolution", price=number)),
        )),
    }  # fmt: skip


def _cells(field: Field, values: Sequence[Any]) -> Sequence[Any]:
    turn = _TURNED.get(field.name)
    return [None if value is None else turn(value) for value in values] if turn else values


def _plain(value: Any) -> Any:
    """A story, an image or a video, as dictionaries and lists of what a table can hold."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, msgspec.Struct):
        return {name: _plain(part) for name, part in value.to_dict().items()}  # type: ignore[attr-defined]
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    return value


_TURNED: dict[str, Callable[[Any], Any]] = {
    "last_modified": in_utc,
    "change_frequency": lambda frequency: frequency.value,
    "priority": float,
    "news_story": _plain,
    "images": _plain,
    "videos": _plain,
}
"""What has to be turned into something that a column can hold."""
