"""Sites to run commands on, as answers in memory."""

from collections.abc import Iterable

from usp.fetching.memory import Answer

HOME = "https://example.com/"


def urlset(*pages: str | tuple[str, str]) -> str:
    """A sitemap of paths, or of paths and dates."""
    entries = []
    for page in pages:
        path, lastmod = page if isinstance(page, tuple) else (page, "")
        dated = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
        entries.append(f"<url><loc>{HOME}{path}</loc>{dated}</url>")
    namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return f'<urlset xmlns="{namespace}">{"".join(entries)}</urlset>'


def index(paths: Iterable[str]) -> str:
    namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
    entries = "".join(f"<sitemap><loc>{HOME}{path}</loc></sitemap>" for path in paths)
    return f'<sitemapindex xmlns="{namespace}">{entries}</sitemapindex>'


def robots(*paths: str) -> str:
    return "".join(f"Sitemap: {HOME}{path}\n" for path in paths)


def animals() -> dict[str, Answer]:
    """A good site: an index of two sitemaps, and one at a usual place."""
    return {
        "robots.txt": robots("index.xml"),
        "index.xml": index(["cats.xml", "dogs.xml"]),
        "cats.xml": urlset(("cats/1", "2024-01-10"), ("cats/2", "2024-02-10"), "both"),
        "dogs.xml": urlset(("dogs/1", "2024-03-10"), "both"),
        "sitemap.xml": urlset("birds"),
    }


def ailing() -> dict[str, Answer]:
    """A site with one good sitemap and four that are not."""
    return {
        "robots.txt": robots("good.xml", "gone.xml", "blocked.xml", "cut.xml", "bad.xml"),
        "good.xml": urlset("good"),
        "blocked.xml": (403, {}, "no"),
        "cut.xml": urlset("cut", "lost")[:-30],
        "bad.xml": "<urlset><url><loc>https://example.com/bad</lok></url><url><loc>https://example.com/fine</loc></url></urlset>",
    }
