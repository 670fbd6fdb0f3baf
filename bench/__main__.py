"""Run the comparison: interleaved measurements, each in a fresh process, and tables of medians and ratios.

What is measured of single documents stands in ``bench.documents``, of whole sites in ``bench.crawls``, of the
command line in ``bench.commands``; what readers find at all in ``bench.sample_site``. All of it takes about a
quarter of an hour of an idle machine with two processors. Other work falls on all readers alike, since they are
measured in turn; ratios of CPU suffer least from it.
"""

import argparse

from bench import commands, crawls, documents, native, sample_site
from usp.compiled import reader_in_use


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, help="measurements of each reader (default: 5 of documents, 3 of crawls)")
    parser.add_argument("--quick", action="store_true", help="one run over a tenth of the entries")
    names = [*documents.NAMES, *crawls.NAMES, *commands.NAMES, *sample_site.NAMES, *native.NAMES]
    parser.add_argument("--only", action="append", choices=names, help="one measurement; can be repeated")
    options = parser.parse_args()
    wanted = options.only or names
    divisor = 10 if options.quick else 1
    print(f"USP reads plain sitemaps with: {reader_in_use()}")
    for part, runs in (documents, 5), (crawls, 3), (commands, 3), (sample_site, 1), (native, 5):
        part.measure(
            [name for name in part.NAMES if name in wanted], 1 if options.quick else options.runs or runs, divisor
        )


if __name__ == "__main__":
    main()
