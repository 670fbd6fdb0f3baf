"""What a text is: markup that may be a sitemap, an HTML page, or plain text; whatever its name and headers say.

Laws: only white space and byte order marks are skipped without a word. Before anything is called HTML or text, its
first 64 KiB are searched for an XML declaration or a known root under any prefix, since warnings of the program that
made it stand before many a sitemap. The answer depends on the text alone, not on how much of it has come so far.
"""

import re
from enum import Enum
from typing import NamedTuple

from usp.limits import SNIFF

_NAME = r"<(?:[\w.-]{1,64}:)?(?:urlset|sitemapindex|rss|rdf|feed)"
_ROOT = re.compile(_NAME + r"[\s>/]", re.IGNORECASE)
_ROOT_IN_TEXT = re.compile(rf"(?:^|>)[ \t]*{_NAME}[\s>/]|{_NAME}(?:[\s/][^<>]*+)?>\s*+<", re.IGNORECASE | re.MULTILINE)
"""In what does not begin as markup, a list of URLs or a robots.txt, a tag within a line is somebody's words, unless
other markup follows it."""

_DECLARATION = re.compile(r"<\?xml[\s?]", re.IGNORECASE)
_BEGINNING = re.compile(r"<\?xml[\s?]|<!doctype\s", re.IGNORECASE)
_HTML = re.compile(r"<(?:html|head|body)[\s>]", re.IGNORECASE)
_HTML_IN_TEXT = re.compile(r"(?:^|>)[ \t]*" + _HTML.pattern, re.IGNORECASE | re.MULTILINE)
_HTML_DOCTYPE = re.compile(r"<!doctype\s+html", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_BLANK = re.compile(r"[\s\ufeff]*")
_PROLOG = re.compile(r"(?:[\s\ufeff]++|<\?(?!xml[\s?])[^>]*+>)*+", re.IGNORECASE)


class Form(Enum):
    """What the sniffer tells apart."""

    EMPTY = "empty"
    XML = "xml"
    HTML = "html"
    TEXT = "text"


class Sniffed(NamedTuple):
    """What a text is, and where it begins."""

    form: Form
    start: int
    known: bool = True
    """False for markup without a known root within the text looked at: it may be anything."""


def sniff(head: str, *, final: bool) -> Sniffed | None:
    """Tell what a text is from its head; None if more of it is needed."""
    undecided = not final and len(head) < SNIFF
    head = head[:SNIFF]
    blank = _BLANK.match(head)
    first = blank.end() if blank else 0
    if first == len(head):
        return None if undecided else Sniffed(Form.EMPTY, first)
    shown = _COMMENT.sub(_blanks, head)
    in_text = head[first] != "<"
    root = (_ROOT_IN_TEXT if in_text else _ROOT).search(shown, first)
    if root is not None:
        return _with_root(shown, first, shown.find("<", root.start()))
    if undecided:
        return None
    if (_HTML_IN_TEXT if in_text else _HTML).search(shown, first) or _HTML_DOCTYPE.search(shown, first):
        return Sniffed(Form.HTML, first)
    if head[first] == "<":
        return Sniffed(Form.XML, first, known=False)
    declaration = _DECLARATION.search(shown)
    if declaration is not None:
        return Sniffed(Form.XML, declaration.start(), known=False)
    return Sniffed(Form.TEXT, first)


def _with_root(shown: str, first: int, root: int) -> Sniffed:
    """A known root was found: its document begins there, at its declaration, or at the comments before both."""
    html = _HTML.search(shown, first, root)
    if html is not None:
        # A page that shows a sitemap is a page; a sitemap behind the remains of a page has a declaration of its own.
        declaration = _DECLARATION.search(shown, html.end(), root)
        return Sniffed(Form.XML, declaration.start()) if declaration else Sniffed(Form.HTML, first)
    beginning = _BEGINNING.search(shown, first, root)
    start = beginning.start() if beginning else root
    prolog = _PROLOG.match(shown, first)
    return Sniffed(Form.XML, first if prolog and prolog.end() == start else start)


def _blanks(comment: re.Match[str]) -> str:
    return " " * len(comment[0])
