"""``python -m usp``: the command ``usp``."""

import sys

from usp.cli import main

if __name__ == "__main__":
    sys.exit(main())
