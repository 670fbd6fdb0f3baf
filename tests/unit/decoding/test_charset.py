import codecs

import pytest

from tests.unit.decoding.bodies import URL, cut, decode
from usp.decoding import labels
from usp.decoding.charset import HEAD, SurrogateFilter, TextDecoder, charset_of
from usp.decoding.labels import codec_of
from usp.problems import ProblemLog, Problems

TEXT = "<urlset><url><loc>https://example.com/café/日本</loc></url></urlset>"
LATIN = "<urlset><url><loc>https://example.com/café</loc></url></urlset>"
QUIET = Problems()


def declared_as(encoding: str, text: str = LATIN) -> str:
    return f'<?xml version="1.0" encoding="{encoding}"?>\n{text}'


def codes(problems: Problems) -> list[str]:
    return [problem.code for problem in problems]


class TestOrder:
    def test_utf_8_is_assumed(self) -> None:
        assert decode(TEXT.encode()) == (TEXT, QUIET)

    def test_content_type_counts_where_nothing_else_does(self) -> None:
        assert decode(LATIN.encode("latin-1"), "ISO-8859-1") == (LATIN, QUIET)

    def test_the_declaration_beats_content_type(self) -> None:
        text = declared_as("windows-1252")
        assert decode(text.encode("cp1252"), "utf-8") == (text, QUIET)

    @pytest.mark.parametrize("bom", ["\ufeff", "\ufeff\ufeff"])
    @pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
    def test_a_bom_decides_and_is_no_text(self, codec: str, bom: str) -> None:
        assert decode((bom + TEXT).encode(codec)) == (TEXT, QUIET)

    @pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
    @pytest.mark.parametrize("text", [TEXT, "\r\n" + TEXT, "https://example.com/日本\n", "ab"])
    def test_zero_bytes_tell_utf_16_and_utf_32(self, codec: str, text: str) -> None:
        assert decode(text.encode(codec)) == (text, QUIET)

    @pytest.mark.parametrize(
        ("codec", "label"), [("utf-16-le", "UTF-16"), ("utf-16-be", "utf-16be"), ("utf-32-be", "UCS-4")]
    )
    def test_a_declaration_in_utf_16_or_utf_32_agrees_with_its_bytes(self, codec: str, label: str) -> None:
        text = declared_as(label, TEXT)
        assert decode(text.encode(codec)) == (text, QUIET)
        assert decode(("\ufeff" + text).encode(codec)) == (text, QUIET)

    @pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
    def test_content_type_helps_where_the_first_character_is_not_ascii(self, codec: str) -> None:
        text = "日本 https://example.com/\n"
        assert decode(text.encode(codec), "utf-16") == (text, QUIET)
        assert decode(text.encode(codec), codec) == (text, QUIET)


class TestContradiction:
    @pytest.mark.parametrize(
        ("data", "declared", "text"),
        [
            (codecs.BOM_UTF8 + declared_as("ISO-8859-1").encode(), None, declared_as("ISO-8859-1")),
            (codecs.BOM_UTF8 + TEXT.encode(), "iso-8859-1", TEXT),
            (declared_as("UTF-8").encode("utf-16"), None, declared_as("UTF-8")),
            (declared_as("UTF-8").encode("utf-16-le"), None, declared_as("UTF-8")),
            (declared_as("UTF-16BE").encode("utf-16-le"), None, declared_as("UTF-16BE")),
            (declared_as("UTF-16").encode(), None, declared_as("UTF-16")),
            (declared_as("UTF-32").encode(), "utf-32", declared_as("UTF-32")),
            (TEXT.encode(), "utf-16le", TEXT),
        ],
    )
    def test_the_bytes_win(self, data: bytes, declared: str | None, text: str) -> None:
        decoded, problems = decode(data, declared)
        assert (decoded, codes(problems)) == (text, ["charset-contradiction"])

    def test_an_unknown_label_contradicts_no_bom(self) -> None:
        text = declared_as("utf8mb4")
        assert decode(codecs.BOM_UTF8 + text.encode()) == (text, QUIET)


class TestLabels:
    @pytest.mark.parametrize(
        "label", ["utf8mb4", "rot13", "idna", "zlib", "punycode", "base64", "utf-7", "unicode_escape", "mbcs", "x", "%"]
    )
    def test_what_is_no_charset_of_documents_is_read_as_utf_8(self, label: str) -> None:
        text = declared_as(label, TEXT)
        for data, declared, expected in ((text.encode(), None, text), (TEXT.encode(), label, TEXT)):
            decoded, problems = decode(data, declared)
            assert (decoded, codes(problems)) == (expected, ["unknown-charset"])
            assert problems[0].detail == label

    @pytest.mark.parametrize("label", ["", " ", None])
    def test_no_label_is_no_problem(self, label: str | None) -> None:
        assert decode(TEXT.encode(), label and label.strip()) == (TEXT, QUIET)
        text = declared_as(label or "", TEXT)
        assert decode(text.encode()) == (text, QUIET)

    @pytest.mark.parametrize("label", ["UTF-8", "utf8", "Utf_8", " utf-8 ", "us-ascii", "ANSI_X3.4-1968"])
    def test_utf_8_has_many_names(self, label: str) -> None:
        assert decode(TEXT.encode(), label) == (TEXT, QUIET)

    @pytest.mark.parametrize("label", ["iso-8859-1", "ISO8859_1", "latin1", "windows-1252", "cp1252"])
    def test_latin_1_means_windows_1252(self, label: str) -> None:
        assert decode(b"\x80 \x93quoted\x94 \xe9", label) == ("€ “quoted” é", QUIET)

    @pytest.mark.parametrize(
        ("label", "codec", "text"),
        [
            ("windows-1251", "cp1251", "страница"),
            ("KOI8-R", "koi8-r", "страница"),
            ("iso-8859-2", "iso8859-2", "łódź"),
            ("iso-8859-9", "cp1254", "ığş"),
            ("ISO-8859-15", "iso8859-15", "€é"),
            ("Shift_JIS", "cp932", "日本①"),
            ("x-sjis", "cp932", "日本"),
            ("euc-jp", "euc-jp", "日本"),
            ("gb2312", "gbk", "镕中国"),
            ("GBK", "gb18030", "中国"),
            ("Big5", "big5", "中國"),
            ("EUC-KR", "cp949", "한국똠"),
            ("tis-620", "cp874", "ไทย"),
        ],
    )
    def test_charsets_of_the_web_are_known(self, label: str, codec: str, text: str) -> None:
        document = declared_as(label, f"<urlset><!-- {text} --></urlset>")
        assert decode(document.encode(codec)) == (document, QUIET)

    def test_every_codec_of_the_table_exists_and_each_label_stands_once(self) -> None:
        every = [label for names in labels._LABELS.values() for label in names.split()]
        assert len(every) == len(set(every))
        for codec in labels._LABELS:
            assert codecs.lookup(codec)._is_text_encoding
        assert all(codec_of(codec) == codec for codec in labels._LABELS)


class TestDeclaration:
    @pytest.mark.parametrize(
        "before", ["", "\n", " \t\r\n", "<br />\n<b>Warning</b>: something in x.php on line 3<br />\n", "<!-- é -->\n"]
    )
    def test_is_found_after_junk(self, before: str) -> None:
        text = before + declared_as("windows-1252")
        assert decode(text.encode("cp1252")) == (text, QUIET)

    @pytest.mark.parametrize(
        "declaration",
        [
            "<?xml version='1.0' encoding='windows-1252'?>",
            '<?xml version="1.0"\n\tencoding = "windows-1252" standalone="yes" ?>',
            '<?xml encoding="windows-1252">',
            '<?XML VERSION="1.0" ENCODING="WINDOWS-1252"?>',
        ],
    )
    def test_is_read_in_every_spelling(self, declaration: str) -> None:
        text = declaration + LATIN
        assert decode(text.encode("cp1252")) == (text, QUIET)

    @pytest.mark.parametrize(
        "text",
        [
            '<?xml-stylesheet encoding="windows-1252"?>' + TEXT,
            '<?xml version="1.0"?><urlset encoding="windows-1252">' + TEXT,
            '<!-- <?xml version="1.0" encoding="windows-1252"?> -->' + TEXT,
            '<?xml version="1.0" xencoding="windows-1252"?>' + TEXT,
            "<urlset>" + " " * HEAD + declared_as("windows-1252", TEXT),
        ],
    )
    def test_is_nothing_else(self, text: str) -> None:
        assert decode(text.encode()) == (text, QUIET)


class TestInvalidBytes:
    def test_are_replaced_with_one_note_of_the_first_line(self) -> None:
        text, problems = decode(b"<a>\n" * 500 + b"\xff\n\xc3(\n\xff")
        assert text == "<a>\n" * 500 + "\ufffd\n\ufffd(\n\ufffd"
        assert [(problem.code, problem.detail, problem.line) for problem in problems] == [
            ("invalid-bytes", "utf-8", 501)
        ]

    def test_at_the_very_end_are_replaced_too(self) -> None:
        for data, declared in (("café".encode()[:-1], None), ("caf日".encode("utf-16-le")[:-1], "utf-16")):
            text, problems = decode(data, declared)
            assert text == "caf\ufffd"
            assert codes(problems) == ["invalid-bytes"]

    def test_undefined_in_a_charset_are_replaced(self) -> None:
        text, problems = decode(b"\x81 \x8d \xe9", "latin1")
        assert text == "\ufffd \ufffd é"
        assert [(problem.code, problem.detail) for problem in problems] == [("invalid-bytes", "cp1252")]

    def test_surrogates_in_utf_8_are_invalid(self) -> None:
        text, problems = decode(b"a\xed\xa0\xbd\xed\xb8\x80b")
        assert text == "a" + "\ufffd" * 6 + "b"
        assert codes(problems) == ["invalid-bytes"]

    def test_a_replacement_character_of_the_site_is_valid(self) -> None:
        assert decode("caf\ufffd".encode()) == ("caf\ufffd", QUIET)
        text, problems = decode("\ufffd\n".encode() * 1000 + b"\n\xff")
        assert (text.count("\ufffd"), problems[0].line) == (1001, 1002)

    def test_what_follows_is_decoded(self) -> None:
        text, problems = decode(cut(b"\xff" + TEXT.encode() * 100, 7))
        assert (text, len(problems)) == ("\ufffd" + TEXT * 100, 1)


def test_nothing_is_nothing() -> None:
    for declared in (None, "utf-16", "utf8mb4"):
        assert decode(b"", declared) == ("", QUIET)
    assert decode(codecs.BOM_UTF8) == ("", QUIET)


def test_text_comes_as_soon_as_the_charset_is_known() -> None:
    decoder = TextDecoder(None, ProblemLog(URL))
    assert decoder.feed(b"a" * (HEAD - 1)) == ""
    assert decoder.feed(b"b") == "a" * (HEAD - 1) + "b"
    assert decoder.feed(b"c\xc3") == "c"
    assert decoder.feed(b"\xa9") == "é"
    assert decoder.close() == ""


@pytest.mark.parametrize(
    ("content_type", "charset"),
    [
        (None, None),
        ("", None),
        ("text/xml", None),
        ("text/xml; charset=UTF-8", "UTF-8"),
        ('text/xml;charset="utf-8"', "utf-8"),
        ("text/xml; Charset = 'utf-8' ; version=1", "utf-8"),
        ("text/xml; version=1;charset=latin1", "latin1"),
        ("text/xml charset=utf-8", "utf-8"),
        ("charset=utf-8", "utf-8"),
        ("text/xml; charset=utf-8, text/html; charset=latin1", "utf-8"),
        ("text/xml; charset=", None),
        ("text/xml; xcharset=utf-8", None),
        ("text/xml; charset" + " " * 100_000, None),
    ],
)
def test_charset_of_a_content_type(content_type: str | None, charset: str | None) -> None:
    assert charset_of(content_type) == charset


def without_surrogates(text: str, log: ProblemLog, size: int = 64) -> str:
    surrogates = SurrogateFilter(log)
    pieces = [surrogates.feed(text[start : start + size]) for start in range(0, len(text), size)]
    return "".join(pieces) + surrogates.close()


class TestCallersText:
    @pytest.mark.parametrize("text", ["", "ascii", TEXT, "😀", "\ufffd"])
    def test_without_surrogates_stays_as_it_is(self, text: str) -> None:
        log = ProblemLog(URL)
        assert without_surrogates(text, log) == text
        assert log.problems() == QUIET

    @pytest.mark.parametrize("size", [1, 2, 64])
    def test_gets_a_replacement_for_each_lone_surrogate(self, size: int) -> None:
        log = ProblemLog(URL)
        assert without_surrogates("é\n\nx\udc80y\ud800", log, size) == "é\n\nx\ufffdy\ufffd"
        assert [(problem.code, problem.line) for problem in log.problems()] == [("lone-surrogate", 3)]

    @pytest.mark.parametrize("size", [1, 2, 64])
    def test_gets_the_character_of_two_halves(self, size: int) -> None:
        assert without_surrogates("\ud83d\ude00 \ude00\ud83d", ProblemLog(URL), size) == "😀 \ufffd\ufffd"
