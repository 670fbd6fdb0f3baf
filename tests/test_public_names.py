"""The names promised to programs: where they are, what they take, what they descend from.

A signature is written as a lambda. What follows the promised parameters in ours must be optional.
"""

import ast
import importlib
import inspect
from collections.abc import Callable
from decimal import Decimal
from enum import Enum
from http import HTTPStatus
from pathlib import Path
from typing import Any, get_origin

import pytest

import usp
from usp.limits import DEFAULT_LIMITS

SIGNATURES: dict[str, Callable[..., None]] = {
    "usp.parse": lambda source, *, url=None, headers=None, limits=DEFAULT_LIMITS: None,
    "usp.tree.sitemap_from_str": lambda content: None,
    "usp.tree.sitemap_tree_for_homepage": lambda homepage_url, web_client=None, use_robots=True, use_known_paths=True,
        extra_known_paths=None, recurse_callback=None, recurse_list_callback=None, normalize_homepage_url=True: None,
    "usp.aio.sitemap_tree_for_homepage": lambda homepage_url, web_client=None, use_robots=True, use_known_paths=True,
        extra_known_paths=None, recurse_callback=None, recurse_list_callback=None, normalize_homepage_url=True: None,
    "usp.tree.stream_pages": lambda homepage_url, *, order="tree": None,
    "usp.aio.stream_pages": lambda homepage_url, *, order="tree": None,
    "usp.fetch_parse.SitemapFetcher": lambda url, recursion_level, web_client=None, parent_urls=None, quiet_404=False,
        recurse_callback=None, recurse_list_callback=None: None,
    "usp.fetch_parse.SitemapFetcher.sitemap": lambda self: None,
    "usp.fetch_parse.SitemapStrParser": lambda static_content: None,
    "usp.parsing.value_problems": lambda sitemap: None,
    "usp.helpers.is_http_url": lambda url: None,
    "usp.helpers.html_unescape_strip": lambda string: None,
    "usp.helpers.parse_iso8601_date": lambda s: None,
    "usp.helpers.parse_rfc2822_date": lambda s: None,
    "usp.helpers.gunzip": lambda data, max_output_bytes=None: None,
    "usp.helpers.strip_url_to_homepage": lambda url: None,
    "usp.helpers.get_url_retry_on_client_errors": lambda url, web_client, retry_count=5, sleep_between_retries=1,
        quiet_404=False: None,
    "usp.helpers.ungzipped_response_content": lambda url, response, max_uncompressed_bytes=None: None,
    "usp.web_client.abstract_client.AbstractWebClient.set_max_response_data_length":
        lambda self, max_response_data_length: None,
    "usp.web_client.abstract_client.AbstractWebClient.get": lambda self, url: None,
    "usp.web_client.abstract_client.AbstractWebClientSuccessResponse.status_code": lambda self: None,
    "usp.web_client.abstract_client.AbstractWebClientSuccessResponse.status_message": lambda self: None,
    "usp.web_client.abstract_client.AbstractWebClientSuccessResponse.header": lambda self, case_insensitive_name: None,
    "usp.web_client.abstract_client.AbstractWebClientSuccessResponse.raw_data": lambda self: None,
    "usp.web_client.abstract_client.AbstractWebClientSuccessResponse.url": lambda self: None,
    "usp.web_client.abstract_client.WebClientErrorResponse": lambda message, retryable: None,
    "usp.web_client.abstract_client.WebClientErrorResponse.message": lambda self: None,
    "usp.web_client.abstract_client.WebClientErrorResponse.retryable": lambda self: None,
    "usp.web_client.abstract_client.LocalWebClient": lambda: None,
    "usp.web_client.abstract_client.LocalWebClientSuccessResponse": lambda url, data: None,
    "usp.web_client.abstract_client.RequestWaiter": lambda wait=None, random_wait=True: None,
    "usp.web_client.abstract_client.RequestWaiter.wait": lambda self: None,
    "usp.web_client.requests_client.RequestsWebClient": lambda verify=True, wait=None, random_wait=False,
        session=None: None,
    "usp.web_client.requests_client.RequestsWebClient.set_timeout": lambda self, timeout: None,
    "usp.web_client.requests_client.RequestsWebClient.set_proxies": lambda self, proxies: None,
    "usp.web_client.requests_client.RequestsWebClientSuccessResponse": lambda requests_response,
        max_response_data_length=None: None,
    "usp.web_client.requests_client.RequestsWebClientErrorResponse": lambda message, retryable: None,
    "usp.objects.page.SitemapPage": lambda url, priority=Decimal("0.5"), last_modified=None, change_frequency=None,
        news_story=None, images=None, alternates=None: None,
    "usp.objects.page.SitemapNewsStory": lambda title, publish_date, publication_name=None, publication_language=None,
        access=None, genres=None, keywords=None, stock_tickers=None: None,
    "usp.objects.page.SitemapImage": lambda loc, caption=None, geo_location=None, title=None, license_=None: None,
    "usp.objects.sitemap.InvalidSitemap": lambda url, reason: None,
    "usp.objects.sitemap.IndexWebsiteSitemap": lambda url, sub_sitemaps: None,
    "usp.objects.sitemap.IndexRobotsTxtSitemap": lambda url, sub_sitemaps: None,
    "usp.objects.sitemap.IndexXMLSitemap": lambda url, sub_sitemaps: None,
    "usp.objects.sitemap.PagesXMLSitemap": lambda url, pages: None,
    "usp.objects.sitemap.PagesTextSitemap": lambda url, pages: None,
    "usp.objects.sitemap.PagesRSSSitemap": lambda url, pages: None,
    "usp.objects.sitemap.PagesAtomSitemap": lambda url, pages: None,
}  # fmt: skip

BASES = {
    "usp.exceptions.SitemapException": "builtins.Exception",
    "usp.exceptions.SitemapXMLParsingException": "usp.exceptions.SitemapException",
    "usp.exceptions.GunzipException": "usp.exceptions.SitemapException",
    "usp.exceptions.StripURLToHomepageException": "usp.exceptions.SitemapException",
    "usp.objects.page.SitemapPageChangeFrequency": "enum.Enum",
    "usp.objects.sitemap.InvalidSitemap": "usp.objects.sitemap.AbstractSitemap",
    "usp.objects.sitemap.AbstractIndexSitemap": "usp.objects.sitemap.AbstractSitemap",
    "usp.objects.sitemap.AbstractPagesSitemap": "usp.objects.sitemap.AbstractSitemap",
    "usp.objects.sitemap.IndexWebsiteSitemap": "usp.objects.sitemap.AbstractIndexSitemap",
    "usp.objects.sitemap.IndexRobotsTxtSitemap": "usp.objects.sitemap.AbstractIndexSitemap",
    "usp.objects.sitemap.IndexXMLSitemap": "usp.objects.sitemap.AbstractIndexSitemap",
    "usp.objects.sitemap.PagesXMLSitemap": "usp.objects.sitemap.AbstractPagesSitemap",
    "usp.objects.sitemap.PagesTextSitemap": "usp.objects.sitemap.AbstractPagesSitemap",
    "usp.objects.sitemap.PagesRSSSitemap": "usp.objects.sitemap.AbstractPagesSitemap",
    "usp.objects.sitemap.PagesAtomSitemap": "usp.objects.sitemap.AbstractPagesSitemap",
    "usp.fetch_parse.IndexRobotsTxtSitemapParser": "usp.fetch_parse.AbstractSitemapParser",
    "usp.fetch_parse.PlainTextSitemapParser": "usp.fetch_parse.AbstractSitemapParser",
    "usp.fetch_parse.XMLSitemapParser": "usp.fetch_parse.AbstractSitemapParser",
    "usp.fetch_parse.IndexXMLSitemapParser": "usp.fetch_parse.AbstractXMLSitemapParser",
    "usp.fetch_parse.PagesXMLSitemapParser": "usp.fetch_parse.AbstractXMLSitemapParser",
    "usp.fetch_parse.PagesRSSSitemapParser": "usp.fetch_parse.AbstractXMLSitemapParser",
    "usp.fetch_parse.PagesAtomSitemapParser": "usp.fetch_parse.AbstractXMLSitemapParser",
    "usp.web_client.abstract_client.AbstractWebClient": "abc.ABC",
    "usp.web_client.abstract_client.AbstractWebClientResponse": "abc.ABC",
    "usp.web_client.abstract_client.AbstractWebClientSuccessResponse":
        "usp.web_client.abstract_client.AbstractWebClientResponse",
    "usp.web_client.abstract_client.WebClientErrorResponse": "usp.web_client.abstract_client.AbstractWebClientResponse",
    "usp.web_client.abstract_client.LocalWebClient": "usp.web_client.abstract_client.AbstractWebClient",
    "usp.web_client.abstract_client.LocalWebClientSuccessResponse":
        "usp.web_client.abstract_client.AbstractWebClientSuccessResponse",
    "usp.web_client.abstract_client.NoWebClientException": "builtins.Exception",
    "usp.web_client.requests_client.RequestsWebClient": "usp.web_client.abstract_client.AbstractWebClient",
    "usp.web_client.requests_client.RequestsWebClientSuccessResponse":
        "usp.web_client.abstract_client.AbstractWebClientSuccessResponse",
    "usp.web_client.requests_client.RequestsWebClientErrorResponse":
        "usp.web_client.abstract_client.WebClientErrorResponse",
}  # fmt: skip

SITEMAP_ATTRIBUTES = {
    "url", "pages", "sub_sitemaps", "all_pages", "all_sitemaps", "to_dict",
    "problems", "outcome", "complete", "lastmod",
}  # fmt: skip

PAGE_KEYS = ["url", "priority", "last_modified", "change_frequency", "news_story", "images"]
STORY_KEYS = [
    "title", "publish_date", "publication_name", "publication_language",
    "access", "genres", "keywords", "stock_tickers",
]  # fmt: skip
IMAGE_KEYS = ["loc", "caption", "geo_location", "title", "license"]


def promised(name: str) -> Any:
    owner, _, attribute = name.rpartition(".")
    is_class = owner.rpartition(".")[2][0].isupper()
    return getattr(promised(owner) if is_class else importlib.import_module(owner), attribute)


def told(parameter: inspect.Parameter) -> tuple[str, object, object]:
    """What a caller can see of a parameter. A struct's fresh empty list stands for None, which is taken too."""
    default = None if repr(parameter.default) == "<factory>" else parameter.default
    return parameter.name, parameter.kind, default


@pytest.mark.parametrize("name", SIGNATURES)
def test_promised_callables_take_the_promised_arguments(name: str) -> None:
    wanted = inspect.signature(SIGNATURES[name]).parameters.values()
    found = list(inspect.signature(promised(name)).parameters.values())
    assert list(map(told, found[: len(wanted)])) == list(map(told, wanted))
    assert all(p.kind is p.VAR_KEYWORD or p.default is not p.empty for p in found[len(wanted) :])


@pytest.mark.parametrize("name", BASES)
def test_promised_classes_descend_from_the_promised_ones(name: str) -> None:
    assert issubclass(promised(name), promised(BASES[name]))


@pytest.mark.parametrize("kind", ["PagesXML", "PagesRSS", "PagesAtom"])
def test_the_parser_of_pages_has_a_row_that_becomes_a_page(kind: str) -> None:
    assert callable(promised(f"usp.fetch_parse.{kind}SitemapParser").Page.page)


@pytest.mark.parametrize("name", [name for name in SIGNATURES if name.startswith("usp.objects.sitemap.")])
def test_sitemaps_have_the_promised_attributes(name: str) -> None:
    second = "why" if name.endswith("InvalidSitemap") else []
    sitemap = promised(name)("https://example.org/sitemap.xml", second)
    assert {attribute for attribute in SITEMAP_ATTRIBUTES if not hasattr(sitemap, attribute)} == set()
    assert not hasattr(sitemap, "__len__")
    assert not hasattr(sitemap, "__iter__")


def test_pages_and_their_parts_become_dictionaries_with_exactly_the_promised_keys() -> None:
    from usp.objects.page import SitemapImage, SitemapNewsStory, SitemapPage

    story = SitemapNewsStory("title", None)
    image = SitemapImage("https://example.org/a.png")
    page = SitemapPage("https://example.org/", news_story=story, images=[image])
    assert list(page.to_dict()) == PAGE_KEYS
    assert list(story.to_dict()) == STORY_KEYS
    assert list(image.to_dict()) == IMAGE_KEYS


def test_the_lists_of_a_story_are_empty_when_absent() -> None:
    from usp.objects.page import SitemapNewsStory

    for story in (SitemapNewsStory("title", None), SitemapNewsStory("title", None, *[None] * 6)):  # type: ignore[arg-type]
        assert [story.genres, story.keywords, story.stock_tickers] == [[], [], []]


def test_change_frequencies_are_the_seven_of_the_protocol() -> None:
    frequency = promised("usp.objects.page.SitemapPageChangeFrequency")
    assert issubclass(frequency, Enum)
    names = ["ALWAYS", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY", "NEVER"]
    assert [(member.name, member.value) for member in frequency] == [(name, name.lower()) for name in names]
    assert frequency.has_value("daily")
    assert not frequency.has_value("fortnightly")


@pytest.mark.parametrize("name", ["RecurseCallbackType", "RecurseListCallbackType"])
def test_the_types_of_callbacks_are_types_of_callables(name: str) -> None:
    assert get_origin(promised(f"usp.helpers.{name}")) is Callable


def test_the_retryable_statuses_can_be_asked_for_membership() -> None:
    statuses = promised("usp.web_client.abstract_client.RETRYABLE_HTTP_STATUS_CODES")
    assert (HTTPStatus.SERVICE_UNAVAILABLE in statuses, HTTPStatus.NOT_FOUND in statuses) == (True, False)


def test_the_default_priority_is_a_half() -> None:
    assert promised("usp.objects.page.SITEMAP_PAGE_DEFAULT_PRIORITY") == Decimal("0.5")


def test_the_root_names_are_sorted_and_all_there() -> None:
    names = promised("usp.__all__")
    assert list(names) == sorted(names)
    assert {name for name in names if not hasattr(usp, name)} == set()
    assert set(names) <= set(dir(usp))


def test_the_version_is_written_as_a_literal() -> None:
    tree = ast.parse(Path(usp.__file__).read_text(encoding="utf-8"))
    values = [
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__version__"
    ]
    assert values == [usp.__version__]
