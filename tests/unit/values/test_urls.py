from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from usp.exceptions import StripURLToHomepageException
from usp.values.urls import (
    HTTP_URL,
    has_white_space_or_control,
    identity,
    is_http_url,
    resolve,
    strip_url_to_homepage,
)

HTTP_URLS = [
    "http://example.com",
    "https://example.com/",
    "HTTP://EXAMPLE.COM/x",
    "hTTpS://example.com?x",
    "http://example.com#x",
    "http://localhost:8080/x",
    "http://example.com:/x",
    "http://user:secret@example.com/",
    "http://a@b@example.com/",
    "http://127.0.0.1/",
    "http://[::1]/",
    "http://[::1]:80/",
    "http://[fe80::1%25eth0]/",
    "http://bücher.example/ü b",
    "http://example.com/\n",
]
NO_HTTP_URLS = [
    None,
    "",
    " ",
    "example.com",
    "www.example.com/x",
    "//example.com/x",
    "/x",
    "http",
    "http:",
    "http:/",
    "http://",
    "http:///x",
    "http://?x",
    "http://#x",
    "http://:80/",
    "http://user@/",
    "http://user@:80/",
    "http://[",
    "http://]",
    "http://[::1",
    "http://[]/",
    "http://[example.com]/",
    "http://[::1]x/",
    "http://exa mple.com/",
    "http://example.com:port/",
    "http://example.com\\@other.example/",
    "http://example.com\n",
    " http://example.com/",
    "httpſ://example.com/",
    "ftp://example.com/",
    "mailto:me@example.com",
    "javascript:http://example.com/",
    "data:text/html,http://example.com/",
    "xhttp://example.com/",
]


@pytest.mark.parametrize("url", HTTP_URLS)
def test_http_urls_are_recognised_and_come_back_as_written(url: str) -> None:
    assert is_http_url(url)
    assert HTTP_URL.match(url)
    assert resolve("https://base.example/", url.strip()) == url.strip()


@pytest.mark.parametrize("url", NO_HTTP_URLS)
def test_other_text_is_no_http_url(url: str | None) -> None:
    assert not is_http_url(url)


@pytest.mark.parametrize("url", ["http://", "http:///x", "http://?x", "http://#", "http:// x", "ftp://x", "httpſ://x"])
def test_the_cheap_test_wants_a_scheme_and_the_first_character_of_a_host(url: str) -> None:
    assert not HTTP_URL.match(url)


# RFC 3986, section 5.4; `resolve` gives None where the result is no HTTP(S) URL
RFC_BASE = "http://a/b/c/d;p?q"
RFC_EXAMPLES = [
    ("g:h", None),
    ("g", "http://a/b/c/g"),
    ("./g", "http://a/b/c/g"),
    ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"),
    ("//g", "http://g"),
    ("?y", "http://a/b/c/d;p?y"),
    ("g?y", "http://a/b/c/g?y"),
    ("#s", "http://a/b/c/d;p?q#s"),
    ("g#s", "http://a/b/c/g#s"),
    ("g?y#s", "http://a/b/c/g?y#s"),
    (";x", "http://a/b/c/;x"),
    ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y#s"),
    (".", "http://a/b/c/"),
    ("./", "http://a/b/c/"),
    ("..", "http://a/b/"),
    ("../", "http://a/b/"),
    ("../g", "http://a/b/g"),
    ("../..", "http://a/"),
    ("../../", "http://a/"),
    ("../../g", "http://a/g"),
    ("../../../g", "http://a/g"),
    ("../../../../g", "http://a/g"),
    ("/./g", "http://a/g"),
    ("/../g", "http://a/g"),
    ("g.", "http://a/b/c/g."),
    (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."),
    ("..g", "http://a/b/c/..g"),
    ("./../g", "http://a/b/g"),
    ("./g/.", "http://a/b/c/g/"),
    ("g/./h", "http://a/b/c/g/h"),
    ("g/../h", "http://a/b/c/h"),
    ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
    ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"),
    ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("g#s/../x", "http://a/b/c/g#s/../x"),
    ("http:g", None),
]


@pytest.mark.parametrize(("reference", "url"), RFC_EXAMPLES)
def test_references_are_resolved_as_rfc_3986_shows(reference: str, url: str | None) -> None:
    assert resolve(RFC_BASE, reference) == url


@pytest.mark.parametrize(
    ("base", "reference", "url"),
    [
        ("https://example.com", "x", "https://example.com/x"),
        ("https://example.com?q", "x", "https://example.com/x"),
        ("https://example.com?q", "?r", "https://example.com?r"),
        ("HTTPS://Example.com:443/a", "/x", "HTTPS://Example.com:443/x"),
        ("https://user@example.com/a", "//other.example/x", "https://other.example/x"),
        ("https://example.com/a//b", "../c", "https://example.com/a/c"),
        ("https://example.com/a/", "%2e%2E/%41?%zz#%", "https://example.com/a/%2e%2E/%41?%zz#%"),
        ("https://example.com/a/", "ü b", "https://example.com/a/ü b"),
        ("https://example.com/a/", "x\ny/../z", "https://example.com/a/z"),
        ("https://example.com/a/", "  /x \n", "https://example.com/x"),
        ("https://example.com/a/", "x:80/y", None),
        ("https://example.com/a/", "./x:80/y", "https://example.com/a/x:80/y"),
        ("https://example.com/a/", "//", None),
        ("https://example.com/a/", "///x", None),
        ("https://example.com/a/", "//[", "https://["),
        ("http://[/a/", "x", "http://[/a/x"),
        ("ftp://example.com/a/", "x", None),
        ("nonsense", "/x", None),
        ("", "/x", None),
    ],
)
def test_unusual_references_are_resolved_too(base: str, reference: str, url: str | None) -> None:
    assert resolve(base, reference) == url


@pytest.mark.parametrize("reference", ["/x", "x/y", "//host/x", "?q", "../x", "#top", "x y"])
def test_without_a_base_relative_references_stay_as_they_are(reference: str) -> None:
    assert resolve(None, reference) == reference


@pytest.mark.parametrize("base", [None, "https://example.com/"])
@pytest.mark.parametrize(
    "reference",
    [
        "",
        " \n",
        "javascript:void(0)",
        "MAILTO:a@b",
        "ftp://x/y",
        "data:,x",
        "tel:1",
        "about:blank",
        "http:",
        "https:///",
    ],
)
def test_other_schemes_and_nothing_give_none(base: str | None, reference: str) -> None:
    assert resolve(base, reference) is None


SEGMENT = st.text("ab.%2e~", min_size=1, max_size=4)


@given(st.lists(SEGMENT, min_size=1), st.lists(SEGMENT, min_size=1), st.sampled_from(["", "/", "?a=/../b", "#a/./b"]))
def test_resolving_agrees_with_the_standard_library(base: list[str], reference: list[str], rest: str) -> None:
    url, written = "http://example.com/" + "/".join(base), "/".join(reference) + rest
    assert resolve(url, written) == urljoin(url, written)


@given(st.text(), st.text())
def test_no_text_raises(base: str, reference: str) -> None:
    for url in (reference, "http://" + reference, "//" + reference):
        resolved = resolve("https://" + base, url)
        assert resolved is None or HTTP_URL.match(resolved)
        assert resolve(base, url) is None or HTTP_URL.match(base) or HTTP_URL.match(url.strip())
        assert not is_http_url(url) or HTTP_URL.match(url)
        assert "#" not in identity(url)
        assert identity(identity(url)) == identity(url)


@pytest.mark.parametrize(
    ("url", "homepage"),
    [
        ("http://example.com", "http://example.com/"),
        ("https://example.com:8080/a/b?c#d", "https://example.com:8080/"),
        ("https://example.com?c", "https://example.com/"),
        ("HTTPS://Example.com#d", "HTTPS://Example.com/"),
        ("http://user:secret@[::1]:80/x", "http://user:secret@[::1]:80/"),
        (" https://example.com/x\n", "https://example.com/"),
    ],
)
def test_urls_are_stripped_to_the_home_page(url: str, homepage: str) -> None:
    assert strip_url_to_homepage(url) == homepage


@pytest.mark.parametrize("url", [url for url in NO_HTTP_URLS if url is None or url == url.strip()])
def test_what_is_no_http_url_has_no_home_page(url: str | None) -> None:
    with pytest.raises(StripURLToHomepageException):
        strip_url_to_homepage(url)


@pytest.mark.parametrize(
    ("url", "same"),
    [
        ("http://example.com/x", "http://example.com/x"),
        ("HTTP://EXAMPLE.com/X?Y", "http://example.com/X?Y"),
        ("http://example.com:80/x", "http://example.com/x"),
        ("https://example.com:443", "https://example.com"),
        ("http://example.com:443/x", "http://example.com:443/x"),
        ("https://example.com:80/x", "https://example.com:80/x"),
        ("http://example.com:/x", "http://example.com/x"),
        ("http://example.com:80port/x", "http://example.com:80port/x"),
        ("http://User:Secret@Example.com/x", "http://User:Secret@example.com/x"),
        ("http://[FE80::A]:80/x", "http://[fe80::a]/x"),
        ("http://example.com/x#y", "http://example.com/x"),
        ("http://example.com/%7ex/../y//z?", "http://example.com/%7ex/../y//z?"),
        ("/Relative:80#y", "/Relative:80"),
        ("http://[", "http://["),
    ],
)
def test_identity_keeps_all_but_letter_case_default_port_and_fragment(url: str, same: str) -> None:
    assert identity(url) == same


@pytest.mark.parametrize("character", [" ", "\t", "\n", "\x00", "\x1f", "\x7f", "\x85", "\u00a0", "\u2028", "\u3000"])
def test_white_space_and_control_characters_are_seen(character: str) -> None:
    assert has_white_space_or_control(f"http://example.com/{character}x")


def test_other_characters_are_no_white_space() -> None:
    assert not has_white_space_or_control("http://example.com/ü?a=%20%0A&b=\N{PILE OF POO}")


@pytest.mark.parametrize("filling", ["a", "@", "a@", "/", "/.", "../", "/..", ":", "[", "?", "#", "%2e", " ", "a:"])
def test_megabytes_are_no_trouble(filling: str) -> None:
    """Linear work takes a twentieth of a second; quadratic work would take hours."""
    long = "http://example.com/" + (filling * (1_000_000 // len(filling))).strip()
    assert resolve("http://base.example/", long) == resolve(None, long) == long
    for url in (long, "http://" + long[19:], long[19:], "//" + long[19:]):
        assert is_http_url(url) <= bool(HTTP_URL.match(url))
        assert identity(identity(url)) == identity(url)
        resolved = resolve(url, "x"), resolve("http://base.example/", url)
        assert all(found is None or HTTP_URL.match(found) for found in resolved)
        assert has_white_space_or_control(url) == (" " in url)


def test_the_standard_library_would_have_raised() -> None:
    with pytest.raises(ValueError, match="Invalid IPv6 URL"):
        urlsplit("http://[")
    assert not is_http_url("http://[")
