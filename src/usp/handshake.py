"""What the compiled reader and this package must agree on before it is used.

Law: importing this costs next to nothing, for ``usp --version`` asks too.
"""

from typing import Protocol

BLOCK_VERSION = 1
"""The format of a block of rows, which both sides write; see ``usp.rows``."""

INTERFACE = 1
"""What the functions of the crate take and give; both sides count it up when that changes."""


class Versions(Protocol):
    """What a compiled reader says of itself."""

    INTERFACE: int
    BLOCK_VERSION: int
    __version__: str


def fits(compiled: Versions) -> bool:
    """Whether the compiled reader speaks the same version of everything; what says none at all does not."""
    said = [getattr(compiled, name, None) for name in ("INTERFACE", "BLOCK_VERSION")]
    return said == [INTERFACE, BLOCK_VERSION]
