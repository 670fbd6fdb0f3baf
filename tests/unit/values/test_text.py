import html
import sys
from html.entities import html5

import pytest
from hypothesis import given
from hypothesis import strategies as st

from usp.values.text import (
    REPLACEMENT,
    decode_references,
    entity,
    html_unescape_strip,
    is_xml_character,
    split_list,
)


@pytest.mark.parametrize(
    ("text", "decoded"),
    [
        ("", ""),
        ("plain", "plain"),
        ("&amp;", "&"),
        ("&lt;b&gt;&quot;&apos;", "<b>\"'"),
        ("&#38;&#038;&#x26;&#X26;&#x000026;", "&&&&&"),
        ("&nbsp;", "\u00a0"),
        ("caf&eacute; &Eacute; &hearts;", "café É ♥"),
        ("&NotEqualTilde;", "\u2242\u0338"),
        ("&CounterClockwiseContourIntegral;", "\u2233"),
        ("&#128169;&#x1F4A9;", "\N{PILE OF POO}\N{PILE OF POO}"),
        ("&#9;&#10;&#13;", "\t\n\r"),
        ("&#x10FFFF;", "\U0010ffff"),
        # once, never twice
        ("&amp;amp;", "&amp;"),
        ("&amp;#38;", "&#38;"),
        ("&#38;lt;", "&lt;"),
        ("&&amp;;", "&&;"),
        # not closed, unknown, or nothing like a reference
        ("?a=1&copy=2&lt=3&amp=4", "?a=1&copy=2&lt=3&amp=4"),
        ("&copy", "&copy"),
        ("&#38", "&#38"),
        ("&unheard; &AMPER; &Amp;", "&unheard; &AMPER; &Amp;"),
        ("& ; &; &#; &#x; &#xg; &#-1; &# 38; &amp ;", "& ; &; &#; &#x; &#xg; &#-1; &# 38; &amp ;"),
        ("AT&T; R&D", "AT&T; R&D"),
        ("&#٣;", "&#٣;"),
        # numbers of no valid XML character
        ("&#0;&#8;&#x1F;&#xD800;&#xDFFF;&#xFFFE;&#xFFFF;&#x110000;", REPLACEMENT * 8),
        ("&#99999999999999999999;&#xFFFFFFFFFFFF;", REPLACEMENT * 2),
        (f"&#{'9' * 5000};&#x{'f' * 5000};", REPLACEMENT * 2),
        (f"&#{'0' * 5000}38;", "&"),
    ],
)
def test_references_are_decoded_once_and_only_if_closed(text: str, decoded: str) -> None:
    assert decode_references(text) == decoded


@given(st.text())
def test_escaped_text_comes_back(text: str) -> None:
    assert decode_references(html.escape(text)) == text
    assert decode_references("".join(f"&#{ord(character)};" for character in text)) == "".join(
        character if is_xml_character(ord(character)) else REPLACEMENT for character in text
    )


@given(st.text() | st.text("&#x;0aAmpltcy19 "))
def test_no_text_raises(text: str) -> None:
    assert len(decode_references(text)) <= len(text)
    assert html_unescape_strip(text) != ""
    assert all(item == item.strip() != "" for item in split_list(text))


def test_every_entity_of_html_is_known() -> None:
    names = [name.removesuffix(";") for name in html5 if name.endswith(";")]
    assert len(names) > 2000
    for name in names:
        assert entity(name) == html5[name + ";"] == decode_references(f"&{name};")


@pytest.mark.parametrize("name", ["", "unheard", "amp;", "&amp", "#38", "AMPER"])
def test_other_names_are_no_entities(name: str) -> None:
    assert entity(name) is None


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (None, None),
        ("", None),
        (" \n\t\u00a0", None),
        ("&nbsp; ", None),
        (" a ", "a"),
        ("&lt;b&gt; &amp;amp; &#233;&copy ", "<b> &amp; é©"),
        (f" &#{'9' * 5000}; &amp; ", f"{REPLACEMENT} &"),
    ],
)
def test_html_is_unescaped_and_stripped(text: str | None, plain: str | None) -> None:
    assert html_unescape_strip(text) == plain


@pytest.mark.parametrize(
    ("words", "items"),
    [
        (None, []),
        ("", []),
        (" , ,", []),
        ("one", ["one"]),
        ("one, two words ,three", ["one", "two words", "three"]),
        ("NASDAQ:A, BOM:1\n,", ["NASDAQ:A", "BOM:1"]),
        ("one, one", ["one", "one"]),
    ],
)
def test_lists_are_split_at_commas(words: str | None, items: list[str]) -> None:
    assert split_list(words) == items


def test_xml_characters_are_those_of_its_definition() -> None:
    ranges = [(0x9, 0xA), (0xD, 0xD), (0x20, 0xD7FF), (0xE000, 0xFFFD), (0x10000, 0x10FFFF)]
    allowed = {code_point for first, last in ranges for code_point in range(first, last + 1)}
    assert {code_point for code_point in range(-1, sys.maxunicode + 3) if is_xml_character(code_point)} == allowed


@pytest.mark.parametrize("filling", ["&", "&#", "&#1", "&#x1", "&a", "&amp;", "1", "a;", ","])
def test_megabytes_are_no_trouble(filling: str) -> None:
    """Linear work takes a twentieth of a second; quadratic work would take hours."""
    long = filling * (1_000_000 // len(filling))
    for text in (long, "&#" + long, "&" + long):
        assert len(decode_references(text)) <= len(text)
    assert split_list(long) == ([] if filling == "," else [long])
