"""What is written reads back with somebody else's reader: the same pages, all fields, any Unicode."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pyarrow.parquet
from hypothesis import given

from tests.property.rows import ROWS
from usp.objects.page import (
    SitemapImage,
    SitemapNewsStory,
    SitemapPage,
    SitemapPageChangeFrequency,
    SitemapVideo,
    SitemapVideoPrice,
)
from usp.objects.sitemap import IndexWebsiteSitemap, IndexXMLSitemap, PagesXMLSitemap
from usp.outputs import FIELDS, to_arrow, to_pandas, write_csv, write_json, write_jsonl, write_parquet
from usp.problems import Outcome
from usp.rows import Row
from usp.values.dates import parse_date

SITEMAP = "https://example.com/sitemap.xml"
OF_PAGES = [field.name for field in FIELDS if field.name not in ("sitemap", "outcome")]


def tree_of(pages: Sequence[SitemapPage]) -> IndexWebsiteSitemap:
    listing = PagesXMLSitemap(SITEMAP, pages, outcome=Outcome.TRUNCATED, lastmod="2024")
    return IndexWebsiteSitemap("https://example.com/", [IndexXMLSitemap("https://example.com/index.xml", [listing])])


def written(write: Callable[..., None], source: object, **options: Any) -> bytes:
    file = io.BytesIO()
    write(source, file, **options)
    return file.getvalue()


def moment(words: str | None) -> datetime | None:
    return datetime.fromisoformat(words) if words is not None else None


def number(said: Any) -> Decimal | None:
    return Decimal(said) if said is not None else None


def page_of(said: dict[str, Any]) -> SitemapPage:
    """The page that a JSON object is, read with nothing but the standard library."""
    news, images, videos, alternates = said["news_story"], said["images"], said["videos"], said["alternates"]
    return SitemapPage(
        said["url"],
        Decimal(said["priority"]),
        moment(said["last_modified"]),
        SitemapPageChangeFrequency(said["change_frequency"]) if said["change_frequency"] else None,
        SitemapNewsStory(**{**news, "publish_date": moment(news["publish_date"])}) if news else None,
        [SitemapImage(*image.values()) for image in images] if images else None,
        [(alternate["hreflang"], alternate["href"]) for alternate in alternates] if alternates else None,
        videos=[video_of(video) for video in videos] if videos else None,
        lastmod=said["lastmod"],
    )


def video_of(said: dict[str, Any]) -> SitemapVideo:
    return SitemapVideo(
        **{
            **said,
            "expiration_date": moment(said["expiration_date"]),
            "publication_date": moment(said["publication_date"]),
            "rating": number(said["rating"]),
            "prices": [SitemapVideoPrice(**{**price, "price": number(price["price"])}) for price in said["prices"]],
        }
    )


def loads(text: str | bytes) -> Any:
    return json.loads(text, parse_float=Decimal)


def same(pages: Sequence[SitemapPage], records: Sequence[dict[str, Any]]) -> bool:
    read = [page_of(record) for record in records]
    return read == list(pages) and [page.lastmod for page in read] == [page.lastmod for page in pages]


def plain(value: Any) -> Any:
    """What a column can hold of a value."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list) else value


def columns_of(page: SitemapPage) -> dict[str, Any]:
    said = page.to_dict()
    alternates = [{"hreflang": hreflang, "href": href} for hreflang, href in page.alternates or ()]
    date = page.last_modified
    return {
        "url": page.url,
        "lastmod": page.lastmod,
        "last_modified": date and (date if date.tzinfo else date.replace(tzinfo=UTC)),
        "change_frequency": said["change_frequency"],
        "priority": float(page.priority),
        "news_story": plain(said["news_story"]),
        "images": plain(said["images"]),
        "alternates": alternates or None,
        "videos": plain(said.get("videos")),
        "sitemap": SITEMAP,
        "outcome": "truncated",
    }


@given(ROWS)
def test_jsonl_reads_back(rows: list[Row]) -> None:
    pages = [row.page() for row in rows]
    lines = written(write_jsonl, tree_of(pages)).split(b"\n")
    assert lines.pop() == b""
    records = [loads(line) for line in lines]
    assert same(pages, records)
    assert all(list(record) == [field.name for field in FIELDS] for record in records)
    assert all((record["sitemap"], record["outcome"]) == (SITEMAP, "truncated") for record in records)


@given(ROWS)
def test_json_reads_back(rows: list[Row]) -> None:
    pages = [row.page() for row in rows]
    tree = loads(written(write_json, tree_of(pages)))
    listing = tree["sub_sitemaps"][0]["sub_sitemaps"][0]
    assert (listing["url"], listing["outcome"], listing["lastmod"]) == (SITEMAP, "truncated", "2024")
    assert same(pages, listing["pages"])


@given(ROWS)
def test_csv_reads_back(rows: list[Row]) -> None:
    pages = [row.page() for row in rows]
    text = written(write_csv, tree_of(pages)).decode()
    records: list[dict[str, Any]] = [*csv.DictReader(io.StringIO(text, newline=""))]
    for record in records:
        assert (record["sitemap"], record["outcome"]) == (SITEMAP, "truncated")
        for name in ("news_story", "images", "alternates", "videos"):
            record[name] = loads(record[name]) if record[name] else None
        record["last_modified"] = record["last_modified"] or None
    assert [page.lastmod or "" for page in pages] == [record["lastmod"] for record in records]
    assert [page_of(record) for record in records] == pages


@given(ROWS)
def test_parquet_reads_back(rows: list[Row]) -> None:
    pages = [row.page() for row in rows]
    table = pyarrow.parquet.read_table(io.BytesIO(written(write_parquet, tree_of(pages))))
    assert table.column_names == [field.name for field in FIELDS]
    assert table.to_pylist() == [columns_of(page) for page in pages]


@given(ROWS)
def test_dates_of_a_table_are_those_of_the_words_beside_them(rows: list[Row]) -> None:
    table = to_arrow([row.page() for row in rows], fields=["lastmod", "last_modified"])
    for record in table.to_pylist():
        date = parse_date(record["lastmod"]) if record["lastmod"] else None
        assert record["last_modified"] == (date and (date if date.tzinfo else date.replace(tzinfo=UTC)))


@given(ROWS)
def test_arrow_and_pandas_have_the_same_columns(rows: list[Row]) -> None:
    tree = tree_of([row.page() for row in rows])
    table, frame = to_arrow(tree), to_pandas(tree)
    assert list(frame.columns) == table.column_names == [field.name for field in FIELDS]
    assert list(frame["url"]) == table["url"].to_pylist() == [row.url for row in rows]


def test_dates_at_the_ends_of_time_fit_a_table() -> None:
    words = ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "0001-01-01", "9999"]
    pages = [Row("https://example.com/", lastmod=date).page() for date in words]
    years = [date.year for date in to_arrow(pages)["last_modified"].to_pylist()]
    assert years == [1, 9999, 1, 9999]


def test_all_writers_take_fields_in_any_order() -> None:
    tree = tree_of([SitemapPage("https://example.com/", priority=Decimal("0.8"))])
    options: dict[str, Any] = {"fields": ["sitemap", "url"]}
    row = {"sitemap": SITEMAP, "url": "https://example.com/"}
    assert list(loads(written(write_jsonl, tree, **options)).items()) == list(row.items())
    assert written(write_csv, tree, **options).splitlines() == [b"sitemap,url", ",".join(row.values()).encode()]
    listing = loads(written(write_json, tree, **options))["sub_sitemaps"][0]["sub_sitemaps"][0]
    assert listing["pages"] == [row]
    assert to_arrow(tree, **options).to_pylist() == [row]
    assert pyarrow.parquet.read_table(io.BytesIO(written(write_parquet, tree, **options))).to_pylist() == [row]
    assert to_pandas(tree, **options).to_dict("records") == [row]
