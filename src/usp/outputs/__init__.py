"""Outputs: a tree or a stream of pages in; text, bytes or a table out.

    import usp
    from usp.outputs import to_pandas, write_csv

    with usp.stream_pages("https://example.com/") as stream, open("pages.csv", "wb") as file:
        write_csv(stream, file)

A new output is a file here and a row of ``OUTPUTS``.
"""

from collections.abc import Callable
from typing import NamedTuple

from usp.outputs.csv import write_csv
from usp.outputs.fields import FIELDS
from usp.outputs.json import write_json
from usp.outputs.jsonl import write_jsonl
from usp.outputs.pages import write_pages
from usp.outputs.parquet import write_parquet
from usp.outputs.tables import to_arrow, to_pandas
from usp.outputs.tabtree import write_tabtree
from usp.outputs.tree import write_tree

__all__ = [
    "FIELDS",
    "OUTPUTS",
    "Output",
    "to_arrow",
    "to_pandas",
    "write_csv",
    "write_json",
    "write_jsonl",
    "write_pages",
    "write_parquet",
    "write_tabtree",
    "write_tree",
]


class Output(NamedTuple):
    """One way to write pages. ``options`` are those that ``write`` takes; ``streams`` if it needs no whole tree."""

    name: str
    sentence: str
    write: Callable[..., None]
    options: tuple[str, ...]
    streams: bool = True


OUTPUTS = (
    Output("tabtree", "sitemaps and pages, nested with tabs", write_tabtree, ("strip_url", "encoding"), streams=False),
    Output("pages", "the URLs of all pages, one a line", write_pages, ("strip_url", "encoding")),
    Output("tree", "a drawn tree with counts and outcomes", write_tree, ("depth", "pages", "encoding"), streams=False),
    Output("json", "the whole tree as one JSON object", write_json, ("fields",), streams=False),
    Output("jsonl", "a JSON object a page, each on a line", write_jsonl, ("fields",)),
    Output("csv", "a table with a line of names first", write_csv, ("fields",)),
    Output("parquet", "a table for pandas, DuckDB and others", write_parquet, ("fields",)),
)
