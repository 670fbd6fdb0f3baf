"""How long the first page of a stream takes, from the call on: what is imported only then counts, too."""

import json
import sys
import time

from usp.tree import stream_pages


def read(homepage_url: str) -> float:
    start = time.perf_counter()
    with stream_pages(homepage_url) as stream:
        next(stream)
        return time.perf_counter() - start


if __name__ == "__main__":
    print(json.dumps({"seconds": read(sys.argv[1])}))
