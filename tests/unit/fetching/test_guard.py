"""The guard: nothing private is dialled, however it is spelled, but what the caller asked for."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from usp.exceptions import InvalidOptionException
from usp.fetching.guard import CrawlGuard, Guard, guard_of

PRIVATE = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.7",
    "203.0.113.7",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:0:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::10.0.0.1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::7f00:1",
    "64:ff9b:1::808:808",
    "100::1",
    "2001::1",
    "2001:0:4136:e378:8000:63bf:80ff:fffe",
    "2001:2::1",
    "2001:10::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:a00:1::1",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
]

PUBLIC = [
    "1.1.1.1",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.1",
    "192.169.0.0",
    "223.255.255.255",
    "2606:4700::1111",
    "2a00:1450:4001::8",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
    "2002:808:808::1",
]

LOOPBACK_LITERALS = [
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "127.0.1",
    "0127.0.0.1",
    "0177.0.0.1",
    "0177.0.0.01",
    "0x7f.0.0.1",
    "0X7F.1",
    "0x7f000001",
    "0x000000007f000001",
    "2130706433",
    "017700000001",
    "00000000000017700000001",
    "0",
    "0x",
    "0.0",
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::FFFF:7F00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::7f00:1]",
    "[2002:7f00:1::]",
    "[2001:0:7f00:1::]",
    "[::1%25lo]",
    "[fe80::1%25eth0]",
    "[fe80::1%eth0]",
    "%31%32%37.0.0.1",
    "127%2e0%2E0%2e1",
    "%31%32%37%2E%30%2E%30%2E%31",
    "１２７.０.０.１",
    "127。0。0。1",
    "①②⑦.0.0.1",
    "%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "metadata.localhost",
    "a.b.LocalHost.",
    "%6cocalhost",
    "ｌocalhost",
]

NUMBERS_THAT_ARE_NO_ADDRESS = ["256.1.1.1", "1.2.3.4.5", "4294967296", "1.2.3.0x1ffffffff", "example.1"]


def crawl_guard(homepage: str = "https://example.com/", **options: Any) -> CrawlGuard:
    return CrawlGuard(Guard(**options), homepage)


def guard_at(homepage: str, *addresses: str, strict: bool = False, public: Sequence[str] = ()) -> CrawlGuard:
    guard = CrawlGuard(Guard(strict=strict, public=public, resolver=lambda host: addresses), homepage)
    asyncio.run(guard.look_up_homepage())
    return guard


@pytest.mark.parametrize("address", PRIVATE)
def test_a_private_address_is_not_dialled_whatever_name_leads_there(address: str) -> None:
    assert not crawl_guard().may_dial("example.com", address)
    assert not crawl_guard().may_dial("example.org", address)


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_dialled(address: str) -> None:
    assert crawl_guard().may_dial("example.org", address)


@pytest.mark.parametrize("address", [*PUBLIC, *(address for address in PRIVATE if "%" not in address)])
def test_a_literal_in_a_url_is_judged_as_its_address_is(address: str) -> None:
    host = f"[{address}]" if ":" in address else address
    assert crawl_guard().may_ask(f"http://{host}:8080/sitemap.xml") is (address in PUBLIC)


@pytest.mark.parametrize("host", LOOPBACK_LITERALS)
@pytest.mark.parametrize(
    "form", ["http://{}/", "HTTPS://{}", "http://{}:8080/a?b#c", "http://user:pass@{}?x", "http://a@b@{}#"]
)
def test_a_private_literal_is_refused_in_every_spelling(host: str, form: str) -> None:
    assert not crawl_guard().may_ask(form.format(host))


@pytest.mark.parametrize("host", ["134744072", "0x8080808", "8.8.2056", "[::ffff:8.8.8.8]", "８.8.8.8"])
def test_a_public_literal_is_asked_in_every_spelling(host: str) -> None:
    assert crawl_guard().may_ask(f"http://{host}/")


def test_a_leading_zero_is_read_as_octal_and_as_nothing_and_both_must_be_public() -> None:
    assert not crawl_guard().may_ask("http://010.8.8.8/")  # 8.8.8.8 or 10.8.8.8
    assert not crawl_guard().may_ask("http://0127.0.0.1/")  # 87.0.0.1 or 127.0.0.1
    assert crawl_guard().may_ask("http://013.8.8.8/")  # 11.8.8.8 or 13.8.8.8


@pytest.mark.parametrize("host", NUMBERS_THAT_ARE_NO_ADDRESS)
def test_a_number_that_is_no_address_is_refused_since_no_name_ends_in_one(host: str) -> None:
    assert not crawl_guard().may_ask(f"http://{host}/")


@pytest.mark.parametrize(
    "host",
    [
        "example.org",
        "bücher.example",
        "localhost.example.org",
        "notlocalhost",
        "127.0.0.1.nip.io",
        "0x7f.example",
        "a_b.example",
    ],
)
def test_a_name_may_be_asked_for_dialling_decides(host: str) -> None:
    assert crawl_guard().may_ask(f"http://{host}/")


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1\\@example.org/",
        "http://example.org\\@127.0.0.1/",
        "http://127.0.0.1 .example.org/",
        "http://127.0.0.1\t/",
        "http://127.0.0.1%00.example.org/",
        "http://127.0.0.1%20/",
        "http://[::1/",
        "http://[::1]evil/",
        "http:///path",
        "http://@/",
        "ftp://example.org/",
        "example.org",
        "",
    ],
)
def test_a_url_that_clients_disagree_about_is_refused(url: str) -> None:
    assert not crawl_guard().may_ask(url)


def test_the_userinfo_is_not_the_host() -> None:
    assert crawl_guard().may_ask("http://127.0.0.1@example.org/")
    assert not crawl_guard().may_ask("http://example.org@127.0.0.1/")
    assert not crawl_guard().may_ask("http://example.org:80@127.0.0.1:80/")


def test_the_homepage_may_be_dialled_where_it_first_resolved_to_and_nowhere_else() -> None:
    guard = guard_at("http://intranet.example:8080/", "10.0.0.7", "fd00::7")
    assert guard.may_dial("intranet.example", "10.0.0.7")
    assert guard.may_dial("INTRANET.example", "fd00:0::7")
    assert not guard.may_dial("intranet.example", "10.0.0.8")


def test_the_exemption_is_for_the_host_of_the_homepage_alone() -> None:
    guard = guard_at("http://intranet.example/", "10.0.0.7")
    assert not guard.may_dial("other.example", "10.0.0.7")
    assert not guard.may_dial("www.intranet.example", "10.0.0.7")
    assert not guard.may_dial("10.0.0.7", "10.0.0.7")
    assert not guard.may_ask("http://10.0.0.7/")


def test_a_homepage_given_by_its_address_is_exempt_without_a_look_up() -> None:
    guard = guard_at("http://127.0.0.1:8000/")
    assert guard.may_ask("http://127.0.0.1:9000/sitemap.xml")
    assert guard.may_dial("127.0.0.1", "127.0.0.1")
    assert not guard.may_ask("http://127.0.0.2/")
    assert not guard.may_ask("http://localhost/")
    assert not guard.may_dial("localhost", "127.0.0.1")


def test_a_homepage_given_by_an_ipv6_address_is_exempt() -> None:
    guard = guard_at("http://[0:0::1]:8000/")
    assert guard.may_ask("http://[::1]/")
    assert guard.may_dial("::1", "::1")
    assert guard.may_dial("[::1]", "::1")


def test_a_homepage_on_localhost_is_exempt() -> None:
    guard = guard_at("http://localhost:8000/", "127.0.0.1", "::1")
    assert guard.may_ask("http://LOCALHOST:8000/sitemap.xml")
    assert guard.may_dial("localhost", "::1")
    assert not guard.may_ask("http://other.localhost/")
    assert not guard.may_ask("http://127.0.0.1:8000/")


def test_an_idn_homepage_is_the_same_host_in_either_spelling() -> None:
    guard = guard_at("http://bücher.example/", "10.0.0.7")
    assert guard.may_dial("xn--bcher-kva.example", "10.0.0.7")
    assert guard.may_dial("BÜCHER.example", "10.0.0.7")


def test_a_strict_guard_exempts_nobody_and_looks_nothing_up() -> None:
    asked: list[str] = []

    def resolver(host: str) -> Sequence[str]:
        asked.append(host)
        return ["127.0.0.1"]

    guard = CrawlGuard(Guard(strict=True, resolver=resolver), "http://localhost/")
    asyncio.run(guard.look_up_homepage())
    assert not guard.may_ask("http://localhost/")
    assert not guard.may_dial("localhost", "127.0.0.1")
    assert asked == []


@pytest.mark.parametrize("fault", [OSError("no such name"), UnicodeError("label too long"), RuntimeError("broken")])
def test_a_failed_look_up_exempts_nothing_and_raises_nothing(fault: Exception) -> None:
    def resolver(host: str) -> Sequence[str]:
        raise fault

    guard = CrawlGuard(Guard(resolver=resolver), "http://intranet.example/")
    asyncio.run(guard.look_up_homepage())
    assert not guard.may_dial("intranet.example", "10.0.0.7")


def test_the_resolver_is_asked_for_the_host_as_dns_knows_it() -> None:
    asked: list[str] = []
    guard = CrawlGuard(Guard(resolver=lambda host: asked.append(host) or []), "http://me@BÜCHER.example:80/a")  # type: ignore[func-returns-value]
    asyncio.run(guard.look_up_homepage())
    assert asked == ["xn--bcher-kva.example"]


def test_what_a_resolver_gives_besides_addresses_exempts_nothing() -> None:
    guard = guard_at("http://intranet.example/", "intranet", "", "10.0.0.7")
    assert guard.may_dial("intranet.example", "10.0.0.7")
    assert not guard.may_dial("intranet.example", "intranet")


def test_networks_can_be_declared_public() -> None:
    guard = crawl_guard(strict=True, public=("127.0.0.0/24", "fd00::/16"))
    assert guard.may_dial("example.org", "127.0.0.9")
    assert guard.may_dial("example.org", "::ffff:127.0.0.9")
    assert guard.may_dial("example.org", "fd00::9")
    assert guard.may_ask("http://2130706433/")
    assert guard.may_ask("http://localhost/")
    assert not guard.may_dial("example.org", "127.0.1.9")
    assert not guard.may_ask("http://127.0.1.9/")


def test_a_guard_survives_any_text_as_a_url() -> None:
    for url in (
        "http://" + "a" * 2_000_000,
        "http://" + "%31" * 300_000 + "/",
        "http://" + "1" * 900,
        "http://\ud800/",
        "http://[" * 9,
    ):
        assert crawl_guard().may_ask(url) in (True, False)


@pytest.mark.parametrize("options", [{"public": ["10.0.0.1/8"]}, {"public": ["everything"]}, {"public": "10.0.0.0/8"}])
def test_a_network_that_is_none_is_the_callers_mistake(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidOptionException):
        Guard(**options)


@pytest.mark.parametrize("options", [{"strict": "no"}, {"resolver": "192.0.2.53"}])
def test_an_option_of_a_guard_that_cannot_be_is_the_callers_mistake(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidOptionException):
        Guard(**options)


def test_the_guard_option_takes_its_words_none_or_a_guard() -> None:
    own = Guard(public=("10.0.0.0/8",))
    assert guard_of("auto") == Guard()
    assert guard_of("strict") == Guard(strict=True)
    assert guard_of(None) is None
    assert guard_of(own) is own
    for wrong in ("off", True, ""):
        with pytest.raises(InvalidOptionException):
            guard_of(wrong)  # type: ignore[arg-type]
