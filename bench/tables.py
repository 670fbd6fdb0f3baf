"""Tables of plain text."""

from collections.abc import Sequence


def print_table(rows: Sequence[Sequence[str]], left: int) -> None:
    """Print rows of equal length, the first columns aligned to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = zip(row, widths, strict=True)
        print("  ".join(cell.ljust(width) if n < left else cell.rjust(width) for n, (cell, width) in enumerate(cells)))
