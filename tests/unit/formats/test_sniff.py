"""What a text is told to be, and where it is said to begin."""

import pytest

from usp.decoding.sniff import Form, sniff
from usp.limits import SNIFF

ROOTS = ["<urlset>", "<sitemapindex ", "<rss\n", "<rdf:RDF>", "<feed/", "<ns0:urlset ", "<URLSET>", "<x-1.y:feed>"]


def form_of(text: str) -> Form:
    sniffed = sniff(text, final=True)
    assert sniffed is not None
    return sniffed.form


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("before", ["", " \r\n", "\ufeff\ufeff", "<?xml version='1.0'?>", "<!-- a -->", "<?a b?>\n"])
def test_a_known_root_is_xml_from_the_start(root: str, before: str) -> None:
    sniffed = sniff(before + root, final=False)
    assert sniffed is not None
    assert (sniffed.form, sniffed.known) == (Form.XML, True)
    assert (before + root)[: sniffed.start].strip(" \r\n\ufeff") == ""


@pytest.mark.parametrize("junk", ["Warning: x\n", "<br />\n<b>Warning</b>: x", "{}", "a < b\n"])
@pytest.mark.parametrize("document", ["<?xml version='1.0'?><urlset>", "<!DOCTYPE a><urlset>", "<urlset>\n<url>"])
def test_junk_before_a_document_is_left_out(junk: str, document: str) -> None:
    sniffed = sniff(junk + document, final=False)
    assert sniffed == (Form.XML, len(junk), True)


@pytest.mark.parametrize(
    "text",
    [
        "<!DOCTYPE html><p>",
        "<!doctype HTML>",
        " \n<html>",
        "<html lang='en'>",
        "<head>",
        "<p><body>",
        "<!-- a --><html><!-- <urlset> -->",
        "<html><body><pre><urlset></pre>",
    ],
)
def test_an_html_page_is_html(text: str) -> None:
    assert form_of(text) is Form.HTML


@pytest.mark.parametrize("text", ["<a>", "<urlsets>", "<?php ?>", "<", "<div>", "<!-- <urlset> -->"])
def test_other_markup_is_xml_of_no_known_kind(text: str) -> None:
    sniffed = sniff(text, final=True)
    assert sniffed is not None
    assert (sniffed.form, sniffed.known) == (Form.XML, False)


@pytest.mark.parametrize("text", ["https://example.com/", "User-agent: *", "a <b>", "urlset", "{}", "\x00", "- <a>"])
def test_the_rest_is_text(text: str) -> None:
    assert form_of(text) is Form.TEXT


@pytest.mark.parametrize("text", ["", " ", "\n\t\r", "\ufeff", "\ufeff \ufeff", "\u2028\xa0"])
def test_white_space_is_nothing(text: str) -> None:
    assert form_of(text) is Form.EMPTY
    assert sniff(text, final=False) is None


@pytest.mark.parametrize("text", ["", "<", "<url", "<a>", "https://example.com/", "<?xml version='1.0'?>", "<html"])
def test_more_is_wanted_until_a_root_or_the_bound_is_met(text: str) -> None:
    assert sniff(text, final=False) is None
    assert sniff(text.ljust(SNIFF), final=False) == sniff(text.ljust(SNIFF), final=True)


@pytest.mark.parametrize("before", [0, SNIFF - 20, SNIFF - 8, SNIFF, 2 * SNIFF])
def test_only_the_first_part_is_searched_whatever_follows(before: int) -> None:
    text = "warning\n".ljust(before) + "<urlset>"
    expected = Form.XML if len(text) <= SNIFF else Form.TEXT
    assert form_of(text) is form_of(text + " " * SNIFF) is expected


@pytest.mark.parametrize("length", range(1, 60))
def test_what_is_said_of_a_part_holds_for_the_whole(length: int) -> None:
    for text in ("<!-- <urlset> --><html><body><urlset>", "<?a <urlset> ?><feed>", "x<!DOCTYPE html>\n<?xml?><rss>"):
        early = sniff(text[:length], final=False)
        assert early is None or early == sniff(text, final=True)
