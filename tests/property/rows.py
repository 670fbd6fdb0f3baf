"""Rows of any words, dates in all forms among them."""

from typing import TypeVar

from hypothesis import strategies as st

from usp.rows import ImageRow, NewsRow, PriceRow, Row, VideoRow

T = TypeVar("T")

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
WORDS = st.none() | TEXT
DATES = WORDS | st.sampled_from(["2024", "2024-01-02", "2024-01-02T03:04:05Z", "2024-02-30", "Tue, 2 Jan 24 03:04 EST"])


def struct(kind: type[T], **fields: st.SearchStrategy[object]) -> st.SearchStrategy[T]:
    """Structs of words, but for the fields given."""
    words = {name: WORDS for name in kind.__struct_fields__ if name not in fields}  # type: ignore[attr-defined]
    return st.builds(kind, **words, **fields)


NEWS = struct(NewsRow, publication_date=DATES)
IMAGES = st.lists(struct(ImageRow, loc=TEXT), max_size=2)
VIDEOS = st.lists(
    struct(VideoRow, tags=st.lists(TEXT, max_size=2), prices=st.lists(struct(PriceRow, price=TEXT), max_size=2)),
    max_size=2,
)
PLAIN_ROWS = st.builds(Row, TEXT, DATES, WORDS, WORDS, st.integers(0, 2**31))
FULL_ROWS = st.builds(
    Row,
    TEXT,
    DATES,
    WORDS,
    WORDS,
    st.integers(0, 2**31),
    news=st.none() | NEWS,
    images=st.none() | IMAGES,
    videos=st.none() | VIDEOS,
    alternates=st.none() | st.lists(st.tuples(TEXT, TEXT), max_size=2),
)
ROWS = st.lists(PLAIN_ROWS | FULL_ROWS, max_size=8)
