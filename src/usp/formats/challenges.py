"""The marks of pages that ask who we are instead of answering: a site that shows one blocks us.

One row a service; a mark is something that its challenge needs in order to work, not a phrase that a page may also say.
"""

import re

_MARKS = (
    "/cdn-cgi/challenge-platform/",  # Cloudflare, while it checks the browser
    "window._cf_chl_opt",
    "cf-error-details",  # Cloudflare, "Sorry, you have been blocked"
    "cf-browser-verification",
    "_Incapsula_Resource",  # Imperva
    "Pardon Our Interruption",  # Imperva, formerly Distil
    "captcha-delivery.com",  # DataDome
    "px-captcha",  # HUMAN, formerly PerimeterX
    "window._pxAppId",
    "awsWafCookieDomainList",  # AWS WAF
    "token.awswaf.com",
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

    >>> challenge_mark('<script src="/cdn-cgi/challenge-platform/h/b/orchestrate.js"></script>')
    '/cdn-cgi/challenge-platform/'
    """
    found = _MARK.search(text)
    return found[0] if found else None
