"""The bundled documents, in the order in which they are shown: one of each format, then what goes wrong in the wild."""

from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).with_name("samples")

SITE = "https://www.example.com/"
"""Where the samples claim to come from: their relative URLs are resolved against it."""

SECTIONS: Mapping[str, Mapping[str, str]] = {
    "Every format": {
        "homepage.html": "an HTML page: no sitemap, but its links lead to some",
        "robots.txt": "names three sitemaps, each in another spelling",
        "sitemapindex.xml": "an index of three sitemaps",
        "urlset.xml": "plain pages, with dates as exact as the site wrote them",
        "hreflang.xml": "pages and their translations",
        "news.xml": "news stories",
        "images.xml": "pages with images",
        "videos.xml": "a page with two videos",
        "rss.xml": "an RSS 2.0 feed, whose second item has only a guid",
        "rdf.xml": "an RSS 1.0 feed, in RDF",
        "atom.xml": "an Atom feed",
        "text.txt": "one URL a line",
        "pages.xml.gz": "gzip, known by its first bytes",
        "utf-16.xml": "UTF-16, and URLs in several scripts",
    },
    "Damaged documents": {
        "mismatched-tag.xml": "</lok> closes <loc>: that entry is lost, not its neighbours",
        "truncated.xml": "ends in the middle of a URL",
        "php-warning.xml": "begins with a warning of the program that wrote it",
        "ampersands.xml": "bare ampersands, HTML entities, references within CDATA",
        "bad-values.xml": "dates, priorities and URLs that are none",
        "soft-404.xml": "an error page under the name of a sitemap",
        "doctype.xml": "declares entities, one of which would read a local file",
    },
}
"""What is special about each document, by section and file name."""
