"""What a site takes: the memory of the whole process while it is fetched, after that and while all pages are read."""

import gc
import json
import stat
import sys
from pathlib import Path

from bench.readers.measuring import forget_earlier_peak, memory
from usp.tree import sitemap_tree_for_homepage


def nameless_files() -> int:
    """Bytes in the open files of this process that no folder names any more: temporary ones."""
    total = 0
    for link in Path("/proc/self/fd").iterdir():
        try:
            found = link.stat()
        except OSError:
            continue  # the listing itself, gone by now
        if stat.S_ISREG(found.st_mode) and found.st_nlink == 0:
            total += found.st_size
    return total


def read(homepage_url: str) -> dict[str, int]:
    tree = sitemap_tree_for_homepage(homepage_url)
    fetching = memory("VmHWM")
    gc.collect()
    at_rest = memory("VmRSS")
    forget_earlier_peak()
    urls = 0
    for page in tree.all_pages():
        _ = page.url, page.last_modified, page.priority
        urls += 1
    return {
        "urls": urls,
        "fetching_kib": fetching,
        "at_rest_kib": at_rest,
        "reading_kib": memory("VmHWM"),
        "file_bytes": nameless_files(),
    }


if __name__ == "__main__":
    print(json.dumps(read(sys.argv[1])))
