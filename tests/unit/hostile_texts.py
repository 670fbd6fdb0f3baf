"""Texts that only an enemy writes, by what they are made of."""

from collections.abc import Callable, Mapping

from tests.unit.large_documents import PAGE, URLSET


def repeated(unit: str, before: str = URLSET, after: str = "") -> Callable[[int], str]:
    """A text of about so many characters, made of one unit."""
    return lambda size: before + unit * (size // len(unit)) + after


def numbered(unit: str, before: str = URLSET, after: str = "") -> Callable[[int], str]:
    """A text of about so many characters, made of units in which ``{}`` is a number."""
    return lambda size: before + "".join(unit.format(number) for number in range(size // len(unit))) + after


IMAGE = "<image:image><image:loc>https://e.com/{0}</image:loc></image:image>"
IN_LOC = URLSET + "<url><loc>"
IN_URL = URLSET + "<url>"
IN_HTML = "<html><head>"

HOSTILE: Mapping[str, Callable[[int], str]] = {
    "broken entries": repeated("<url><loc>https://e.com/</lo></url>"),
    "entries with a stray bracket": repeated("<url><loc>https://e.com/ < </loc></url>"),
    "entries that never end": repeated("<url>"),
    "entries that never end, with values": repeated("<url><loc>https://e.com/</loc>"),
    "entries with a repeated attribute": repeated("<url a='' a=''/>"),
    "start tags that never end": repeated("<url "),
    "brackets": lambda size: URLSET + "<" * (size // 10),  # each is a fault
    "closing brackets": repeated(">"),
    "stray end tags": repeated("</a>"),
    "stray end tags of entries": repeated("</url>"),
    "stray end tags of roots": repeated("</urlset>"),
    "stray end tags in nested roots": repeated("</a>", "<urlset>" * 900),
    "stray end tags in roots with long names": lambda size: f"<{'a' * size}:urlset>" + "</x>" * (size // 4),
    "stray end tags in unknown elements": repeated("</b>", URLSET + "<a>" * 900),
    "roots": repeated("<urlset></urlset>", ""),
    "nested roots": repeated("<urlset>", ""),
    "nested roots of a feed": repeated("<channel>", "<rss>"),
    "nested elements around entries": repeated("<a>"),
    "nested elements before the root": repeated("<a>", "<x>"),
    "nested elements in an entry": repeated("<a>", IN_URL),
    "nested elements in a value": repeated("<a>", IN_LOC),
    "nested elements in a feed": repeated("<a>", "<rss><channel>"),
    "nested groups": repeated("<news:publication>", IN_URL + "<news:news>"),
    "nested entries in the unknown": repeated("<b><url><loc>", IN_URL),
    "section ends": repeated("]]>"),
    "section ends in values": repeated("<url><loc>]]></loc></url>"),
    "sections": repeated("<![CDATA[]]>", IN_LOC),
    "sections with references": repeated("<![CDATA[&amp;]]>", IN_LOC),
    "sections that never end": repeated("<![CDATA["),
    "sections that never end, in entries": repeated("<url><loc><![CDATA[https://e.com/</loc></url>"),
    "sections that never end, and ends of entries": repeated("<![CDATA[</url>"),
    "one section that never ends": repeated("a", IN_LOC + "<![CDATA["),
    "entries in a section": repeated("<url>", IN_LOC + "<![CDATA["),
    "whole entries in a section": repeated(PAGE, IN_LOC + "<![CDATA["),
    "entries in a comment": repeated("<url>", URLSET + "<!--"),
    "entries in a comment before the root": repeated("<url>", "<!--"),
    "entries in a doctype": repeated("<url>", URLSET + "<!DOCTYPE '"),
    "entries in an instruction": repeated("<url>", URLSET + "<?a "),
    "entries in an attribute": repeated("<url>", URLSET + "<a b='"),
    "entries that begin well": repeated("<url><loc>https://e.com/</loc><lastmod>", URLSET),
    "every other entry broken": repeated(PAGE + "<url><loc>a</lo></url>"),
    "every other entry unusual": numbered("<url><loc>http://e.com/{0}</loc></url><url><loc>/{0}</loc></url>"),
    "blanks in an entry": repeated(" ", IN_URL),
    "blanks between entries": repeated(" " * 99 + PAGE),
    "blanks of many lengths": lambda size: URLSET + "".join(" " * (n % 300) + "<a/>" for n in range(size // 150)),
    "comments that never end": repeated("<!--"),
    "comments": repeated("<!---->", IN_LOC),
    "hyphens": repeated("-", URLSET + "<!--"),
    "instructions that never end": repeated("<?"),
    "instructions": repeated("<?a?>"),
    "instructions with ends of entries": repeated("<?</url>"),
    "comments with ends of entries": repeated("<!--</url>"),
    "instructions with ends of entries, in a section that never ends": repeated("<?xml</url>]", "<![CDATA[</item>"),
    "declarations": repeated("<?xml?>"),
    "declarations that never end": repeated("<?xml "),
    "question marks": repeated("?", URLSET + "<?a "),
    "doctypes": repeated("<!DOCTYPE a>"),
    "quotes of a doctype": repeated("'\"", "<!DOCTYPE a "),
    "ampersands": repeated("&"),
    "entities": repeated("&eacute;", IN_LOC),
    "references that never end": repeated("&#1"),
    "digits of a reference": repeated("1", IN_LOC + "&#"),
    "semicolons": repeated("&;", IN_LOC),
    "control characters": repeated("\x01", IN_LOC),
    "text between elements": repeated("a<b/>"),
    "names": numbered("<a{}/>"),
    "names in an entry": numbered("<a{}/>", IN_URL),
    "names of attributes": numbered("<a b{}=''/>"),
    "namespaces": numbered("<a xmlns:b{}='c'/>"),
    "namespaces of one element": numbered(" xmlns:b{}='c'", URLSET + "<a", "/>"),
    "prefixes": numbered("<a{0}:url xmlns:a{0}='http://www.sitemaps.org/'/>"),
    "attributes of one element": numbered(" b{}=''", URLSET + "<a", "/>"),
    "one tag that never ends": repeated("a", URLSET + "<url a='"),
    "URLs of one sitemap": numbered("<loc>https://e.com/{}</loc>", "<sitemapindex><sitemap>", "</sitemap>"),
    "sitemaps": numbered("<sitemap><loc>https://e.com/{}</loc></sitemap>", "<sitemapindex>"),
    "images of one page": numbered(IMAGE, IN_URL, "<loc>https://e.com/</loc></url>"),
    "images of one page that begins well": numbered(IMAGE, URLSET + "<url><loc>https://e.com/</loc>", "</url>"),
    "images of pages that begin well": numbered("<url><loc>https://e.com/{0}</loc>" + IMAGE * 20),
    "leaves of one image": repeated("<image:title>a</image:title>", IN_URL + "<loc>https://e.com/</loc><image:image>"),
    "leaves of one story": repeated("<news:title>a</news:title>", IN_URL + "<loc>https://e.com/</loc><news:news>"),
    "alternates of one page": numbered(
        '<xhtml:link rel="alternate" hreflang="a" href="https://e.com/{}"/>', URLSET + "<url><loc>https://e.com/</loc>"
    ),
    "tags of one video": repeated("<video:tag>a</video:tag>", IN_URL + "<video:video>"),
    "links of one item": repeated("<link>a</link>", "<rss><channel><item>"),
    "the same page": repeated(PAGE),
    "dots of a relative URL": repeated("../", IN_LOC, "</loc></url>"),
    "long lines": repeated("https://e.com/ ", "https://e.com/\n"),
    "empty lines": repeated("\n", "https://e.com/"),
    "lines": repeated("a\n"),
    "lines of blanks": repeated(" " * 999 + "\n", "a"),
    "robots with a long line": repeated("sitemap ", "User-agent: *\nSitemap:"),
    "robots with blanks": repeated(" " * 16_000 + "\n", "User-agent: *\n"),
    "robots with many URLs on a line": repeated("https://e.com/ ", "User-agent: *\nSitemap: "),
    "HTML comments": repeated("<!--", IN_HTML),
    "HTML scripts": repeated("<script", IN_HTML),
    "HTML scripts that end": repeated("<script></script>", IN_HTML),
    "HTML links": repeated("<link ", IN_HTML),
    "HTML links with attributes": repeated("<link a=", IN_HTML),
    "HTML links that end": repeated("<link rel=sitemap href=a>", IN_HTML),
    "HTML quotes": repeated("<link a='", IN_HTML),
    "HTML bases": repeated("<base href=/a/b/c>", IN_HTML),
    "HTML blanks": repeated(" ", IN_HTML + "<link "),
}
"""Texts that only an enemy writes, by their size."""
