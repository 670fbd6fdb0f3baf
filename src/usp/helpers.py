"""Promised helper functions, gathered from their real homes. The core never imports this module."""

from usp.decoding.gunzip import gunzip
from usp.values.dates import parse_iso8601_date, parse_rfc2822_date
from usp.values.text import html_unescape_strip
from usp.values.urls import is_http_url, strip_url_to_homepage

__all__ = [
    "gunzip",
    "html_unescape_strip",
    "is_http_url",
    "parse_iso8601_date",
    "parse_rfc2822_date",
    "strip_url_to_homepage",
]
