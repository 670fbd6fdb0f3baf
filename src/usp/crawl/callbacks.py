"""The callbacks by which a caller chooses what is followed; their names are promised."""

from collections.abc import Callable

RecurseCallbackType = Callable[[str, int, set[str]], bool]
"""``(url, recursion_level, parent_urls)`` -> whether to follow this sitemap. The level is its parent's; the URLs are
those of its ancestors, the parent among them."""

RecurseListCallbackType = Callable[[list[str], int, set[str]], list[str]]
"""``(urls, recursion_level, parent_urls)`` -> the sitemaps to follow, of all that one document declares."""
