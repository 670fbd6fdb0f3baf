"""Undoing compression: the bytes of the wire in, the bytes of the document out, piece by piece.

Laws: magic bytes decide, whatever URL and headers say; the header is believed only for what has no magic (brotli,
deflate), and only if the first bytes bear it out. Every layer works in steps whose cuts depend on the offset in its own
input alone, so that the result (bytes, problems, flags) is the same for any split of the wire. Nothing is held beyond a
few pieces a layer; every layer's output is bounded in bytes and in ratio. Nothing here raises for what a site sent.
"""

import re
from collections.abc import Iterator

from usp.decoding.codecs import CODECS, TOKENS
from usp.decoding.members import Codec, Damaged, Members, begins_cut
from usp.limits import KIB, PIECE, Limits
from usp.problems import ProblemLog

_MAGIC = 4
"""Bytes that tell every magic."""

TRIAL = 4 * KIB
"""First bytes on which a codec without a magic is tried before the header is believed."""

_READABLE = 32
"""First bytes that, if they are text, are no compressed data: one stream in millions begins like this by chance."""

_TEXT_STARTS = (b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe", b"<\0", b"\0<", b"\0\0\0<")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class Inflater:
    """Undoes every layer of compression of one body.

    >>> import gzip
    >>> from usp.limits import DEFAULT_LIMITS
    >>> inflater = Inflater(None, DEFAULT_LIMITS, ProblemLog("https://example.com/sitemap.xml.gz"))
    >>> b"".join([*inflater.feed(gzip.compress(b"<urlset/>")), *inflater.close()])
    b'<urlset/>'

    What ``feed`` and ``close`` return must be read to its end, unless the inflater is dropped.
    """

    __slots__ = ("_closed", "_ended", "_first", "_verdict", "_wire")

    def __init__(self, content_encoding: str | None, limits: Limits, log: ProblemLog) -> None:
        self._verdict = _Verdict(log)
        self._wire = _Ceiling(limits.wire_bytes)
        self._first = _Stage(_named_codecs(content_encoding, log), limits, self._verdict)
        self._ended = False
        self._closed = False

    @property
    def truncated(self) -> bool:
        """The body ended early, is damaged or was cut at a limit: what was read is kept."""
        return self._verdict.truncated

    @property
    def refused(self) -> bool:
        """The body is a bomb, or compressed too often: nothing of it should be used."""
        return self._verdict.refused

    @property
    def done(self) -> bool:
        """Further pieces are ignored: there is no need to download them. ``close`` may still give the last bytes."""
        return self._ended or self._first.over

    def feed(self, piece: bytes) -> Iterator[bytes]:
        """What this piece of the wire inflates to, in pieces of at most ``PIECE`` bytes."""
        for start in range(0, len(piece), PIECE):
            if self.done:
                return
            part = piece[start : start + PIECE]
            admitted = self._wire.admit(part)
            yield from self._first.feed(admitted)
            if len(admitted) < len(part) and not self.done:
                self._verdict.cut("too-large", f"more than {self._wire.limit} bytes as sent")
                self._ended = True

    def close(self) -> Iterator[bytes]:
        """What was held back until the end was known."""
        if not self._closed:
            self._ended = self._closed = True
            yield from self._first.close()


class _Verdict:
    """What became of the body, shared by its layers. Only the first cut is a problem: the others follow from it."""

    __slots__ = ("log", "refused", "truncated")

    def __init__(self, log: ProblemLog) -> None:
        self.log = log
        self.truncated = False
        self.refused = False

    def cut(self, code: str, detail: str) -> None:
        if not self.truncated:
            self.truncated = True
            self.log.add(code, detail)

    def refuse(self, code: str, detail: str) -> None:
        self.refused = True
        self.log.add(code, detail)


class _Ceiling:
    __slots__ = ("_left", "limit")

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._left = limit

    def admit(self, data: bytes) -> bytes:
        """As much of the data as is still allowed."""
        admitted = data[: self._left]
        self._left -= len(admitted)
        return admitted


class _Stage:
    """Recognises what it is fed by the first bytes, then passes it on as it is or undoes a layer of compression."""

    __slots__ = ("_depth", "_held", "_limits", "_named", "_reader", "_verdict", "over")

    def __init__(self, named: list[tuple[Codec, ...]], limits: Limits, verdict: _Verdict, depth: int = 0) -> None:
        self._named = named
        self._limits = limits
        self._verdict = verdict
        self._depth = depth
        self._held = b""
        self._reader: _Layer | _Plain | None = None
        self.over = False
        """Nothing that is fed can give anything any more."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._reader is None:
            self._held += data
            if len(self._held) < (TRIAL if self._named else _MAGIC):
                return
            data = self._recognise()
        yield from self._read(data)

    def close(self) -> Iterator[bytes]:
        if self._reader is None and self._held:
            cut = next((codec for codec in CODECS if begins_cut(codec, self._held)), None)
            if cut is not None:
                self._verdict.cut("truncated-compression", cut.name)
                return
            yield from self._read(self._recognise())
        if isinstance(self._reader, _Layer) and not self._verdict.refused:
            yield from self._reader.close()

    def _read(self, data: bytes) -> Iterator[bytes]:
        if self._reader is not None and not self.over:
            yield from self._reader.feed(data)
            self.over = self._reader.over

    def _recognise(self) -> bytes:
        """Choose the reader; the bytes held until then."""
        first, self._held = self._held, b""
        codec = self._choose(first[:TRIAL])
        if codec is None:
            self._reader = _Plain(self._limits, self._verdict)
        elif self._depth < self._limits.encodings:
            following = _Stage(self._named, self._limits, self._verdict, self._depth + 1)
            self._reader = _Layer(codec, following, self._limits, self._verdict)
        else:
            self._verdict.refuse("too-many-encodings", f"more than {self._limits.encodings}")
            self.over = True
        return first

    def _choose(self, first: bytes) -> Codec | None:
        by_magic = next((codec for codec in CODECS if codec.begins(first)), None)
        while self._named:
            candidates = self._named.pop()
            if by_magic in candidates:
                break
            if by_magic is None and not reads_as_text(first):
                tried = next((codec for codec in candidates if not codec.magics and bears_out(codec, first)), None)
                if tried is not None:
                    return tried
            # What is refuted once would be refuted again: a header of a thousand tokens costs one trial of each.
            self._named[:] = [named for named in self._named if named is not candidates]
            if not self._verdict.log.count("wrong-content-encoding"):
                self._verdict.log.add("wrong-content-encoding", candidates[0].name)
        return by_magic


class _Plain:
    """Passes on what is not compressed (any more)."""

    __slots__ = ("_ceiling", "_verdict", "over")

    def __init__(self, limits: Limits, verdict: _Verdict) -> None:
        self._ceiling = _Ceiling(limits.inflated_bytes)
        self._verdict = verdict
        self.over = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        admitted = self._ceiling.admit(data)
        for start in range(0, len(admitted), PIECE):
            yield admitted[start : start + PIECE]
        if len(admitted) < len(data):
            self._verdict.cut("too-large", f"more than {self._ceiling.limit} bytes")
            self.over = True


class _Layer:
    """Undoes one layer of compression and feeds the next stage."""

    __slots__ = (
        "_ceiling",
        "_codec",
        "_fed",
        "_following",
        "_given",
        "_held",
        "_junk_noted",
        "_limits",
        "_members",
        "_verdict",
        "over",
    )

    def __init__(self, codec: Codec, following: _Stage, limits: Limits, verdict: _Verdict) -> None:
        self._codec = codec
        self._members = Members(codec)
        self._following = following
        self._limits = limits
        self._verdict = verdict
        self._ceiling = _Ceiling(limits.inflated_bytes)
        self._held = bytearray()
        self._fed = 0
        self._given = 0
        self._junk_noted = False
        self.over = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        size = self._codec.step
        start = 0
        if self._held:
            start = size - len(self._held)
            self._held += data[:start]
            if len(self._held) < size:
                return
            yield from self._inflate(bytes(self._held))
        while not self.over and len(data) - start >= size:
            yield from self._inflate(data[start : start + size])
            start += size
        self._held = bytearray(data[start:])

    def close(self) -> Iterator[bytes]:
        if not self.over:
            yield from self._inflate(bytes(self._held))
        if not self.over and not self._members.close():
            self._verdict.cut("truncated-compression", self._codec.name)
        self._note_junk()
        if not self._verdict.refused:
            yield from self._following.close()

    def _inflate(self, step: bytes) -> Iterator[bytes]:
        self._fed += len(step)
        try:
            for output in self._members.inflate(step):
                yield from self._pass_on(output)
                if self.over:
                    return
        except Damaged as damage:
            self._verdict.cut("corrupt-compression", f"{self._codec.name}: {damage}")
            self.over = True
        self._note_junk()
        if self._members.too_many:
            self._verdict.cut("too-large", f"{self._codec.name}: more than {self._codec.most_members} members")
        self.over = self.over or self._members.over

    def _note_junk(self) -> None:
        if self._members.junk and not self._junk_noted:
            self._junk_noted = True
            self._verdict.log.add("junk-after-compression", self._codec.name)

    def _pass_on(self, output: bytes) -> Iterator[bytes]:
        self._given += len(output)
        if self._given > self._limits.ratio_after and self._given > self._limits.ratio * self._fed:
            self._verdict.refuse("compression-ratio", f"{self._codec.name}: more than {self._limits.ratio} times")
            self.over = True
            return
        admitted = self._ceiling.admit(output)
        yield from self._following.feed(admitted)
        self.over = self._following.over
        if len(admitted) < len(output) and not self.over:
            self._verdict.cut("too-large", f"{self._codec.name}: more than {self._ceiling.limit} bytes inflated")
            self.over = True


def _named_codecs(content_encoding: str | None, log: ProblemLog) -> list[tuple[Codec, ...]]:
    """The codecs that the header names, in the order in which they were applied: the last one is undone first."""
    named = []
    for token in (content_encoding or "").split(","):
        name = token.strip().lower()
        codecs = TOKENS.get(name)
        if codecs is None:
            log.add("unknown-content-encoding", name)
        elif codecs:
            named.append(codecs)
    return named


def reads_as_text(first: bytes) -> bool:
    """Whether a body that begins like this is text, and so not compressed."""
    if first.startswith(_TEXT_STARTS):
        return True
    if len(first) == 1:  # brotli of nothing is one semicolon
        return False
    beginning = first[:_READABLE]
    try:
        text = beginning.decode()
    except UnicodeDecodeError as error:
        if error.reason != "unexpected end of data" or error.end < _READABLE:
            return False
        text = beginning[: error.start].decode()
    return not _CONTROL.search(text)


def bears_out(codec: Codec, first: bytes) -> bool:
    """Whether the first bytes can be of this codec: they give something, or nothing speaks against it yet."""
    members = Members(codec)
    try:
        for start in range(0, len(first), codec.step):
            for _ in members.inflate(first[start : start + codec.step]):
                return True
    except Damaged:
        return False
    return not members.over
