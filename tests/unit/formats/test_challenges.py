"""Pages that block us, told from the ordinary pages of sites that use the same services."""

import pytest

from usp.parsing import parse
from usp.problems import Outcome

CHALLENGES = {
    "Cloudflare": "<script>window._cf_chl_opt={cvId:'3',cType:'managed'};</script>",
    "Cloudflare, its script": '<script src="/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1?ray=8"></script>',
    "Cloudflare, blocked": '<div id="cf-error-details"><h1>Sorry, you have been blocked</h1></div>',
    "Cloudflare, before": '<div class="cf-browser-verification cf-im-under-attack"></div>',
    "Imperva": '<iframe src="/_Incapsula_Resource?CWUDNSAI=23&incident_id=1">Incapsula incident ID: 1</iframe>',
    "Distil": "<h1>Pardon Our Interruption...</h1>",
    "DataDome": "<script>var dd={'rt':'c','host':'geo.captcha-delivery.com'}</script>",
    "HUMAN": '<div id="px-captcha"></div>',
    "AWS WAF": '<script>window.awsWafCookieDomainList = []; window.gokuProps = {"key":"A"};</script>',
    "Sucuri": "<script>sucuri_cloudproxy_js='';</script>",
    "Sucuri, denied": '<a href="https://sucuri.net/privacy-policy">Privacy</a>',
    "SiteGround": '<meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2F">',
    "Akamai": '<script src="/_sec/cp_challenge/ak-challenge-4-3.js"></script>',
    "Akamai, denied": "<h1>Access Denied</h1><p>https://errors.edgesuite.net/18.1</p>",
    "DDoS-Guard": '<script src="/.well-known/ddos-guard/js-challenge/index.js"></script>',
    "Vercel": '<a href="https://vercel.link/security-checkpoint">Security Checkpoint</a>',
    "Anubis": '<script id="anubis_challenge" type="application/json">{}</script>',
}

ORDINARY = {
    "Cloudflare": "<script>a.src='/cdn-cgi/challenge-platform/scripts/jsd/main.js';</script>",
    "Cloudflare, before": "<script>a.src='/cdn-cgi/challenge-platform/h/g/scripts/jsd/4/main.js';</script>",
    "Imperva": '<script src="/_Incapsula_Resource?SWJIYLWA=719d34d31c8e3a6e6fffd425f7e032f3"></script>',
    "HUMAN": "<script>window._pxAppId = 'PXabc';</script>",
    "AWS WAF": "<script>window.awsWafCookieDomainList = ['.example.com'];</script>"
    '<script src="https://a.edge.sdk.awswaf.com/a/b/challenge.js"></script>',
    "nobody": "<p>Please solve the captcha to comment. Access denied? Just a moment.</p>",
}


def page(content: str) -> str:
    return f"<html><head><title>A page</title></head><body>{content}</body></html>"


@pytest.mark.parametrize("service", CHALLENGES)
def test_a_challenge_says_that_the_site_blocks_us(service: str) -> None:
    sitemap = parse(page(CHALLENGES[service]))
    assert (sitemap.outcome, [problem.code for problem in sitemap.problems]) == (Outcome.BLOCKED, ["challenge-page"])


@pytest.mark.parametrize("service", ORDINARY)
def test_an_ordinary_page_of_a_guarded_site_is_no_challenge(service: str) -> None:
    sitemap = parse(page(ORDINARY[service]))
    assert (sitemap.outcome, [problem.code for problem in sitemap.problems]) == (Outcome.BROKEN, ["html-page"])
