"""Faults below HTTP and in its framing: one function a fault."""

from tests.e2e.crawling import GOOD
from tests.e2e.server import Visitor

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"

CUT = GOOD.index(b"two")
"""In the middle of the second entry."""


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def closes_before_the_head(visitor: Visitor) -> None:
    visitor.close()


def resets_before_the_head(visitor: Visitor) -> None:
    visitor.reset()


def resets_within_the_head(visitor: Visitor) -> None:
    visitor.say(HEAD[:-9])
    visitor.reset()


def closes_within_the_head(visitor: Visitor) -> None:
    visitor.say(HEAD)
    visitor.close()


def closes_before_the_body(visitor: Visitor) -> None:
    visitor.say(HEAD + b"Content-Length: %d\r\n\r\n" % len(GOOD))
    visitor.close()


def closes_within_the_body(visitor: Visitor) -> None:
    visitor.say(HEAD + b"Content-Length: %d\r\n\r\n" % len(GOOD), GOOD[:CUT])
    visitor.close()


def resets_within_the_body(visitor: Visitor) -> None:
    visitor.say(HEAD + b"Content-Length: %d\r\n\r\n" % len(GOOD), GOOD[:CUT])
    visitor.pause(0.2)  # a reset overtakes what the client has not read yet
    visitor.reset()


def resets_within_a_body_without_a_length(visitor: Visitor) -> None:
    visitor.say(HEAD + b"\r\n", GOOD[:CUT])
    visitor.pause(0.2)
    visitor.reset()


def has_a_body_without_a_length(visitor: Visitor) -> None:
    visitor.say(HEAD + b"\r\n", GOOD)
    visitor.close()


def promises_more_than_it_sends(visitor: Visitor) -> None:
    visitor.say(HEAD + b"Content-Length: %d\r\n\r\n" % (len(GOOD) + 100), GOOD)
    visitor.close()


def promises_more_than_it_sends_and_waits(visitor: Visitor) -> None:
    visitor.say(HEAD + b"Content-Length: %d\r\n\r\n" % (len(GOOD) + 100), GOOD)
    visitor.wait()


def sends_more_than_it_promised(visitor: Visitor) -> None:
    visitor.say(HEAD + b"Content-Length: %d\r\n\r\n" % CUT + GOOD)


def sends_junk_behind_its_answer(visitor: Visitor) -> None:
    visitor.say(HEAD + b"Content-Length: %d\r\n\r\n" % len(GOOD) + GOOD + b"and more\r\n")


def contradicts_itself_about_the_length(visitor: Visitor) -> None:
    visitor.say(HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello")
    visitor.wait()


def has_no_number_as_its_length(visitor: Visitor) -> None:
    visitor.say(HEAD + b"Content-Length: many\r\n\r\n", GOOD)
    visitor.wait()


def has_chunks_without_a_size(visitor: Visitor) -> None:
    visitor.say(CHUNKED, GOOD)
    visitor.wait()


def has_broken_chunks_behind_good_ones(visitor: Visitor) -> None:
    visitor.say(CHUNKED + chunk(GOOD[:CUT]) + b"nonsense\r\n" + GOOD[CUT:])
    visitor.wait()


def has_chunks_longer_than_said(visitor: Visitor) -> None:
    visitor.say(CHUNKED, b"%x\r\n" % CUT, GOOD)
    visitor.wait()


def has_no_last_chunk(visitor: Visitor) -> None:
    visitor.say(CHUNKED, chunk(GOOD[:CUT]), chunk(GOOD[CUT:]))
    visitor.close()


def has_many_small_chunks(visitor: Visitor) -> None:
    visitor.say(CHUNKED + b"".join(chunk(bytes([byte])) for byte in GOOD) + b"0\r\n\r\n")


def has_a_chunk_of_an_impossible_size(visitor: Visitor) -> None:
    visitor.say(CHUNKED, b"f" * 30 + b"\r\n", GOOD)
    visitor.wait()


def has_endless_headers(visitor: Visitor) -> None:
    visitor.say(HEAD)
    while visitor.say(b"X-More: of the same\r\n" * 100):
        pass


def has_an_endless_header(visitor: Visitor) -> None:
    visitor.say(HEAD + b"X-More: ")
    while visitor.say(b"of the same " * 1000):
        pass


def has_headers_that_drip(visitor: Visitor) -> None:
    visitor.say(HEAD)
    while visitor.say(b"x"):
        visitor.pause(0.05)


def sends_interim_answers_without_end(visitor: Visitor) -> None:
    while visitor.say(b"HTTP/1.1 100 Continue\r\n\r\n" * 1000):
        pass


def sends_line_breaks_without_end(visitor: Visitor) -> None:
    while visitor.say(b"\r\n" * 1000):
        pass


def drips_interim_answers(visitor: Visitor) -> None:
    while visitor.say(b"HTTP/1.1 102 Processing\r\n\r\n"):
        visitor.pause(0.05)


def has_an_endless_body(visitor: Visitor) -> None:
    visitor.say(HEAD + b"\r\n", GOOD.removesuffix(b"</urlset>\n"))
    while visitor.say(b"<!-- more -->\n" * 1000):
        pass


def has_a_body_that_drips(visitor: Visitor) -> None:
    visitor.say(HEAD + b"Content-Length: %d\r\n\r\n" % (len(GOOD) + 1000), GOOD[:CUT])
    while visitor.say(b" "):
        visitor.pause(0.05)


def stops_within_the_body(visitor: Visitor) -> None:
    visitor.say(HEAD + b"Content-Length: %d\r\n\r\n" % len(GOOD), GOOD[:CUT])
    visitor.wait()


def never_answers(visitor: Visitor) -> None:
    visitor.wait()


def speaks_another_protocol(visitor: Visitor) -> None:
    visitor.say(b"SSH-2.0-OpenSSH_9.2\r\n")
    visitor.wait()


def answers_with_a_body_only(visitor: Visitor) -> None:
    visitor.say(GOOD)
    visitor.close()


def closes_after_each_answer(visitor: Visitor) -> None:
    visitor.answer(GOOD, "Connection: close")
    visitor.close()


def closes_after_each_answer_without_a_word(visitor: Visitor) -> None:
    visitor.answer(GOOD)
    visitor.close()
