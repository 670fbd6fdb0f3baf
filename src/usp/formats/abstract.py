"""What every parser of a document is: pieces of text in, one ``Document`` out, and no knowledge of any network.

Laws: parsers never raise for what a document says; any split of the text into pieces gives the same Document; time is
linear in the text, memory bounded whatever its size (references excepted: they are the tree).
"""

from abc import ABC, abstractmethod

from usp.formats.entries import Entries
from usp.messages import Document

LOCAL_URL = "http://usp-local-dummy.local/"
"""The URL of a document that has none of its own; promised."""


class AbstractSitemapParser(ABC):
    """Reads one document. ``feed`` takes decoded text whose lines end in ``\\n``; ``close`` gives what it said."""

    done = False
    """Whether further text would be ignored."""

    def __init__(self, url: str, entries: Entries) -> None:
        self.url = url
        self.entries = entries
        self.log = entries.log

    @abstractmethod
    def feed(self, text: str) -> None:
        """Take the next piece."""

    @abstractmethod
    def close(self, *, cut: bool = False) -> Document:
        """The end of the text: all that it said. ``cut`` if more was to come: what is half written does not count."""
