"""``usp.parse`` of a file, then three properties of every page."""

from pathlib import Path

from bench.readers.measuring import load_nothing, measure
from usp.parsing import parse


def read(path: Path) -> int:
    urls = 0
    for page in parse(path).all_pages():
        _ = page.url, page.last_modified, page.priority
        urls += 1
    return urls


if __name__ == "__main__":
    measure(load_nothing, read)
