"""Every case of the corpus is read equally by the compiled reader, or a table says why it is declined."""

from pathlib import Path

import msgspec
import pytest

from tests.both_readers import native_answer
from tests.corpus_cases import Case, read_cases
from tests.test_corpus import reader_of
from usp.compiled import native_reader

CASES = read_cases()
DECLINES = msgspec.toml.decode(Path(__file__).with_name("declines.toml").read_bytes(), type=dict[str, list[str]])
"""By reason; what is not in the table is read."""

EXPECTED = {name: reason for reason, names in DECLINES.items() for name in names}
HEADERS = "headers"
"""The reason of what already has a problem before a byte is read."""

ORDINARY = (
    "django", "drupal-simple-sitemap", "hugo", "magento-products", "next-js", "rank-math-posts", "screaming-frog",
    "shopify-index", "shopify-products", "wordpress-core-index", "wordpress-core-posts", "yoast-index", "yoast-posts",
)  # fmt: skip


def answer(case: Case) -> str:
    native = native_reader()
    assert native is not None
    reader = reader_of(case)
    if reader.log.problems().total:
        return HEADERS
    found = native_answer(native, reader, case.text() if case.as_text else [case.body()])
    return found if isinstance(found, str) else "read"


@pytest.mark.parametrize("name", CASES)
def test_case_is_read_or_declined_for_the_reason_in_the_table(name: str) -> None:
    pytest.importorskip("usp_native")
    assert answer(CASES[name]) == EXPECTED.get(name, "read")


def test_the_table_names_cases_and_reasons_that_exist() -> None:
    usp_native = pytest.importorskip("usp_native")
    assert EXPECTED.keys() <= CASES.keys()
    assert DECLINES.keys() <= {*usp_native.REASONS, HEADERS, "content-encoding", "characters"}


def test_no_case_with_problems_is_read() -> None:
    assert [name for name, case in CASES.items() if name not in EXPECTED and case.expect.problems] == []


@pytest.mark.parametrize("name", ORDINARY)
def test_what_ordinary_programs_write_is_read(name: str) -> None:
    assert f"generators/{name}" in CASES
    assert f"generators/{name}" not in EXPECTED
