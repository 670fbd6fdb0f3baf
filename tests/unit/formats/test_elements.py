"""What elements come to mean in an entry, whatever stands in them and around them."""

import pytest

from tests.namespaces import NAMESPACES
from tests.property.documents import Said, read_text
from usp.formats.entries import PARTS_A_PAGE
from usp.limits import TOKEN
from usp.rows import Row

URL = "https://example.com/a"
LOC = f"<loc>{URL}</loc>"


def read_entry(content: str, size: int | None = None) -> Said:
    return read_text(f"<urlset {NAMESPACES}><url>{content}</url></urlset>", size)


def row_of(content: str) -> Row:
    """The row of an entry, the same for any split of the text."""
    (row,) = read_entry(content).rows
    assert read_entry(content, 1).rows == read_entry(content, 7).rows == [row]
    return row


class TestLeaves:
    @pytest.mark.parametrize(
        "written",
        [
            f"<loc>{URL}</loc>",
            f"<loc>\n\t {URL} \xa0\u3000</loc>",
            f"<loc><![CDATA[{URL}]]></loc>",
            f"<loc> <![CDATA[ {URL} ]]> </loc>",
            f"<loc>{URL[:9]}<![CDATA[{URL[9:12]}]]>{URL[12:]}</loc>",
            f"<loc>{URL[:9]}<!-- a -->{URL[9:]}</loc>",
            f"<loc>{URL[:9]}<?a b?>{URL[9:]}</loc>",
            f"<loc>&#104;{URL[1:]}</loc>",
            f"<loc a='b'>{URL}</loc>",
            f"<LOC>{URL}</LOC>",
            f"<loc></loc><loc/><loc> </loc><loc>{URL}</loc>",
        ],
    )
    def test_mean_their_text(self, written: str) -> None:
        assert row_of(written).url == URL

    def test_of_which_the_first_counts(self) -> None:
        document = read_entry(LOC + "<loc>https://example.com/b</loc><priority>1</priority><priority>0</priority>")
        assert [(row.url, row.priority) for row in document.rows] == [(URL, "1")]
        assert document.counts == {"repeated-field": 2}

    @pytest.mark.parametrize("inner", ["<lastmod>2024</lastmod>", "<a><lastmod>2024</lastmod></a>"])
    def test_count_where_they_belong_only(self, inner: str) -> None:
        assert row_of(LOC + f"<a>{inner}</a>").lastmod is None

    def test_within_a_leaf_are_none(self) -> None:
        document = read_entry(f"{LOC}<changefreq>daily<priority>1</priority></changefreq>")
        assert document.rows == [Row(URL, line=1)]
        assert document.counts == {"markup-in-value": 1}

    def test_with_markup_mean_nothing_that_somebody_wrote(self) -> None:
        document = read_entry(f"<loc>{URL[:9]}<b>not this</b>{URL[9:]}</loc>{LOC}")
        assert document.urls == [URL]
        assert document.counts == {"markup-in-value": 1}

    def test_of_extensions_never_fill_the_pages_fields(self) -> None:
        content = f"{LOC}<image:loc>b</image:loc><x:lastmod>1</x:lastmod><news:priority>1</news:priority>"
        assert row_of(content) == Row(URL, line=1)

    @pytest.mark.parametrize("section", ["{}", "<![CDATA[{}]]>"])
    def test_too_long_are_dropped(self, section: str) -> None:
        document = read_entry(f"{LOC}<lastmod>{section.format('a' * (TOKEN + 200_000))}</lastmod>", 50_000)
        assert document.rows == [Row(URL, line=1)]
        assert document.counts == {"long-value": 1}

    def test_just_short_enough_are_kept(self) -> None:
        row = read_entry(f"{LOC}<lastmod>{'a' * (TOKEN - 100_000)}</lastmod>", 50_000).rows[0]
        assert len(row.lastmod or "") == TOKEN - 100_000

    def test_references_in_sections_are_decoded_once(self) -> None:
        document = read_entry(f"<loc><![CDATA[{URL}?b&amp;c&amp;amp;d&bogus;&]]></loc>")
        assert document.urls == [URL + "?b&c&amp;d&bogus;&"]
        assert document.counts == {"reference-in-cdata": 1}

    def test_references_outside_of_sections_are_decoded_once(self) -> None:
        assert row_of(f"<loc>{URL}?b&amp;c&amp;amp;d</loc>").url == URL + "?b&c&amp;d"


class TestExtensions:
    def test_hang_on_their_page_in_order(self) -> None:
        images = "".join(
            f"<image:image><image:loc>https://example.com/{name}</image:loc></image:image>" for name in "bcd"
        )
        row = row_of(images + LOC)
        assert [image.loc for image in row.images or ()] == [f"https://example.com/{name}" for name in "bcd"]

    def test_within_another_are_none(self) -> None:
        row = row_of(
            LOC + "<image:image><image:loc>https://example.com/b</image:loc>"
            "<image:image><image:loc>https://example.com/c</image:loc></image:image></image:image>"
        )
        assert [image.loc for image in row.images or ()] == ["https://example.com/b"]

    @pytest.mark.parametrize("where", ["sitemap", "url"])
    def test_in_a_reference_are_no_extensions(self, where: str) -> None:
        content = (
            "<loc>https://example.com/b</loc><image:image><image:loc>https://example.com/i</image:loc></image:image>"
        )
        content += "<xhtml:link hreflang='de' href='https://example.com/de'/><news:news/><video:video/>"
        document = read_text(f"<sitemapindex {NAMESPACES}><{where}>{content}</{where}></sitemapindex>")
        assert len(document.references) + len(document.rows) == 1

    def test_of_one_page_are_bounded(self) -> None:
        link = "<xhtml:link rel='alternate' hreflang='a' href='https://example.com/b'/>"
        document = read_entry(LOC + link * (PARTS_A_PAGE + 5))
        assert len(document.rows[0].alternates or ()) == PARTS_A_PAGE
        assert document.counts == {"too-many-parts": 5}

    def test_groups_may_be_nested_or_repeated(self) -> None:
        publication = "<news:publication>{}</news:publication>"
        content = publication.format("<news:name>N</news:name>") + publication.format(
            publication.format("<news:language>en</news:language>")
        )
        row = row_of(f"{LOC}<news:news>{content}<news:title>T</news:title></news:news>")
        assert row.news is not None
        assert (row.news.name, row.news.language, row.news.title) == ("N", "en", "T")


class TestEntries:
    def test_leave_nothing_for_the_next(self) -> None:
        document = read_text(
            f"<urlset {NAMESPACES}><url>{LOC}<lastmod>1</lastmod>"
            f"<image:image><image:loc>{URL}</image:loc></image:image><priority>1</priority></url><url><loc>https://example.com/b</loc></url><url><lastmod>2</lastmod></url>"
            "<url><loc>https://example.com/c</loc></url></urlset>"
        )
        assert document.rows[1:] == [Row("https://example.com/b", line=1), Row("https://example.com/c", line=1)]
        assert document.counts == {"missing-loc": 1}

    def test_broken_leave_nothing_for_the_next(self) -> None:
        broken = f"<url>{LOC}<lastmod>1</lastmod><image:image><image:loc>{URL}</image:loc><image:title>"
        for end in ("</url>", "<url>", "</b></url>", "<c d=e></url>"):
            document = read_text(
                f"<urlset {NAMESPACES}>{broken}{end}<url><loc>https://example.com/b</loc></url></urlset>"
            )
            assert document.rows == [Row("https://example.com/b", line=1)]

    def test_within_something_that_never_ends_are_entries(self) -> None:
        text = f"<urlset {NAMESPACES}><url><a><loc>https://example.com/x</loc><url>{LOC}</url><url>{LOC[:-6]}b</loc></url></urlset>"
        assert read_text(text).urls == [URL, URL + "b"]

    def test_of_the_other_kind_act_as_what_they_are(self) -> None:
        document = read_text(f"<urlset {NAMESPACES}><sitemap>{LOC}</sitemap><url>{LOC}</url></urlset>")
        assert document.urls == [reference.url for reference in document.references] == [URL]
        assert document.counts == {"misplaced-element": 1}


class TestNames:
    @pytest.mark.parametrize("number", [999, 1000, 1001])
    def test_of_any_number_are_told_apart(self, number: int) -> None:
        content = "".join(f"<a{name}/>" for name in range(number))
        document = read_entry(content + LOC + content + "<lastmod>2024</lastmod>")
        assert document.rows == [Row(URL, "2024", line=1)]
        assert set(document.counts) == {"unknown-element"}

    def test_without_end_cost_their_entry_only(self) -> None:
        names = "".join(f"<a{name}/>" for name in range(3000))
        document = read_text(f"<urlset {NAMESPACES}><url>{LOC}{names}</url><url>{LOC}</url></urlset>")
        assert document.urls == [URL]
        assert document.counts["broken-entry"] == 1

    def test_declared_later_mean_what_is_declared(self) -> None:
        document = read_text(
            f"<urlset {NAMESPACES}><url>{LOC}<i:image><i:loc>https://example.com/b</i:loc></i:image></url>"
            "<url xmlns:i='http://www.google.com/schemas/sitemap-image/1.1'><loc>https://example.com/c</loc>"
            "<i:image><i:loc>https://example.com/d</i:loc></i:image></url></urlset>"
        )
        assert [row.images is not None for row in document.rows] == [False, True]
