"""``python -m docs.generators``, run by ``make docs``: writes the generated pages again."""

from docs.generators import write

if __name__ == "__main__":
    write()
