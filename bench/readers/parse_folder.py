"""``usp.parse`` of all documents of a folder, and nothing else: what a crawl of them costs without fetching."""

import json
import sys
from pathlib import Path

from usp.parsing import parse


def read(folder: Path) -> int:
    return sum(len(parse(path.read_bytes()).pages) for path in sorted(folder.glob("small-*.xml")))


if __name__ == "__main__":
    print(json.dumps({"urls": read(Path(sys.argv[1]))}))
