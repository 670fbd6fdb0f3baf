"""Print what changed since a day, and say whether that is all: the core of keeping an index fresh.

python examples/changed_since.py https://example.com/ 2024-06-01
"""

import sys
from datetime import date

import usp


def main(homepage: str, day: str) -> int:
    with usp.stream_pages(homepage, since=date.fromisoformat(day)) as stream:
        for page, _ in stream:
            print(page.lastmod or "unknown", page.url)
    for reason in stream.tree.incomplete_because:
        print("incomplete:", reason, file=sys.stderr)
    return 0 if stream.tree.complete else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
