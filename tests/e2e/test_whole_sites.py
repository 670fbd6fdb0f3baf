"""Faults of what lists others, and of servers that treat every answer badly."""

from tests.e2e import status_faults, transport_faults
from tests.e2e.crawling import crawl, good, page_names, urlset
from tests.e2e.server import Behaviour, Site, Visitor
from usp import Outcome
from usp.crawl.sources import RobotsTxt
from usp.objects.sitemap import IndexRobotsTxtSitemap, IndexXMLSitemap


def breaking_off(body: bytes) -> Behaviour:
    """A body shorter than its length says."""

    def answers(visitor: Visitor) -> None:
        visitor.say(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (len(body) + 100), body)
        visitor.close()

    return answers


def listing(*paths: str) -> Behaviour:
    """A robots.txt that lists them."""
    return lambda visitor: visitor.answer("".join(f"Sitemap: {path}\n" for path in paths).encode())


def test_a_robots_txt_that_breaks_off_gives_its_whole_lines_and_never_half_a_url() -> None:
    with Site(otherwise=good) as site:
        site.answers["/robots.txt"] = breaking_off(b"Sitemap: /a.xml\nSitemap: /b.xml\nSitemap: /half-a-na")
        tree = crawl(site, sources=[RobotsTxt()])
        (robots,) = tree.sub_sitemaps
        assert isinstance(robots, IndexRobotsTxtSitemap)
        assert (robots.outcome, tree.complete) == (Outcome.TRUNCATED, False)
        assert [sitemap.url for sitemap in robots.sub_sitemaps] == [site.url("/a.xml"), site.url("/b.xml")]
        assert sorted(site.targets) == ["/a.xml", "/b.xml", "/robots.txt", "/robots.txt"]


def test_an_index_that_breaks_off_gives_its_whole_entries() -> None:
    entries = b"".join(b"<sitemap><loc>/%s.xml</loc></sitemap>" % name for name in (b"a", b"b"))
    with Site(otherwise=good) as site:
        site.answers["/robots.txt"] = listing("/index.xml", "/last.xml")
        site.answers["/index.xml"] = breaking_off(b"<sitemapindex>" + entries + b"<sitemap><loc>/half-a-na")
        tree = crawl(site, sources=[RobotsTxt()])
        index, last = tree.sub_sitemaps[0].sub_sitemaps
        assert isinstance(index, IndexXMLSitemap)
        assert index.outcome is Outcome.TRUNCATED
        assert [sitemap.url for sitemap in index.sub_sitemaps] == [site.url("/a.xml"), site.url("/b.xml")]
        assert [page_names(sitemap) for sitemap in (*index.sub_sitemaps, last)] == [["one", "two"]] * 3
        assert tree.incomplete_because == [f"{site.url('/index.xml')} is truncated."]


def test_a_server_that_hangs_up_after_every_answer_without_a_word_costs_nothing() -> None:
    with Site(otherwise=transport_faults.closes_after_each_answer_without_a_word) as site:
        paths = [f"/{number}.xml" for number in range(60)]
        site.answers["/robots.txt"] = listing(*paths)
        tree = crawl(site, sources=[RobotsTxt()])
        assert [page_names(sitemap) for sitemap in tree.sub_sitemaps[0].sub_sitemaps] == [["one", "two"]] * 60
        assert tree.complete


def test_a_server_that_fails_now_and_then_costs_nothing_but_time() -> None:
    with Site() as site:
        paths = [f"/{number}.xml" for number in range(20)]
        site.answers["/robots.txt"] = status_faults.at_first(transport_faults.resets_before_the_head, listing(*paths))
        for number, path in enumerate(paths):
            fault = (
                transport_faults.closes_within_the_body,
                transport_faults.has_broken_chunks_behind_good_ones,
                status_faults.status("502 Bad Gateway"),
                status_faults.a_challenge("503 Service Unavailable"),
            )[number % 4]
            body = urlset(f"page-{number}")
            site.answers[path] = status_faults.at_first(fault, lambda visitor, body=body: visitor.answer(body))  # type: ignore[misc]
        tree = crawl(site, sources=[RobotsTxt()])
        assert [page_names(sitemap) for sitemap in tree.sub_sitemaps[0].sub_sitemaps] == [
            [f"page-{number}"] for number in range(20)
        ]
        assert tree.complete


def test_a_fault_at_a_known_path_is_in_the_attempts_and_hides_nothing_that_was_found() -> None:
    with Site() as site:
        site.answers["/robots.txt"] = listing("/map.xml")
        site.answers["/map.xml"] = good
        site.answers["/sitemap.xml"] = transport_faults.resets_before_the_head
        site.answers["/sitemap_index.xml"] = status_faults.status("403 Forbidden")
        tree = crawl(site)
        assert [type(sitemap) for sitemap in tree.sub_sitemaps] == [IndexRobotsTxtSitemap]
        outcomes = {attempt.url: attempt.outcome for attempt in tree.attempts}
        assert outcomes[site.url("/sitemap.xml")] is Outcome.UNREACHABLE
        assert outcomes[site.url("/sitemap_index.xml")] is Outcome.BLOCKED
        assert tree.complete
