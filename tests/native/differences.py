"""Looks for documents that the readers see differently: ``make fuzz N=200000``.

``python -m tests.native.differences 1000 --first 50000`` begins at another seed.
"""

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from tests.both_readers import native_answer, python_answer
from tests.native.documents import URL, Body, body
from usp.compiled import native_reader
from usp.reading import DocumentReader

CHUNK = 1000


def difference(given: Body) -> str | None:
    """Why the compiled reader declines, None if both say the same; raises if they do not."""
    native = native_reader()
    assert native is not None, "the compiled reader is not installed: run `make setup` with cargo"
    reader = DocumentReader(URL, headers=given.headers, limits=given.limits)
    if reader.log.problems().total:
        return "headers"
    answer = native_answer(native, reader, [given.wire])
    if isinstance(answer, str):
        assert answer != "panic", given
        return answer
    # In pieces it must be the same: then nothing is read where it stands.
    pieces = [given.wire[:7], given.wire[7:]]
    assert native_answer(native, reader, pieces) == answer
    assert python_answer(reader, [given.wire]) == answer
    return None


def differences(first: int, last: int) -> tuple[Counter[str], list[int]]:
    """The reasons of declines of the documents of some seeds, and the seeds of those that differ."""
    reasons: Counter[str] = Counter()
    different = []
    for seed in range(first, last):
        try:
            reasons[difference(body(seed)) or "read"] += 1
        except AssertionError:
            different.append(seed)
    return reasons, different


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.native.differences", description=__doc__)
    parser.add_argument("number", type=int, nargs="?", default=2000, help="how many documents (default: 2000)")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first one (default: 0)")
    options = parser.parse_args()
    starts = range(options.first, options.first + options.number, CHUNK)
    ends = [min(start + CHUNK, options.first + options.number) for start in starts]
    reasons: Counter[str] = Counter()
    different: list[int] = []
    with ProcessPoolExecutor() as pool:
        for counted, found in pool.map(differences, starts, ends):
            reasons += counted
            different += found
    sys.stdout.writelines(f"{count:9,}  {reason}\n" for reason, count in reasons.most_common())
    if different:
        sys.exit(f"The readers differ on the documents of these seeds: {different[:50]}")
    sys.stdout.write(f"{options.number:,} documents: equal or declined.\n")


if __name__ == "__main__":
    main()
