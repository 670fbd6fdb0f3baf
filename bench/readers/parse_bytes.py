"""``usp.parse`` of bytes in memory, then three properties of every page."""

from bench.readers.measuring import load_bytes, measure
from usp.parsing import parse


def read(body: bytes) -> int:
    urls = 0
    for page in parse(body).all_pages():
        _ = page.url, page.last_modified, page.priority
        urls += 1
    return urls


if __name__ == "__main__":
    measure(load_bytes, read)
