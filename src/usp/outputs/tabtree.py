"""``tabtree``: sitemaps and their pages, each on a line, a tab before it for each level."""

from collections.abc import Iterator

from usp.objects.sitemap import AbstractSitemap
from usp.outputs.batches import check_tree, of_sitemap
from usp.outputs.delivery import BinaryFile, LinesWriter, deliver
from usp.outputs.text import stripped, url_on_a_line


def write_tabtree(
    tree: AbstractSitemap,
    file: BinaryFile,
    *,
    strip_url: str = "",
    encoding: str = "utf-8",
) -> None:
    """Write a tree with its pages, without ``strip_url`` in front of all URLs but the first.

    >>> import io
    >>> from usp.parsing import parse
    >>> file = io.BytesIO()
    >>> write_tabtree(parse("https://example.com/cats", url="https://example.com/sitemap.txt"), file)
    >>> file.getvalue()
    b'https://example.com/sitemap.txt\\n\\thttps://example.com/cats\\n'
    """
    check_tree(tree)
    deliver(_lines(tree, strip_url), LinesWriter(file, encoding))


def _lines(tree: AbstractSitemap, strip_url: str) -> Iterator[list[str]]:
    waiting = [(tree, 0)]
    while waiting:
        sitemap, level = waiting.pop()
        yield ["\t" * level + _shown(sitemap.url, strip_url if level else "")]
        for batch in of_sitemap(sitemap.pages, sitemap):
            yield ["\t" * (level + 1) + _shown(page.url, strip_url) for page, _ in batch]
        waiting.extend((below, level + 1) for below in reversed(sitemap.sub_sitemaps))


def _shown(url: str, strip_url: str) -> str:
    return url_on_a_line(stripped(url, strip_url) if strip_url else url)
