"""The exit statuses of all commands."""

FINE = 0
FAILED = 1
"""Nothing usable: unreachable, blocked, no sitemap."""
USAGE = 2
"""The command cannot be run as it was given."""
LOSSES = 3
"""Under ``--strict``: pages may be missing."""
INTERRUPTED = 130
"""Ctrl-C."""
