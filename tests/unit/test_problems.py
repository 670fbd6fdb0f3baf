"""Problems: counted exactly, kept in part, told in order."""

import pytest

from usp.problems import CATALOGUE, DETAIL_LENGTH, KEPT_A_CODE, Problem, ProblemLog, Problems, Severity

URL = "https://example.com/sitemap.xml"


def test_all_are_counted_and_the_first_few_kept() -> None:
    log = ProblemLog(URL)
    for line in range(1000):
        log.add("bare-ampersand", line=line)
    problems = log.problems()
    assert problems.counts == {"bare-ampersand": 1000}
    assert problems.total == 1000
    assert [problem.line for problem in problems] == list(range(KEPT_A_CODE))


def test_a_long_detail_is_cut() -> None:
    log = ProblemLog(URL)
    log.add("not-http", "x" * 10_000)
    assert log.problems()[0].detail == "x" * DETAIL_LENGTH + "…"


def test_they_come_in_order_of_line_whoever_was_first_to_note_them() -> None:
    log = ProblemLog(URL)
    log.add("stray-text", line=7)
    log.add("invalid-bytes")
    log.add("bare-ampersand", line=2)
    assert [problem.code for problem in log.problems()] == ["invalid-bytes", "bare-ampersand", "stray-text"]


def test_a_problem_tells_its_line_severity_and_sentence() -> None:
    problem = Problem("missing-loc", Severity.LOSS, URL, "detail", 3)
    assert str(problem) == f"line 3: loss missing-loc: {CATALOGUE['missing-loc'].sentence} (detail)"
    assert str(Problem("empty-document", Severity.FATAL, URL)).startswith("fatal empty-document: ")


@pytest.mark.parametrize(
    ("codes", "worst"),
    [
        ([], None),
        (["stray-text"], Severity.NOTE),
        (["missing-loc", "stray-text"], Severity.LOSS),
        (["unknown-root", "missing-loc"], Severity.FATAL),
    ],
)
def test_the_worst_severity_is_known(codes: list[str], worst: Severity | None) -> None:
    log = ProblemLog(URL)
    for code in codes:
        log.add(code)
    assert log.problems().worst() == worst


def test_problems_are_a_sequence_compared_by_value() -> None:
    problem = Problem("missing-loc", Severity.LOSS, URL)
    problems = Problems([problem], {"missing-loc": 1})
    assert problems == Problems([problem], {"missing-loc": 1})
    assert problems != Problems([problem], {"missing-loc": 2})
    assert problems != [problem]
    assert list(problems) == [problem]
    assert problems[:1] == (problem,)
    assert repr(problems) == "<Problems {'missing-loc': 1}>"
