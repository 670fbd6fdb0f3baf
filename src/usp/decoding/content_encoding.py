"""Undoing a Content-Encoding and nothing else, as HTTP clients do: a ``.gz`` file stays one.

Only the promised clients hand over such bodies; documents are read through ``compression``, which undoes every layer.
Laws: the header is believed only if the bytes bear it out; what is damaged or ends too early stays as it is, since half
a body would pass for a whole one, while ``compression`` keeps what it can and says so; no step gives more than the
limit. Nothing here raises for what a site sent.
"""

from io import BytesIO

from usp.decoding.codecs import TOKENS
from usp.decoding.compression import TRIAL, bears_out, reads_as_text
from usp.decoding.members import Codec, Damaged, Members
from usp.limits import DEFAULT_LIMITS, PIECE


def without_content_encoding(body: bytes, content_encoding: str | None, most_bytes: int | None = None) -> bytes:
    """The body as it was before its server compressed it, cut at ``most_bytes``.

    >>> import gzip
    >>> without_content_encoding(gzip.compress(b"<urlset/>"), "gzip"), without_content_encoding(b"<urlset/>", "gzip")
    (b'<urlset/>', b'<urlset/>')
    """
    tokens = (content_encoding or "").lower().split(",")
    for token in reversed(tokens[-DEFAULT_LIMITS.encodings :]):
        codec = _codec_of(body, TOKENS.get(token.strip(), ()))
        if codec is not None:
            inflated = _inflated(codec, body, most_bytes)
            if inflated is None:
                break
            body = inflated
    return body[:most_bytes]


def room_for(most_bytes: int | None) -> int | None:
    """The most bytes that a body of so many can take compressed: what cannot be compressed grows a little.

    >>> room_for(800_000)
    965536
    """
    return None if most_bytes is None else most_bytes + most_bytes // 8 + PIECE


def _codec_of(body: bytes, candidates: tuple[Codec, ...]) -> Codec | None:
    by_magic = next((codec for codec in candidates if codec.begins(body)), None)
    if by_magic is not None or reads_as_text(body[:TRIAL]):
        return by_magic
    return next((codec for codec in candidates if not codec.magics and bears_out(codec, body[:TRIAL])), None)


def _inflated(codec: Codec, body: bytes, most_bytes: int | None) -> bytes | None:
    members = Members(codec)
    output = BytesIO()
    room = room_for(most_bytes)
    try:
        for start in range(0, len(body), codec.step):
            for piece in members.inflate(body[start : start + codec.step]):
                output.write(piece)
                if room is not None and output.tell() >= room:
                    return output.getvalue()
            if members.over:
                break
        whole = members.close()
    except Damaged:
        whole = False
    enough = most_bytes is not None and output.tell() >= most_bytes
    return output.getvalue() if whole or enough else None
