"""``pages``: the URLs of all pages, one a line."""

from usp.outputs.batches import Source, batches
from usp.outputs.delivery import BinaryFile, LinesWriter, deliver
from usp.outputs.text import stripped, urls_on_lines


def write_pages(source: Source, file: BinaryFile, *, strip_url: str = "", encoding: str = "utf-8") -> None:
    """Write the URL of every page on a line of its own, without ``strip_url`` in front of it.

    >>> import io
    >>> from usp.parsing import parse
    >>> file = io.BytesIO()
    >>> write_pages(parse("https://example.com/\\nhttps://example.com/cats"), file, strip_url="https://example.com/")
    >>> file.getvalue()
    b'/\\n/cats\\n'
    """
    lists = (urls_on_lines([page.url for page, _ in batch]) for batch in batches(source))
    if strip_url:
        lists = ([stripped(url, strip_url) for url in urls] for urls in lists)
    deliver(lists, LinesWriter(file, encoding))
