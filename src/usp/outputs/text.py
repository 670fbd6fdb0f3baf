"""What a site says, as text that cannot break a line or take over a terminal."""

import re
from urllib.parse import quote

_breaks = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def url_on_a_line(url: str) -> str:
    """The URL with all that would end the line, or begin an escape sequence, as percent-escapes.

    >>> url_on_a_line("https://example.com/a\\nb")
    'https://example.com/a%0Ab'
    """
    return url if url.isprintable() else _breaks.sub(lambda found: quote(found[0]), url)


def urls_on_lines(urls: list[str]) -> list[str]:
    """The same for many URLs, which are looked at all at once: hardly any of them needs it."""
    return urls if "".join(urls).isprintable() else [*map(url_on_a_line, urls)]


def words_on_a_line(words: str) -> str:
    """Words for people: white space becomes a blank, and what cannot be seen is named.

    >>> words_on_a_line("a\\n\\tb\\u202e")
    'a b\\\\u202e'
    """
    if words.isprintable():
        return words
    words = " ".join(words.split())
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in words)


def stripped(url: str, front: str) -> str:
    """The URL without the front, if that ends where a path begins; the URL itself where nothing would be left.

    >>> stripped("https://example.com/cats", "https://example.com/")
    '/cats'
    >>> stripped("https://example.community/cats", "https://example.com/")
    'https://example.community/cats'
    """
    rest = url.removeprefix(front.rstrip("/"))
    return rest if rest != url and rest.startswith(("/", "?", "#")) else url


def counted(count: int, noun: str) -> str:
    """The number and its noun.

    >>> counted(1, "page"), counted(2000, "sitemap"), counted(3, "loss")
    ('1 page', '2,000 sitemaps', '3 losses')
    """
    plural = "es" if noun.endswith("s") else "s"
    return f"{count:,} {noun}{'' if count == 1 else plural}"
