"""The compiled reader alone: bytes in memory to blocks in memory; no page is made."""

from bench.readers.measuring import load_bytes, measure
from usp.compiled import native_reader
from usp.formats.native import Known
from usp.limits import DEFAULT_LIMITS
from usp.messages import Document
from usp.rows import MemoryBlock

KNOWN = Known("https://www.example.com/sitemap.xml", DEFAULT_LIMITS, DEFAULT_LIMITS.sitemaps)


def read(body: bytes) -> int:
    native = native_reader()
    assert native is not None
    document = native.read([body], KNOWN, MemoryBlock)
    assert isinstance(document, Document), document
    return sum(block.rows for block in document.blocks) + len(document.references)


if __name__ == "__main__":
    measure(load_bytes, read)
