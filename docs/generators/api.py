"""The pages of the programming interface, from the docstrings: which page has which names."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from docs.generators.docstrings import section

NOTE = "<!-- Written by docs/generators/api.py from the docstrings: change them there, then run `make docs`. -->"


class ApiPage(NamedTuple):
    """One page: its title, what is to be said first, and the public names on it."""

    title: str
    introduction: str
    names: tuple[str, ...]


API: Mapping[str, ApiPage] = {
    "crawling": ApiPage(
        "Crawling a site",
        "Both faces of the engine. What is said of a function for threads is true of its asynchronous twin.",
        (
            "usp.sitemap_tree_for_homepage",
            "usp.stream_pages",
            "usp.tree.PageStream",
            "usp.tree.StreamedPage",
            "usp.aio.sitemap_tree_for_homepage",
            "usp.aio.stream_pages",
            "usp.aio.AsyncPageStream",
            "usp.options.CrawlOptions",
            "usp.options.NewOptions",
        ),
    ),
    "reading": ApiPage(
        "Reading one document",
        "Nothing here uses a network.",
        ("usp.parse", "usp.tree.sitemap_from_str", "usp.value_problems"),
    ),
    "objects": ApiPage(
        "Sitemaps and pages",
        "What a crawl, and the reading of a document, gives.",
        (
            "usp.objects.sitemap.AbstractSitemap",
            "usp.objects.sitemap.InvalidSitemap",
            "usp.objects.sitemap.AbstractIndexSitemap",
            "usp.objects.sitemap.IndexWebsiteSitemap",
            "usp.objects.sitemap.IndexRobotsTxtSitemap",
            "usp.objects.sitemap.IndexXMLSitemap",
            "usp.objects.sitemap.AbstractPagesSitemap",
            "usp.objects.sitemap.PagesXMLSitemap",
            "usp.objects.sitemap.PagesTextSitemap",
            "usp.objects.sitemap.PagesRSSSitemap",
            "usp.objects.sitemap.PagesAtomSitemap",
            "usp.objects.attempt.Attempt",
            "usp.objects.page.SitemapPage",
            "usp.objects.page.SitemapPageChangeFrequency",
            "usp.objects.page.SitemapNewsStory",
            "usp.objects.page.SitemapImage",
            "usp.objects.page.SitemapVideo",
            "usp.objects.page.SitemapVideoPrice",
            "usp.objects.page.SITEMAP_PAGE_DEFAULT_PRIORITY",
        ),
    ),
    "outputs": ApiPage(
        "Outputs",
        "A tree or a stream of pages in; text, bytes or a table out. [Formats and fields](../outputs.md) lists both.",
        (
            "usp.outputs.to_pandas",
            "usp.outputs.to_arrow",
            "usp.outputs.write_parquet",
            "usp.outputs.write_csv",
            "usp.outputs.write_jsonl",
            "usp.outputs.write_json",
            "usp.outputs.write_pages",
            "usp.outputs.write_tree",
            "usp.outputs.write_tabtree",
        ),
    ),
    "problems": ApiPage(
        "Outcomes, problems and events",
        "What sites do wrong is never raised. All codes are listed under [Problems](../problems.md).",
        ("usp.Outcome", "usp.Severity", "usp.Problem", "usp.Problems", "usp.EventKind", "usp.Event"),
    ),
    "options": ApiPage(
        "Limits, retries, politeness, guard, sources",
        "Frozen values with safe defaults: give what should be different, by name.",
        (
            "usp.Limits",
            "usp.Retry",
            "usp.Politeness",
            "usp.Guard",
            "usp.crawl.sources.RobotsTxt",
            "usp.crawl.sources.KnownPaths",
            "usp.crawl.sources.HomepageLinks",
            "usp.crawl.sources.GivenSitemaps",
            "usp.crawl.sources.Source",
            "usp.crawl.sources.Seed",
            "usp.crawl.sources.Role",
        ),
    ),
    "fetching": ApiPage(
        "Fetchers and web clients",
        "What fetches. A `Fetcher` is the interface of USP; an `AbstractWebClient` that of older programs.",
        (
            "usp.AiohttpFetcher",
            "usp.MemoryFetcher",
            "usp.fetching.fetcher.Fetcher",
            "usp.fetching.fetcher.Fetch",
            "usp.messages.Request",
            "usp.messages.Response",
            "usp.messages.Failure",
            "usp.web_client.abstract_client.AbstractWebClient",
            "usp.web_client.abstract_client.AbstractWebClientSuccessResponse",
            "usp.web_client.abstract_client.WebClientErrorResponse",
            "usp.web_client.abstract_client.LocalWebClient",
            "usp.web_client.abstract_client.LocalWebClientSuccessResponse",
            "usp.web_client.abstract_client.RequestWaiter",
            "usp.web_client.abstract_client.RETRYABLE_HTTP_STATUS_CODES",
            "usp.web_client.requests_client.RequestsWebClient",
            "usp.web_client.requests_client.RequestsWebClientSuccessResponse",
            "usp.web_client.requests_client.RequestsWebClientErrorResponse",
        ),
    ),
    "helpers": ApiPage(
        "Helpers and parsers of older programs",
        "Promised names, kept where they were.",
        (
            "usp.fetch_parse.SitemapFetcher",
            "usp.fetch_parse.SitemapStrParser",
            "usp.fetch_parse.AbstractSitemapParser",
            "usp.fetch_parse.AbstractXMLSitemapParser",
            "usp.fetch_parse.XMLSitemapParser",
            "usp.fetch_parse.IndexRobotsTxtSitemapParser",
            "usp.fetch_parse.IndexXMLSitemapParser",
            "usp.fetch_parse.PagesXMLSitemapParser",
            "usp.fetch_parse.PagesRSSSitemapParser",
            "usp.fetch_parse.PagesAtomSitemapParser",
            "usp.fetch_parse.PlainTextSitemapParser",
            "usp.helpers.is_http_url",
            "usp.helpers.html_unescape_strip",
            "usp.helpers.parse_iso8601_date",
            "usp.helpers.parse_rfc2822_date",
            "usp.helpers.get_url_retry_on_client_errors",
            "usp.helpers.gunzip",
            "usp.helpers.ungzipped_response_content",
            "usp.helpers.strip_url_to_homepage",
            "usp.helpers.RecurseCallbackType",
            "usp.helpers.RecurseListCallbackType",
        ),
    ),
    "exceptions": ApiPage(
        "Exceptions",
        "Raised for a caller's own mistake only; what a site does wrong is a problem.",
        (
            "usp.SitemapException",
            "usp.InvalidOptionException",
            "usp.InvalidSourceException",
            "usp.InvalidWebClientException",
            "usp.exceptions.MissingDependencyException",
            "usp.exceptions.SitemapXMLParsingException",
            "usp.exceptions.GunzipException",
            "usp.exceptions.StripURLToHomepageException",
            "usp.exceptions.NoWebClientException",
        ),
    ),
}


def _page(page: ApiPage) -> str:
    return "\n".join([NOTE, "", f"# {page.title}", "", page.introduction, "", *map(section, page.names)])


PAGES: Mapping[str, Callable[[], str]] = {
    f"reference/api/{name}.md": partial(_page, page) for name, page in API.items()
}
