"""What a text is: markup that may be a sitemap, an HTML page, or plain text; whatever its name and headers say.

Laws: only white space and byte order marks are skipped without a word. Before anything is called HTML or text, its
first 64 KiB are searched for an XML declaration or a known root under any prefix, since warnings of the program that
made it stand before many a sitemap. The answer depends on the text alone, not on how much of it has come so far.
"""

import re
from enum import Enum
from typing import NamedTuple

from usp.limits import SNIFF

_ROOT = re.compile(r"<(?:[\w.-]{1,64}:)?(?:urlset|sitemapindex|rss|rdf|feed)[\s>/]", re.IGNORECASE)
_DECLARATION = re.compile(r"<\?xml[\s?]", re.IGNORECASE)
_BEGINNING = re.compile(r"<\?xml[\s?]|<!doctype\s", re.IGNORECASE)
_HTML = re.compile(r"<!doctype\s+html|<(?:html|head|body)[\s>]", re.IGNORECASE)
_BLANK = re.compile(r"[\s\ufeff]*")
_PROLOG = re.compile(r"(?:[\s\ufeff]++|<!--(?:[^-]|-(?!->))*+-->|<\?(?!xml[\s?])[^>]*+>)*+", re.IGNORECASE)


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
    root = _ROOT.search(head, _prolog_end(head, first))
    html = _HTML.search(head, first, root.start() if root else len(head))
    if root is not None:
        return _with_root(head, first, root.start(), html)
    if undecided:
        return None
    if html is not None:
        return Sniffed(Form.HTML, first)
    if head[first] == "<":
        return Sniffed(Form.XML, first, known=False)
    declaration = _DECLARATION.search(head)
    if declaration is not None:
        return Sniffed(Form.XML, declaration.start(), known=False)
    return Sniffed(Form.TEXT, first)


def _with_root(head: str, first: int, root: int, html: re.Match[str] | None) -> Sniffed:
    """A known root was found: its document begins there, at its declaration, or at the comments before both."""
    if html is not None:
        # A page that shows a sitemap is a page; a sitemap behind the remains of a page has a declaration of its own.
        declaration = _DECLARATION.search(head, html.end(), root)
        return Sniffed(Form.XML, declaration.start()) if declaration else Sniffed(Form.HTML, first)
    beginning = _BEGINNING.search(head, first, root)
    start = beginning.start() if beginning else root
    return Sniffed(Form.XML, first if _prolog_end(head, first) == start else start)


def _prolog_end(head: str, first: int) -> int:
    """Where the blanks, comments and instructions that may stand before a root end."""
    prolog = _PROLOG.match(head, first)
    return prolog.end() if prolog else first
