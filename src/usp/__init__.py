"""USP finds, fetches, reads and keeps every sitemap of a web site."""

__version__ = "1.0.0a1"
