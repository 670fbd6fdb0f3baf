"""``python -m usp.demo``: the command ``usp demo``."""

import sys

from usp.cli import main

if __name__ == "__main__":
    sys.exit(main(["demo", *sys.argv[1:]]))
