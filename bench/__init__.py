"""How fast and how large USP is beside other readers of sitemaps; run by ``make bench``."""
