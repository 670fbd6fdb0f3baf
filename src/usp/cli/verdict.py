"""What a tree is worth: the exit status of a command hangs on it."""

from usp.objects.sitemap import AbstractSitemap, IndexRobotsTxtSitemap, InvalidSitemap
from usp.problems import Severity


def is_usable(tree: AbstractSitemap) -> bool:
    """Whether there is any sitemap at all that could be read."""
    return any(not isinstance(sitemap, InvalidSitemap | IndexRobotsTxtSitemap) for sitemap in tree.all_sitemaps())


def has_losses(tree: AbstractSitemap) -> bool:
    """Whether a document of the tree lost something."""
    return any(sitemap.problems.worst() in (Severity.LOSS, Severity.FATAL) for sitemap in (tree, *tree.all_sitemaps()))
