"""``usp.parse`` of bytes in memory, then three properties of every page."""

import usp
from bench.readers.measuring import load_bytes, measure


def read(body: bytes) -> int:
    urls = 0
    for page in usp.parse(body).all_pages():
        _ = page.url, page.last_modified, page.priority
        urls += 1
    return urls


if __name__ == "__main__":
    measure(load_bytes, read)
