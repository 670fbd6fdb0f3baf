"""Every fault of HTTP and below it, and what it must lead to."""

from dataclasses import replace

from tests.e2e import body_faults as body
from tests.e2e import status_faults as status
from tests.e2e import transport_faults as transport
from tests.e2e.crawling import Expected
from tests.e2e.server import Behaviour
from usp.problems import Outcome

OK, ABSENT, EMPTY, BLOCKED = Outcome.OK, Outcome.ABSENT, Outcome.EMPTY, Outcome.BLOCKED
UNREACHABLE, BROKEN, TRUNCATED, REFUSED = Outcome.UNREACHABLE, Outcome.BROKEN, Outcome.TRUNCATED, Outcome.REFUSED
BOTH = ("one", "two")
FIRST = ("one",)

NO_ANSWER = Expected(UNREACHABLE, None, asked=2)
NO_HTTP = Expected(BROKEN, None, "The answer is not HTTP")
INTERRUPTED = Expected(TRUNCATED, problems=["interrupted", "truncated-document"], pages=FIRST, asked=2)
INTERRUPTED_AT_ITS_END = Expected(TRUNCATED, problems=["interrupted"], pages=BOTH, asked=2)
GOOD = Expected(OK, pages=BOTH)

Faults = tuple[tuple[Behaviour, Expected], ...]

TRANSPORT: Faults = (
    (transport.closes_before_the_head, NO_ANSWER),
    (transport.resets_before_the_head, NO_ANSWER),
    (transport.closes_within_the_head, NO_ANSWER),
    (transport.resets_within_the_head, NO_ANSWER),
    (transport.closes_before_the_body, Expected(UNREACHABLE, 200, "shorter than its Content-Length", asked=2)),
    (transport.closes_within_the_body, INTERRUPTED),
    (transport.resets_within_the_body, INTERRUPTED),
    (transport.resets_within_a_body_without_a_length, INTERRUPTED),
    (transport.has_a_body_without_a_length, GOOD),
    (transport.promises_more_than_it_sends, INTERRUPTED_AT_ITS_END),
    (transport.sends_more_than_it_promised, Expected(TRUNCATED, problems=["truncated-document"], pages=FIRST)),
    (transport.sends_junk_behind_its_answer, GOOD),
    (transport.contradicts_itself_about_the_length, NO_HTTP),
    (transport.has_no_number_as_its_length, NO_HTTP),
    (transport.has_chunks_without_a_size, Expected(UNREACHABLE, 200, "its chunks are broken", asked=2)),
    (transport.has_broken_chunks_behind_good_ones, INTERRUPTED),
    (transport.has_chunks_longer_than_said, INTERRUPTED),
    (transport.has_no_last_chunk, INTERRUPTED_AT_ITS_END),
    (transport.has_many_small_chunks, GOOD),
    (transport.has_a_chunk_of_an_impossible_size, Expected(UNREACHABLE, 200, "its chunks are broken", asked=2)),
    (transport.has_endless_headers, NO_HTTP),
    (transport.has_an_endless_header, NO_HTTP),
    (transport.sends_interim_answers_without_end, NO_HTTP),
    (transport.sends_line_breaks_without_end, NO_HTTP),
    (transport.speaks_another_protocol, NO_HTTP),
    (transport.answers_with_a_body_only, NO_HTTP),
    (transport.closes_after_each_answer, GOOD),
    (transport.closes_after_each_answer_without_a_word, GOOD),
)

WAITING: Faults = (
    (transport.never_answers, Expected(UNREACHABLE, None, "Nothing came for 2 seconds", asked=2)),
    (transport.has_headers_that_drip, Expected(UNREACHABLE, None, "Nothing came for 2 seconds", asked=2)),
    (transport.drips_interim_answers, Expected(UNREACHABLE, None, "Nothing came for 2 seconds", asked=2)),
    (transport.stops_within_the_body, INTERRUPTED),
    (transport.promises_more_than_it_sends_and_waits, INTERRUPTED_AT_ITS_END),
    (transport.has_a_body_that_drips, replace(INTERRUPTED, asked=1)),
)
"""These keep a client waiting: they need ``IMPATIENT`` limits."""

STATUSES: Faults = (
    (status.without_body("204 No Content"), Expected(EMPTY, 204, "204 No Content")),
    (status.status("205 Reset Content", body=b""), Expected(EMPTY, 205)),
    (status.status("200 OK", body=b""), Expected(EMPTY, 200, problems=["empty-document"])),
    (
        status.only_a_part,
        Expected(TRUNCATED, 206, problems=["partial-content", "truncated-document"], pages=FIRST),
    ),
    (status.all_of_it_as_a_part, Expected(TRUNCATED, 206, problems=["partial-content"], pages=BOTH)),
    (status.without_body("304 Not Modified"), Expected(BROKEN, 304, "304 Not Modified")),
    (status.status("300 Multiple Choices"), Expected(BROKEN, 300)),
    (status.status("400 Bad Request"), Expected(BROKEN, 400, asked=2)),
    (status.status("401 Unauthorized", "WWW-Authenticate: Basic"), Expected(BLOCKED, 401, "401 Unauthorized")),
    (status.status("403 Forbidden"), Expected(BLOCKED, 403, "403 Forbidden")),
    (status.status("404 Not Found"), Expected(ABSENT, 404, "404 Not Found")),
    (status.status("410 Gone"), Expected(ABSENT, 410, "410 Gone")),
    (status.status("418 I'm a teapot"), Expected(BROKEN, 418)),
    (status.with_a_page_that_breaks_off("418 I'm a teapot"), Expected(BROKEN, 418)),
    (status.with_a_page_that_breaks_off("503 Service Unavailable"), Expected(UNREACHABLE, 503, asked=2)),
    (status.status("429 Too Many Requests"), Expected(BLOCKED, 429, "429 Too Many Requests", asked=2)),
    (status.status("451 Unavailable For Legal Reasons"), Expected(BLOCKED, 451)),
    (status.status("500 Internal Server Error"), Expected(UNREACHABLE, 500, asked=2)),
    (status.status("501 Not Implemented"), Expected(UNREACHABLE, 501)),
    (status.status("503 Service Unavailable"), Expected(UNREACHABLE, 503, "503 Service Unavailable", asked=2)),
    (status.status("520"), Expected(UNREACHABLE, 520, "520", asked=2)),
    (status.status("999 Request denied"), Expected(BLOCKED, 999, "999 Request denied")),
    (status.a_page, Expected(BROKEN, 200, problems=["html-page"])),
    (status.a_challenge(), Expected(BLOCKED, 200, problems=["challenge-page"])),
    (status.a_challenge("202 Accepted"), Expected(BLOCKED, 202, problems=["challenge-page"])),
    (status.a_challenge("403 Forbidden"), Expected(BLOCKED, 403)),
    (status.a_challenge("405 Method Not Allowed"), Expected(BLOCKED, 405)),
    (status.a_challenge("503 Service Unavailable"), Expected(BLOCKED, 503, asked=2)),
    (status.status("404 Not Found", "cf-mitigated: challenge"), Expected(BLOCKED, 404)),
    (status.status("200 OK", "cf-mitigated: challenge"), Expected(BLOCKED, 200, "200 OK: a challenge")),
)

BODIES: Faults = (
    (body.says_gzip_but_is_not, Expected(OK, problems=["wrong-content-encoding"], pages=BOTH)),
    (body.is_gzip_but_does_not_say_so, Expected(OK, pages=BOTH)),
    (body.says_gzip_twice_and_is_it_once, Expected(OK, problems=["wrong-content-encoding"], pages=BOTH)),
    (body.says_br_but_is_gzip, Expected(OK, problems=["wrong-content-encoding"], pages=BOTH)),
    (body.says_deflate_and_is_raw, Expected(OK, pages=BOTH)),
    (body.is_gzip_in_gzip, Expected(OK, pages=BOTH)),
    (body.is_gzip_three_times, Expected(REFUSED, problems=["too-many-encodings"])),
    (body.has_an_unknown_encoding, Expected(OK, problems=["unknown-content-encoding"], pages=BOTH)),
    (body.has_a_truncated_gzip, Expected(TRUNCATED, problems=["truncated-compression"], pages=BOTH)),
    (body.has_a_damaged_gzip, Expected(TRUNCATED, problems=["corrupt-compression"], pages=BOTH)),
    (body.is_a_bomb, Expected(REFUSED, problems=["compression-ratio"])),
    (body.is_a_bomb_in_gzip, Expected(REFUSED, problems=["compression-ratio"])),
    (body.is_random, Expected(BROKEN, problems=["no-urls", "invalid-bytes"])),
)

FAULTS: Faults = (*TRANSPORT, *STATUSES, *BODIES)
