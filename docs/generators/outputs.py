"""The page of formats and fields, from their tables in ``usp.outputs``."""

from usp.outputs import FIELDS, OUTPUTS

INTRODUCTION = """\
<!-- Written by docs/generators/outputs.py from usp.outputs: change it there, then run `make docs`. -->

# Formats and fields

## Formats

| format | what it is | streams |
|---|---|---|
"""

FIELDS_INTRODUCTION = """
What streams needs no whole tree, and memory stays flat however many pages there are.

## Fields

The columns of tables and the keys of JSON, in this order; `--fields` and `fields=` choose.

| field | what it holds |
|---|---|
"""


def page() -> str:
    """The whole page."""
    formats = (f"| `{output.name}` | {output.sentence} | {'yes' if output.streams else ''} |\n" for output in OUTPUTS)
    fields = (f"| `{field.name}` | {field.sentence} |\n" for field in FIELDS)
    return "".join([INTRODUCTION, *formats, FIELDS_INTRODUCTION, *fields])
