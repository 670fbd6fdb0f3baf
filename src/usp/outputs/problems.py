"""What is wrong with one document, for its owner: each kind of problem with its remedy, and where it is."""

from collections.abc import Iterable, Iterator

from usp.objects.sitemap import AbstractSitemap
from usp.outputs.batches import check_tree
from usp.outputs.delivery import BinaryFile, LinesWriter, deliver
from usp.outputs.text import words_on_a_line
from usp.problems import CATALOGUE, Problem, ProblemLog, Problems, Severity


def write_problems(
    sitemap: AbstractSitemap, values: Iterable[Problem], file: BinaryFile, *, encoding: str = "utf-8"
) -> None:
    """Write the problems of a sitemap, and those of its values (``usp.value_problems``), the gravest first.

    >>> import io
    >>> from usp.parsing import parse, value_problems
    >>> sitemap = parse("<urlset><url><loc>/cats</loc><lastmod>10</lastmod></url></urlset>", url="https://example.com/")
    >>> file = io.BytesIO()
    >>> write_problems(sitemap, value_problems(sitemap), file)
    >>> print(file.getvalue().decode().splitlines()[0])
    note missing-namespace: The document's namespace is missing.
    """
    check_tree(sitemap)
    log = ProblemLog(sitemap.url)
    for problem in values:
        log.add(problem.code, problem.detail, problem.line)
    deliver(
        [*_reports((sitemap.problems, log.problems()))] or [["There are no problems."]], LinesWriter(file, encoding)
    )


def _reports(kinds: Iterable[Problems]) -> Iterator[list[str]]:
    """The lines about each kind of problem; a code is either the document's or the values'."""
    found = [(code, problems) for problems in kinds for code in problems.counts]
    gravest_first = [*reversed(Severity)]
    for code, problems in sorted(found, key=lambda item: gravest_first.index(CATALOGUE[item[0]].severity)):
        yield [*_report(code, problems)]


def _report(code: str, problems: Problems) -> Iterator[str]:
    entry, count = CATALOGUE[code], problems.counts[code]
    yield f"{entry.severity} {code}: {entry.sentence}" + (f" ({count:,} times)" if count > 1 else "")
    yield f"  remedy: {entry.remedy}"
    kept = [problem for problem in problems if problem.code == code]
    for problem in kept:
        place = f"line {problem.line}" if problem.line is not None else ""
        if shown := ": ".join(filter(None, (place, words_on_a_line(problem.detail)))):
            yield f"  {shown}"
    if count > len(kept):
        yield f"  and {count - len(kept):,} more"
