"""Every case of the corpus is read equally by the compiled reader, or declined.

Because it is no sitemap in XML, because it has problems, or for the reason that a table gives.

That what is read is equal, ``tests/both_readers.py`` sees to, wherever a test reads anything.
"""

from pathlib import Path

import msgspec
import pytest

from tests.both_readers import native_answer
from tests.corpus_cases import Case, read_cases
from tests.test_corpus import reader_of
from usp.compiled import native_reader

CASES = read_cases()
DECLINES = msgspec.toml.decode(Path(__file__).with_name("declines.toml").read_bytes(), type=dict[str, list[str]])
"""By reason: the cases without a problem that are declined all the same."""

EXPECTED = {name: reason for reason, names in DECLINES.items() for name in names}
XML = ("PagesXMLSitemap", "IndexXMLSitemap")

ORDINARY = (
    "django", "drupal-simple-sitemap", "hugo", "magento-products", "next-js", "rank-math-posts", "screaming-frog",
    "shopify-index", "shopify-products", "wordpress-core-index", "wordpress-core-posts", "yoast-index", "yoast-posts",
)  # fmt: skip


def answer(case: Case) -> str:
    """ "read", or why the case is declined."""
    native = native_reader()
    assert native is not None
    reader = reader_of(case)
    if reader.log.problems().total:
        return "headers"
    found = native_answer(native, reader, case.text() if case.as_text else [case.body()])
    return found if isinstance(found, str) else "read"


@pytest.mark.parametrize("name", CASES)
def test_case_is_read_or_there_is_a_reason(name: str) -> None:
    usp_native = pytest.importorskip("usp_native")
    expect = CASES[name].expect
    found = answer(CASES[name])
    if expect.problems or expect.sitemap not in XML:
        assert found in {*usp_native.REASONS, "headers", "content-encoding", "characters"}
    else:
        assert found == EXPECTED.get(name, "read"), "a decline without a problem: its reason belongs into declines.toml"


def test_the_table_names_cases_without_problems() -> None:
    assert EXPECTED.keys() <= CASES.keys()
    assert not [name for name in EXPECTED if CASES[name].expect.problems or CASES[name].expect.sitemap not in XML]


@pytest.mark.parametrize("name", ORDINARY)
def test_what_ordinary_programs_write_is_read(name: str) -> None:
    assert f"generators/{name}" in CASES
    assert f"generators/{name}" not in EXPECTED
