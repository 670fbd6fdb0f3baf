"""``python -m usp.demo [FILE]``: reads the bundled samples, or one file, and says what was found; fetches nothing."""

import os
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from usp.demo.report import WIDTH, describe, links, printable, summary
from usp.demo.samples import FOLDER, SECTIONS, SITE
from usp.exceptions import SitemapException
from usp.limits import TOKEN
from usp.objects.sitemap import AbstractSitemap
from usp.parsing import parse, value_problems
from usp.problems import ProblemLog, Problems
from usp.reading import DocumentReader


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what was read; the exit status is 2 if the file that was asked for cannot be read."""
    parser = ArgumentParser("python -m usp.demo", description="Read sample documents that sites call sitemaps.")
    parser.add_argument("file", nargs="?", type=Path, help="a document of your own to read instead")
    file: Path | None = parser.parse_args(arguments).file
    try:
        _print(_all_samples() if file is None else _one_document(file))
    except SitemapException as error:
        print(f"usp.demo: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # `| head` has seen enough; the interpreter must not flush into the closed pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _print(lines: Iterable[str]) -> None:
    encoding = sys.stdout.encoding or "ascii"
    for line in lines:
        print(printable(line, encoding))
    sys.stdout.flush()


def _all_samples() -> Iterator[str]:
    number = sum(map(len, SECTIONS.values()))
    yield f"USP reads the {number} sample documents that come with it. Nothing is fetched."
    sitemaps: list[AbstractSitemap] = []
    counts: Counter[str] = Counter()
    for section, documents in SECTIONS.items():
        yield from ("", f"{section} ".ljust(WIDTH, "="))
        for name, sentence in documents.items():
            sitemap = parse(FOLDER / name, url=SITE + name)
            values = _values(sitemap)
            yield from ("", f"{name}: {sentence}")
            yield from _document(FOLDER / name, sitemap, values)
            sitemaps.append(sitemap)
            counts.update(sitemap.problems.counts)
            counts.update(values.counts)
    yield from ("", "Summary ".ljust(WIDTH, "="), "")
    yield from summary(sitemaps, counts)
    yield from ("", "Read a document of your own: python -m usp.demo FILE")


def _one_document(path: Path) -> Iterator[str]:
    sitemap = parse(path)
    yield path.name
    yield from _document(path, sitemap, _values(sitemap))


def _document(path: Path, sitemap: AbstractSitemap, values: Problems) -> Iterator[str]:
    yield from describe(sitemap, values)
    if "html-page" in sitemap.problems.counts:
        yield from _links(path, sitemap.url)


def _values(sitemap: AbstractSitemap) -> Problems:
    """The problems of the values, counted: a sitemap may have a million."""
    log = ProblemLog(sitemap.url)
    for problem in value_problems(sitemap):
        log.add(problem.code, problem.detail, problem.line)
    return log.problems()


def _links(path: Path, url: str) -> Iterator[str]:
    """A page is no sitemap, but its head may say where the sitemaps and the feeds are."""
    reader = DocumentReader(url)
    with path.open("rb") as file:
        reader.feed(file.read(TOKEN))
    document = reader.close()
    yield from links("Its links to sitemaps", [reference.url for reference in document.references])
    yield from links("Its links to feeds", [feed.url for feed in document.feeds])


if __name__ == "__main__":
    sys.exit(main())
