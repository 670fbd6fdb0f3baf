"""What the cleaner makes of text that is not well-formed, and what it says about it."""

import pytest

from usp.formats.clean import Cleaner
from usp.limits import TOKEN
from usp.problems import ProblemLog


def clean(text: str) -> tuple[str, list[tuple[str, int | None]]]:
    """The text as expat gets it, and each problem's code and line."""
    cleaner = Cleaner(ProblemLog("https://example.com/"))
    content = (cleaner.feed(text) + cleaner.close()).decode()
    return content, [(problem.code, problem.line) for problem in cleaner.log.problems()]


class TestReferences:
    @pytest.mark.parametrize(
        "text", ["&amp;", "&lt;&gt;&quot;&apos;", "&#65;", "&#x41;", "&#x10FFFF;", "&#9;&#10;&#13;", "a;b", "&amp;amp;"]
    )
    def test_of_xml_stay(self, text: str) -> None:
        assert clean(text) == (text, [])

    @pytest.mark.parametrize(
        ("text", "cleaned"),
        [
            ("&", "&amp;"),
            ("a&b=c", "a&amp;b=c"),
            ("&&", "&amp;&amp;"),
            ("&;", "&amp;;"),
            ("& amp;", "&amp; amp;"),
            ("&copy=1", "&amp;copy=1"),
            ("&bogus;", "&amp;bogus;"),
            ("&AMPERSAND;", "&amp;AMPERSAND;"),
            ("&#;", "&amp;#;"),
            ("&#x;", "&amp;#x;"),
            ("&#x4G;", "&amp;#x4G;"),
            ("&#65", "&amp;#65"),
            ("&amp", "&amp;amp"),
            ("&&amp;", "&amp;&amp;"),
        ],
    )
    def test_that_are_none_are_escaped(self, text: str, cleaned: str) -> None:
        assert clean("\n" + text) == ("\n" + cleaned, [("bare-ampersand", 2)] * text.replace("&amp;", "").count("&"))

    @pytest.mark.parametrize(
        ("text", "cleaned"), [("&eacute;", "&#233;"), ("&nbsp;", "&#160;"), ("&NotEqualTilde;", "&#8770;&#824;")]
    )
    def test_of_html_become_numbers(self, text: str, cleaned: str) -> None:
        assert clean(text) == (cleaned, [("html-entity", 1)])

    @pytest.mark.parametrize("text", ["&#0;", "&#1;", "&#xD800;", "&#xFFFE;", "&#x110000;", "&#9999999999;"])
    def test_to_no_character_become_the_replacement(self, text: str) -> None:
        assert clean(text) == ("\ufffd", [("invalid-reference", 1)])

    def test_hexadecimal_ones_are_written_as_xml_wants_them(self) -> None:
        assert clean("&#X41;") == ("&#x41;", [])

    def test_are_left_alone_in_sections(self) -> None:
        assert clean("<![CDATA[a&b&eacute;]]>&") == ("<![CDATA[a&b&eacute;]]>&amp;", [("bare-ampersand", 1)])

    def test_have_the_lines_on_which_they_stand(self) -> None:
        assert clean("&\n\n&<!--\n-->\n&\n<![CDATA[\n]]>&")[1] == [("bare-ampersand", line) for line in (1, 3, 5, 7)]


class TestCharacters:
    @pytest.mark.parametrize("character", ["\x00", "\x08", "\x0b", "\x1f", "\ufffe", "\uffff"])
    def test_that_xml_forbids_are_taken_out_with_one_note(self, character: str) -> None:
        assert clean(f"a\n{character}b{character}") == ("a\nb", [("invalid-character", 2)])

    def test_of_the_first_the_line_is_given(self) -> None:
        assert clean("\x01\n\ufffe")[1] == clean("\ufffe\n\x01")[1] == [("invalid-character", 1)]

    @pytest.mark.parametrize("character", ["\t", "\x7f", "\x85", "\u2028", "\ufdd0", "\U0001f600", "\U0010ffff"])
    def test_that_xml_allows_stay(self, character: str) -> None:
        assert clean(character) == (character, [])


class TestDeclarations:
    def test_at_the_start_are_left_out_without_a_word(self) -> None:
        assert clean('<?xml version="1.0"?>\n<a/>') == ("\n<a/>", [])

    @pytest.mark.parametrize("before", [" ", "\n", "<!-- a -->", "a", "<?a?>"])
    def test_behind_something_are_late(self, before: str) -> None:
        assert clean(before + "<?xml version='1.0'?><a/>")[1] == [("late-declaration", 1 + before.count("\n"))]

    def test_are_counted(self) -> None:
        assert clean("<?xml?>\n<?XML?>\n<?xml?>") == (
            "\n\n",
            [("repeated-declaration", 2), ("repeated-declaration", 3)],
        )

    def test_may_end_like_a_tag(self) -> None:
        assert clean("<?xml version='1.0'><a/>") == ("<a/>", [])

    @pytest.mark.parametrize("name", ["xml-stylesheet", "xmlfoo", "xm", "x"])
    def test_are_told_from_other_instructions(self, name: str) -> None:
        assert clean(f"<?{name} a='>'?><a/>") == ("<a/>", [])


class TestDoctypes:
    @pytest.mark.parametrize(
        "doctype",
        [
            "<!DOCTYPE a>",
            "<!doctype html>",
            '<!DOCTYPE a PUBLIC "-//a>b//" "http://[">',
            "<!DOCTYPE a SYSTEM '\">'>",
        ],
    )
    def test_without_a_subset_are_left_out(self, doctype: str) -> None:
        assert clean(doctype + "\n<a/>") == ("\n<a/>", [("doctype", 1)])

    @pytest.mark.parametrize(
        "doctype",
        [
            "<!DOCTYPE a [<!ENTITY b 'c'>]>",
            "<!DOCTYPE a []>",
            "<!DoCtYpE\n[",
            '<!DOCTYPE a PUBLIC "b" "c" [<!ELEMENT a EMPTY>]>',
            "<!DOCTYPE " + "a" * 70_000,
        ],
    )
    def test_that_declare_anything_end_the_document(self, doctype: str) -> None:
        cleaner = Cleaner(ProblemLog("https://example.com/"))
        assert cleaner.feed("<a>" + doctype) + cleaner.feed("<b/>") + cleaner.close() in (b"<a>", b"")
        assert cleaner.refused
        assert cleaner.log.problems().counts == {"doctype-declares": 1}

    def test_in_comments_and_sections_are_none(self) -> None:
        assert clean("<!-- <!DOCTYPE a [ --><![CDATA[<!DOCTYPE a []]>")[1] == []


class TestSections:
    @pytest.mark.parametrize(
        "text", ["<![CDATA[]]>", "<![CDATA[</url>]]>", "<![CDATA[<![CDATA[]]>", "<![CDATA[a]]b>]]>"]
    )
    def test_that_end_stay(self, text: str) -> None:
        assert clean(text) == (text, [])

    def test_that_run_into_the_next_entry_are_broken_off(self) -> None:
        content, _ = clean("<url><loc><![CDATA[a</loc></url><url><loc><![CDATA[b]]></loc></url>")
        assert content == "<url><loc><!;a</loc></url><url><loc><![CDATA[b]]></loc></url>"

    def test_at_the_end_of_the_text_are_unfinished(self) -> None:
        cleaner = Cleaner(ProblemLog("https://example.com/"))
        assert cleaner.feed("<loc><![CDATA[a") == b"<loc>"
        assert cleaner.close().startswith(b"<![CDATA[")
        assert cleaner.unfinished

    def test_too_long_to_be_held_pass_in_parts(self) -> None:
        cleaner = Cleaner(ProblemLog("https://example.com/"))
        text = "<![CDATA[" + "a&b" * TOKEN + "]]>"
        parts = [cleaner.feed(text[start : start + 50_000]) for start in range(0, len(text), 50_000)]
        assert b"".join([*parts, cleaner.close()]) == text.encode()
        assert max(map(len, parts)) < 2 * TOKEN


class TestComments:
    @pytest.mark.parametrize(
        "comment", ["<!---->", "<!-- a - b -->", "<!-- -- -->", "<!--->-->", "<!-- <url> ]]> & -->", "<?a?>"]
    )
    def test_are_left_out(self, comment: str) -> None:
        assert clean(f"<a>{comment}</a>") == ("<a></a>", [])

    @pytest.mark.parametrize("start", ["<!--", "<?a", "<!DOCTYPE a '"])
    def test_that_never_end_are_unfinished(self, start: str) -> None:
        cleaner = Cleaner(ProblemLog("https://example.com/"))
        assert cleaner.feed("<a>" + start + "<b></b>") + cleaner.close() == b"<a>"
        assert cleaner.unfinished
