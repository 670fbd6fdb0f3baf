"""The pages of ``docs/`` that programs write: each module gives the text of some; ``make docs`` writes them all."""

from collections.abc import Callable, Mapping
from pathlib import Path

from docs.generators import api, cli, demo_site, outputs, problems

FOLDER = Path(__file__).parent.parent

PAGES: Mapping[str, Callable[[], str]] = {
    "reference/cli.md": cli.page,
    "reference/problems.md": problems.page,
    "reference/outputs.md": outputs.page,
    "reference/demo-site.md": demo_site.page,
    **api.PAGES,
}
"""The path of every generated page below ``docs/``, and what gives its text."""


def write() -> None:
    """Write every page anew."""
    for path, page in PAGES.items():
        file = FOLDER / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(page(), encoding="utf-8")
