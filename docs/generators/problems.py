"""The page of all problems, from the catalogue in ``usp.problems``."""

from usp.problems import CATALOGUE, KEPT_A_CODE, Severity

INTRODUCTION = f"""\
<!-- Written by docs/generators/problems.py from usp.problems.CATALOGUE: change it there, then run `make docs`. -->

# Problems

Reading a sitemap never raises for what a site does wrong. What was tolerated, dropped or unusable is listed in
`sitemap.problems`, each problem with its code, severity, URL, a detail and, where one makes sense, a line. Of each code
the first {KEPT_A_CODE} are kept; `sitemap.problems.counts` has the exact number of all.

| severity | meaning |
|---|---|
| `{Severity.NOTE}` | tolerated; nothing is missing |
| `{Severity.LOSS}` | something was dropped |
| `{Severity.FATAL}` | nothing usable |

What single values mean (dates, priorities, change frequencies, long URLs) is judged on request only, by
`usp.parsing.value_problems(sitemap)`; every other code is found while reading.

| code | severity | what it says | what the owner of the site can do |
|---|---|---|---|
"""


def page() -> str:
    """The whole page."""
    rows = (
        f"| `{code}` | {entry.severity} | {entry.sentence} | {entry.remedy} |\n" for code, entry in CATALOGUE.items()
    )
    return INTRODUCTION + "".join(rows)
