"""By how much a process grows over the blocks of a document, while the compiled reader reads it and they are kept."""

import json
from pathlib import Path

from bench.readers.measuring import arguments, forget_earlier_peak, load_bytes, memory
from bench.readers.native_blocks import KNOWN
from usp.compiled import native_reader
from usp.messages import Document
from usp.rows import MemoryBlock


def growth(path: Path) -> dict[str, float]:
    native = native_reader()
    assert native is not None
    body = load_bytes(path)
    native.read([b"<urlset/>"], KNOWN, MemoryBlock)
    forget_earlier_peak()
    before = memory("VmRSS")
    document = native.read([body], KNOWN, MemoryBlock)
    assert isinstance(document, Document), document
    blocks = sum(len(block.packed()) for block in document.blocks) // 1024
    urls = sum(block.rows for block in document.blocks)
    return {"seconds": 0, "urls": urls, "growth_kib": memory("VmHWM") - before - blocks}


if __name__ == "__main__":
    print(json.dumps(growth(arguments()[0])))
