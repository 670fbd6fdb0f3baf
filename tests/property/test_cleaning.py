"""Cleaning changes nothing that is well-formed, and gives the same for any split of the text."""

import re
from collections.abc import Iterable
from typing import NamedTuple
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from hypothesis import given
from hypothesis import strategies as st

from tests.property.documents import IN_URLSET, SOUP, TEXTS
from usp.formats.clean import Cleaner
from usp.problems import Problem, ProblemLog

CHARACTERS = st.characters(
    exclude_categories=["Cs", "Cc"], include_characters="\t\n", exclude_characters="\ufffe\uffff"
)
WORDS = st.text(CHARACTERS, max_size=12)
NAMES = st.sampled_from(["url", "loc", "image:loc", "a", "B", "x-y.z", "é"])
REFERENCES = st.sampled_from(["&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#38;", "&#10;", "&#x1F600;", "&#xfffd;"])
SECTIONS = WORDS.filter(lambda words: "]]>" not in words and not words.endswith("]")).map("<![CDATA[{}]]>".format)
ATTRIBUTES = st.dictionaries(NAMES, WORDS.map(quoteattr), max_size=2).map(
    lambda attributes: "".join(f" {name}={value}" for name, value in attributes.items())
)
LEAVES = st.one_of(WORDS.map(escape), REFERENCES, SECTIONS)
ASIDES = st.one_of(
    WORDS.map(lambda words: f"<!--{words.replace('-', '+')}-->"),
    st.tuples(NAMES.filter(lambda name: ":" not in name), WORDS).map(
        lambda said: f"<?{said[0]} {said[1].replace('?>', '')}?>"
    ),
)


def element(parts: tuple[str, str, list[str]]) -> str:
    name, attributes, content = parts
    return f"<{name}{attributes}>{''.join(content)}</{name}>" if content else f"<{name}{attributes}/>"


def elements(leaves: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Well-formed documents without declarations."""
    content = st.recursive(
        leaves, lambda inner: st.tuples(NAMES, ATTRIBUTES, st.lists(inner, max_size=4)).map(element), max_leaves=12
    )
    return st.lists(content, max_size=6).map(lambda parts: f"<urlset>{''.join(parts)}</urlset>")


class Cleaned(NamedTuple):
    content: bytes
    problems: list[Problem]
    line: int
    refused: bool
    unfinished: bool


def clean(text: str, size: int | None = None) -> Cleaned:
    cleaner = Cleaner(ProblemLog("https://example.com/"))
    size = size or len(text) or 1
    content = b"".join([cleaner.feed(text[start : start + size]) for start in range(0, len(text), size)])
    content += cleaner.close()
    return Cleaned(content, list(cleaner.log.problems()), cleaner.line, cleaner.refused, cleaner.unfinished)


def events(content: bytes) -> Iterable[tuple[object, ...]]:
    """What expat says of a document, each start of an element with its line; the texts between two of them joined."""
    said: list[tuple[object, ...]] = []
    texts: list[str] = []
    parser = expat.ParserCreate("utf-8")

    def tell(*event: object) -> None:
        said.extend([("text", "".join(texts)), event])
        texts.clear()

    parser.StartElementHandler = lambda name, attributes: tell(name, attributes, parser.CurrentLineNumber)
    parser.EndElementHandler = lambda name: tell("end", name)
    parser.CharacterDataHandler = texts.append
    parser.Parse(content, True)
    return said


@given(elements(LEAVES), st.sampled_from([None, 1, 2, 7]))
def test_well_formed_content_passes_as_it_is(text: str, size: int | None) -> None:
    assert clean(text, size) == Cleaned(text.encode(), [], 1 + text.count("\n"), refused=False, unfinished=False)


@given(elements(LEAVES | ASIDES), st.sampled_from([None, 1, 2, 7]))
def test_comments_and_instructions_change_nothing_of_what_expat_says(text: str, size: int | None) -> None:
    cleaned = clean(text, size)
    assert events(cleaned.content) == events(text.encode())
    assert cleaned.problems == []


@given(TEXTS, st.sampled_from([1, 2, 7, 16]))
def test_any_split_of_the_text_is_cleaned_alike(text: str, size: int) -> None:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    assert without_comments(clean(text, size)) == without_comments(clean(text))


def without_comments(cleaned: Cleaned) -> Cleaned:
    """Line breaks that were left out with what was around them stand in comments: in one, or in several."""
    return cleaned._replace(content=re.sub(rb"<!--(\n*)-->", rb"\1", cleaned.content))


@given(SOUP | IN_URLSET)
def test_line_breaks_are_neither_added_nor_taken_away(text: str) -> None:
    text = text.replace("\r", "\n")
    cleaned = clean(text)
    assert cleaned.refused or cleaned.content.count(b"\n") == text.count("\n")


@given(SOUP | IN_URLSET)
def test_no_declaration_and_no_forbidden_character_is_left(text: str) -> None:
    content = clean(text.replace("\r", "\n")).content.decode()
    assert not any(character < " " and character not in "\t\n" for character in content)
    assert not any(character in content for character in "\ufffe\uffff")
