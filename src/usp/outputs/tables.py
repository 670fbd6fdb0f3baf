"""Tables for programs: pyarrow and pandas, which are needed here and nowhere else.

Laws: imported when a table is made, not before; where one is missing, its exception says what installs it. A date of a
page becomes a moment in UTC (one without a zone is taken as UTC; the site's words stay beside it); dates within lists
and stories stay text, as a table cannot keep their zones. Decimal numbers become 64-bit ones.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from usp.exceptions import MissingDependencyException
from usp.objects.page import SitemapPage
from usp.outputs.batches import Listed, Source, batches
from usp.outputs.fields import Field, fields_named, records
from usp.outputs.jsonl import JSON
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
    tables = [columns.table(batch) for batch in batches(source)]
    return columns.arrow.concat_tables([columns.schema.empty_table(), *tables])


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
    """Makes tables of a few pages.

    By way of JSON, which pyarrow reads ten times faster than ``pyarrow.array`` takes the objects of Python;
    and that one loads pandas, wherever it is installed, for 50 MiB.
    """

    def __init__(self, fields: Iterable[str] | None = None) -> None:
        self._fields = [_IN_TABLES.get(field.name, field) for field in fields_named(fields)]
        self.arrow = needed("pyarrow")
        self._json = needed("pyarrow.json")
        types = _types(self.arrow)
        self.schema = self.arrow.schema([(field.name, types[field.name]) for field in self._fields])
        self._options = self._json.ParseOptions(explicit_schema=self.schema, unexpected_field_behavior="error")

    def table(self, listed: Sequence[Listed]) -> "pa.Table":
        """Some pages, at least one, as a table."""
        lines = JSON.encode_lines(records(listed, self._fields))
        # In one block: a page may be larger than the usual one, and threads would take more than they give.
        options = self._json.ReadOptions(use_threads=False, block_size=len(lines) + 1)
        return self._json.read_json(self.arrow.BufferReader(lines), options, self._options)


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


def _last_modified(page: SitemapPage, _: object) -> datetime | None:
    return page.last_modified and in_utc(page.last_modified)


_IN_TABLES = {"last_modified": Field("last_modified", "in UTC", _last_modified)}
"""What a column holds otherwise than other outputs."""
