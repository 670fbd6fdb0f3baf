"""Promised helper functions, gathered from their real homes. The core never imports this module."""

from usp.crawl.callbacks import RecurseCallbackType, RecurseListCallbackType
from usp.decoding.gunzip import gunzip
from usp.values.dates import parse_iso8601_date, parse_rfc2822_date
from usp.values.text import html_unescape_strip
from usp.values.urls import is_http_url, strip_url_to_homepage
from usp.web_client.asking import get_url_retry_on_client_errors
from usp.web_client.content import ungzipped_response_content

__all__ = [
    "RecurseCallbackType",
    "RecurseListCallbackType",
    "get_url_retry_on_client_errors",
    "gunzip",
    "html_unescape_strip",
    "is_http_url",
    "parse_iso8601_date",
    "parse_rfc2822_date",
    "strip_url_to_homepage",
    "ungzipped_response_content",
]
