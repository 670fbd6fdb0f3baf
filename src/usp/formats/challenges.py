"""The marks of pages that ask who we are instead of answering: a site that shows one blocks us.

A mark is something that a challenge needs in order to work. What its service puts on every page that it guards is none:
there a page that is no sitemap is just that, and the site does not block us.
"""

import re

_MARKS = (
    "/cdn-cgi/challenge-platform/h/b/orchestrate",  # Cloudflare; other scripts of it are on ordinary pages, too
    "/cdn-cgi/challenge-platform/h/g/orchestrate",
    "window._cf_chl_opt",
    "cf-error-details",  # Cloudflare, "Sorry, you have been blocked"
    "cf-browser-verification",
    "_Incapsula_Resource?CWUDNSAI",  # Imperva; with another parameter it is on ordinary pages, too
    "Incapsula incident ID",
    "Pardon Our Interruption",  # Imperva, formerly Distil
    "captcha-delivery.com",  # DataDome
    "px-captcha",  # HUMAN, formerly PerimeterX; its _pxAppId is on ordinary pages, too
    "window.gokuProps",  # AWS WAF; its challenge.js is on ordinary pages, too
    "sucuri_cloudproxy_js",  # Sucuri
    "sucuri.net/privacy-policy",  # Sucuri, "Access Denied"
    "sgcaptcha",  # SiteGround
    "/_sec/cp_challenge/",  # Akamai
    "errors.edgesuite.net",  # Akamai, "Access Denied"
    "ddos-guard/js-challenge",
    "vercel.link/security-checkpoint",
    "anubis_challenge",
)

_MARK = re.compile("|".join(map(re.escape, _MARKS)), re.IGNORECASE)


def challenge_mark(text: str) -> str | None:
    """The first mark of a challenge in an HTML page, or None.

    >>> challenge_mark('<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>')
    '/cdn-cgi/challenge-platform/h/b/orchestrate'
    """
    found = _MARK.search(text)
    return found[0] if found else None
