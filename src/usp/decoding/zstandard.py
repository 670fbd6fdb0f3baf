"""The one place that knows where this Python keeps Zstandard: in its library from 3.14 on, in a backport before.

Law: import it within the function that needs it, never at the top of a module: most sitemaps never meet zstd.
"""

import sys

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

__all__ = ["zstd"]
