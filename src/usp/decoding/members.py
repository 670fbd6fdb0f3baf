"""Members: the pieces of which a compressed stream is made, whatever the codec.

Laws: a member never gives more than ``PIECE`` bytes at once, and asks for no more input while output is waiting. A
damaged member gives all that it says before the damage, then raises ``Damaged``. What it gives does not depend on how
its input is cut: the decoders lose the output of the call that fails, so that call is made again in the smallest steps.
Codecs (a name, a magic, how to open a member) are values; each has a file in ``codecs/``.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from usp.limits import KIB, PIECE

KEPT = 256 * KIB
"""Compressed bytes kept to be decoded again, for decoders that cannot be copied (see ``ReplayedMember``)."""


class Damaged(Exception):
    """The compressed data is not what its codec allows. Never leaves ``usp.decoding``."""


class Member(Protocol):
    """One member (gzip), frame (zstd) or stream (brotli, deflate)."""

    finished: bool
    rest: bytes
    """Once finished: the input that is not part of the member."""

    def inflate(self, data: bytes) -> Iterator[bytes]:
        """What ``data`` inflates to."""


class Codec(NamedTuple):
    """One way to compress: ``magics`` begin each of its members (none: known by the header only)."""

    name: str
    open: Callable[[], Member]
    magics: tuple[bytes, ...] = ()
    step: int = 1 * KIB
    """Bytes of input a call: small, since what a call leaves over is copied, and its output may be lost."""
    most_members: int | None = None
    """How many are read; None where opening one costs so little that the limit of bytes is bound enough."""

    def begins(self, first: bytes) -> bool:
        return first.startswith(self.magics)

    def may_begin(self, first: bytes) -> bool:
        """Whether ``first`` is too short to tell."""
        return any(len(first) < len(magic) and magic.startswith(first) for magic in self.magics)


class Members:
    """The members of one stream, one after another; zero bytes between them and junk after them are tolerated."""

    __slots__ = ("_between", "_codec", "_member", "_opened", "junk", "over", "too_many")

    def __init__(self, codec: Codec) -> None:
        self._codec = codec
        self._member: Member | None = None
        self._opened = 0
        self._between = b""
        self.junk = False
        """Something that is no member was met."""
        self.over = False
        """No member can follow any more."""
        self.too_many = False

    def inflate(self, data: bytes) -> Iterator[bytes]:
        while data and not self.over:
            if self._member is None:
                data = self._find_member(data)
                continue
            yield from self._member.inflate(data)
            data = self._member.rest
            if self._member.finished:
                self._member = None

    def _find_member(self, data: bytes) -> bytes:
        """Open the next member if one begins here; what remains of the data."""
        if not self._opened:
            return self._open(data)
        data, self._between = self._between + data, b""
        following = data.lstrip(b"\0")
        self.junk = self.junk or len(following) < len(data)
        if self._codec.begins(following):
            return self._open(following)
        if self._codec.may_begin(following):
            self._between = following
        elif following:
            self.junk = self.over = True
        return b""

    def _open(self, data: bytes) -> bytes:
        if self._opened == self._codec.most_members:
            self.too_many = self.over = True
        else:
            self._opened += 1
            self._member = self._codec.open()
        return data

    def close(self) -> bool:
        """Whether the stream ends where it may end."""
        cut = begins_cut(self._codec, self._between)
        self.junk = self.junk or (bool(self._between) and not cut)
        return self._member is None and not cut


def begins_cut(codec: Codec, first: bytes) -> bool:
    """Whether all there is, ``first``, is the beginning of a magic; one byte alone says too little."""
    return len(first) >= 2 and codec.may_begin(first)


class Decoder(Protocol):
    """What the decoders of brotli and zstd have in common."""

    waiting: bool
    """More output can be had without more input."""
    finished: bool
    rest: bytes

    def decode(self, data: bytes) -> bytes:
        """At most about ``PIECE`` bytes of output; raises ``Damaged``, and then the output of this call is lost."""


class ReplayedMember:
    """A member whose decoder loses output when it fails and cannot be copied.

    The input is kept; on a failure it is decoded again, the last step byte by byte, and all that comes before the
    damage is given. Of a member longer than ``KEPT`` at most the output of one step is lost.
    """

    __slots__ = ("_decoder", "_given", "_kept", "_open_decoder", "finished", "rest")

    def __init__(self, open_decoder: Callable[[], Decoder]) -> None:
        self._open_decoder = open_decoder
        self._decoder = open_decoder()
        self._kept: bytearray | None = bytearray()
        self._given = 0
        self.finished = False
        self.rest = b""

    def inflate(self, data: bytes) -> Iterator[bytes]:
        try:
            for output in _drain(self._decoder, data):
                self._given += len(output)
                yield output
            self.finished, self.rest = self._decoder.finished, self._decoder.rest
        except Damaged:
            if self._kept is None:
                raise
            yield from self._inflate_again(bytes(self._kept), data)
        self._keep(data)

    def _keep(self, data: bytes) -> None:
        if self._kept is not None:
            self._kept += data
            if len(self._kept) > KEPT:
                self._kept = None

    def _inflate_again(self, kept: bytes, data: bytes) -> Iterator[bytes]:
        decoder = self._open_decoder()
        skip = self._given - sum(len(output) for output in _drain(decoder, kept))
        for position in range(len(data)):
            for output in _drain(decoder, data[position : position + 1]):
                if skip < len(output):
                    yield output[skip:]
                skip = max(0, skip - len(output))
            if decoder.finished:  # nothing is damaged: the decoder only minds what follows the end
                self.finished, self.rest = True, data[position + 1 :]
                return


def _drain(decoder: Decoder, data: bytes) -> Iterator[bytes]:
    while True:
        output = decoder.decode(data)
        for start in range(0, len(output), PIECE):
            yield output[start : start + PIECE]
        if not decoder.waiting:
            return
        data = b""
