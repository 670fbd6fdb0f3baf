"""The page of the sample site, from its table in ``usp.demo.site``."""

from usp.demo.site import SECTIONS

INTRODUCTION = """\
<!-- Written by docs/generators/demo_site.py from usp.demo.site.SECTIONS: change it there, then run `make docs`. -->

# The sample site

The Example Museum comes with USP. `usp demo` serves it on this machine and crawls it, `usp demo --serve` keeps it up:
to try commands and programs on, without a network and without troubling anybody. It answers these paths, and 404 for
all others.
"""


def page() -> str:
    """The whole page."""
    parts = [INTRODUCTION]
    for section, exhibits in SECTIONS.items():
        rows = (f"| `{path}` | {exhibit.sentence.replace('<', '&lt;')} |\n" for path, exhibit in exhibits.items())
        parts.append(f"\n## {section}\n\n| path | what it is |\n|---|---|\n{''.join(rows)}")
    return "".join(parts)
