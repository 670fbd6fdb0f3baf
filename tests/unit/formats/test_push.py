"""Where expat stops, reading goes on: what one fault costs, what it is called and on which line."""

import pytest

from tests.property.documents import Said, read_text
from usp.formats import push
from usp.limits import DEPTH, TOKEN
from usp.problems import Outcome

URLSET = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
BEFORE = URLSET + "\n<url><loc>https://example.com/a</loc></url>\n"
AFTER = "\n<url><loc>https://example.com/z</loc></url>\n</urlset>"


def read_with(content: str, size: int | None = None) -> Said:
    """Read a document in whose third line this stands, between two good entries."""
    return read_text(BEFORE + content + AFTER, size)


def found(document: Said) -> tuple[list[str], list[tuple[str, int | None]]]:
    """The ends of the URLs, and each problem's code and line."""
    urls = [url.removeprefix("https://example.com/") for url in document.urls]
    return urls, [(problem.code, problem.line) for problem in document.problems]


def page(content: str) -> str:
    return f"<url>{content}</url>"


LOC = "<loc>https://example.com/b</loc>"

LOST = {
    "a stray end tag in the entry": page(LOC + "</b>"),
    "a stray end tag in the value": page("<loc>https://example.com/</b>b</loc>"),
    "a value that never ends": page("<loc>https://example.com/b"),
    "a value ended by another name": page("<loc>https://example.com/b</lo>"),
    "an unknown element that never ends": page("<a>" + LOC).replace("<a>", "<lastmod>"),
    "an extension that never ends": page(LOC + "<image:image>"),
    "an end tag without its end": page(LOC)[:-1] + "<a/>",
    "a start tag without its end": page(LOC).replace("<loc>", "<loc"),
    "a repeated attribute": page(LOC.replace("<loc", "<loc a='' a=''")),
    "a repeated attribute of the entry": page(LOC).replace("<url", "<url a='' a=''"),
    "an unquoted attribute": page(LOC.replace("<loc", "<loc a=b")),
    "an attribute without a value": page(LOC.replace("<loc", "<loc a")),
    "a quote that never ends": page(LOC.replace("<loc", "<loc a='")),
    "a bracket in the value": page("<loc>https://example.com/?a<b</loc>"),
    "a bracket and a blank in the value": page("<loc>https://example.com/? < b</loc>"),
    "a bracket in an attribute": page(LOC.replace("<loc", "<loc a='<'")),
    "the end of a section": page("<loc>https://example.com/]]></loc>"),
    "a section that never ends": page("<loc><![CDATA[https://example.com/b</loc>"),
    "an invalid name": page("<1/>" + LOC),
    "no name": page("<>" + LOC),
    "a declaration of markup": page("<!ELEMENT a>" + LOC),
    "the entry's start tag without its end": "<url " + LOC + "</url>",
    "the end of the root": page("<loc>https://example.com/</urlset>"),
}


@pytest.mark.parametrize("size", [None, 1, 7])
@pytest.mark.parametrize("fault", LOST)
def test_a_fault_in_an_entry_costs_the_entry(fault: str, size: int | None) -> None:
    document = read_with(LOST[fault], size)
    urls, problems = found(document)
    assert urls == ["a", "z"]
    assert ("broken-entry", 3) in problems
    assert document.counts["broken-entry"] == 1
    assert document.outcome is Outcome.OK


KEPT = {
    "a stray end tag": ("</b>", "stray-tag"),
    "a stray end tag of a leaf": ("</loc>", "stray-tag"),
    "a stray end tag of an entry": ("</url>", "stray-tag"),
    "a stray end tag of a root": ("</sitemapindex>", "stray-tag"),
    "a bracket": ("<", "bad-markup"),
    "a bracket and a blank": ("1 < 2", "bad-markup"),
    "two brackets": ("<<", "bad-markup"),
    "a start tag without its end": ("<a", "bad-markup"),
    "a start tag whose quote never ends": ("<a b='>", "bad-markup"),
    "a repeated attribute": ("<a b='' b=''/>", "bad-markup"),
    "the end of a section": ("]]>", "bad-markup"),
    "a declaration of markup": ("<!ELEMENT a>", "bad-markup"),
    "an unknown element that never ends": ("<a>", "unknown-element"),
}


@pytest.mark.parametrize("size", [None, 1, 7])
@pytest.mark.parametrize("fault", KEPT)
def test_a_fault_between_entries_costs_nothing(fault: str, size: int | None) -> None:
    content, code = KEPT[fault]
    for put in (content, content + "\n", "\n" + content):
        document = read_with(put, size)
        urls, problems = found(document)
        assert urls == ["a", "z"]
        assert {met for met, _ in problems} <= {code, "stray-text"}
        # A quote that never ends is met at the next tag: there markup within an attribute stops expat.
        assert problems[0][1] in ((4, 5) if "quote" in fault else (3, 4))
        assert document.outcome is Outcome.OK


def test_a_root_that_ends_within_an_entry_is_ended() -> None:
    urls, problems = found(read_text(URLSET + "<url></urlset>\n<a/><url><loc>https://example.com/b</loc></url>"))
    assert urls == ["b"]
    assert problems[0] == ("broken-entry", 1)


def test_lines_stay_true_behind_faults() -> None:
    parts = [
        page("<loc>\n</lo>"),
        "<url>\n<loc>https://example.com/b</loc></url>",
        "</a>",
        page("\n<b c=d>\n"),
        "<url>\n<loc>https://example.com/c</loc></url>",
        "\n<",
        "<d>\n</e>",
    ]
    for size in (None, 1, 7, 30):
        document = read_with("\n".join(parts), size)
        codes = ["broken-entry", "stray-tag", "broken-entry", "bad-markup", "unknown-element", "stray-tag"]
        assert found(document)[1] == list(zip(codes, [3, 7, 8, 14, 15, 16], strict=True))
        assert [row.line for row in document.rows] == [2, 5, 11, 17]


def test_what_is_open_stays_open_behind_a_fault() -> None:
    document = read_with("<urlset></a><url><loc>https://example.com/b</loc></url></urlset>")
    assert found(document) == (["a", "b", "z"], [("nested-root", 3), ("stray-tag", 3)])


def test_too_many_faults_end_the_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(push, "_FAULTS", 10)
    document = read_with("</a>" * 10)
    assert document.urls == ["https://example.com/a", "https://example.com/z"]
    document = read_with("</a>" * 11)
    assert document.counts["too-many-faults"] == 1
    assert document.outcome is Outcome.TRUNCATED
    assert document.urls == ["https://example.com/a"]


@pytest.mark.parametrize("start", ["<url a='", "<a b='", "<", "</", "<a "])
def test_a_tag_too_long_to_be_held_costs_no_neighbour(start: str) -> None:
    document = read_with(start + "b" * (2 * TOKEN), 60_000)
    assert document.urls == ["https://example.com/a", "https://example.com/z"]
    assert {problem.line for problem in document.problems} == {3}


@pytest.mark.parametrize("name", ["a", "urlset"])
def test_elements_too_deep_cost_no_neighbour(name: str) -> None:
    document = read_with(f"<{name}>" * (DEPTH + 10) + f"</{name}>" * (DEPTH + 10))
    assert document.urls == ["https://example.com/a", "https://example.com/z"]


def test_elements_too_deep_in_an_entry_cost_the_entry() -> None:
    document = read_with(page(LOC + "<a>" * (DEPTH + 10) + "</a>" * (DEPTH + 10)))
    assert document.urls == ["https://example.com/a", "https://example.com/z"]
    assert document.counts["broken-entry"] == 1


@pytest.mark.parametrize(
    "end", ["", "<", "</", "</url", "<url", "<url><loc>https://example.com/b", "<a b='", "<!", "<!--", "&"]
)
def test_the_end_may_come_anywhere(end: str) -> None:
    for size in (None, 1):
        document = read_text(BEFORE + end, size)
        assert document.urls == ["https://example.com/a"]
        assert document.outcome is (Outcome.TRUNCATED if "<" in end else Outcome.OK)
        assert ("truncated-document" in document.counts) == ("<" in end)
