"""Undoing the charset: bytes in, text out, piece by piece.

Laws: a BOM decides, then zero bytes (UTF-16 and UTF-32 without a BOM), then the XML declaration, then Content-Type's
charset, then UTF-8. What decides is looked for in the first ``HEAD`` bytes, so that text and problems are the same for
any split. Labels are looked up in the table of ``labels``, never in Python's registry, which holds rot13 and zlib too.
Nothing raises: invalid bytes become U+FFFD, with one note. No text begins with a BOM, and none holds a surrogate.
"""

import codecs
import re

from usp.decoding.labels import codec_of
from usp.problems import ProblemLog

HEAD = 1024
"""First bytes searched for an XML declaration; junk (white space, a warning of PHP) may stand before it."""

UTF_8 = "utf-8"

_BOMS = (
    (b"\xef\xbb\xbf", UTF_8),
    (b"\xff\xfe\0\0", "utf-32-le"),  # before UTF-16: no document begins with BOM and NUL
    (b"\0\0\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
# Where the zero bytes of an ASCII character stand: every sitemap begins with one.
_ZEROS = {
    (False, True, True, True): "utf-32-le",
    (True, True, True, False): "utf-32-be",
    (False, True, False, True): "utf-16-le",
    (True, False, True, False): "utf-16-be",
}
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
# Also where the quotes are missing, or the blank before.
_DECLARATION = re.compile(
    rb"""<\?xml(?=\s)[^<>]*?[\s"']encoding\s*=\s*(?:["']([^"'<>]*)["']|([^\s"'<>?]+))""", re.IGNORECASE
)
# Also where the semicolon before it is missing. The repetitions are bounded: a header of blanks must not cost more.
_PARAMETER = re.compile(r"""(?:^|[\s;,])charset\s{0,9}=\s{0,9}["']?\s{0,9}([^\s"';,]+)""", re.IGNORECASE)
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_LONE_SURROGATE = re.compile(r"[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]")


class TextDecoder:
    """Decodes one document, whose charset is ``declared`` by the header Content-Type (see ``charset_of``).

    >>> decoder = TextDecoder("utf-8", ProblemLog("https://example.com/sitemap.txt"))
    >>> decoder.feed(b"https://example.com/caf\\xc3") + decoder.feed(b"\\xa9") + decoder.close()
    'https://example.com/café'
    """

    __slots__ = ("_begun", "_codec", "_declared", "_decoder", "_head", "_line", "_log", "_started", "_strict")

    def __init__(self, declared: str | None, log: ProblemLog) -> None:
        self._declared = declared
        self._log = log
        self._head = b""
        self._begun = False
        self._choose(UTF_8)
        self._strict = True
        self._line = 1
        self._started = False

    def feed(self, data: bytes) -> str:
        """The text of these bytes, as far as its characters are complete."""
        if self._begun:
            return self._decode(data, final=False)
        self._head += data
        return self._begin(final=False) if len(self._head) >= HEAD else ""

    def close(self) -> str:
        """The text of what was held back until the end was known."""
        return self._decode(b"", final=True) if self._begun else self._begin(final=True)

    def _choose(self, codec: str) -> None:
        self._codec = codec
        self._decoder = codecs.getincrementaldecoder(codec)("strict")

    def _begin(self, *, final: bool) -> str:
        data, self._head = self._head, b""
        self._begun = True
        self._choose(_codec_of_document(data[:HEAD], self._declared, self._log))
        return self._decode(data, final=final)

    def _decode(self, data: bytes, *, final: bool) -> str:
        text = self._decode_strictly(data, final) if self._strict else self._decoder.decode(data, final)
        if not self._started:
            text = text.lstrip("\ufeff")  # all of them: editors and programs add one each
            self._started = bool(text)
        return text

    def _decode_strictly(self, data: bytes, final: bool) -> str:
        """Strict as long as the bytes are valid: that is fast, and tells where they are not."""
        state = self._decoder.getstate()
        try:
            text = self._decoder.decode(data, final)
        except UnicodeDecodeError as error:
            valid = bytes(error.object[: error.start]).decode(self._codec, "replace")
            self._log.add("invalid-bytes", self._codec, self._line + valid.count("\n"))
            self._strict = False
            self._decoder = codecs.getincrementaldecoder(self._codec)("replace")
            self._decoder.setstate(state)
            return self._decoder.decode(data, final)
        self._line += text.count("\n")
        return text


def charset_of(content_type: str | None) -> str | None:
    """The charset that a Content-Type header declares, as written.

    >>> charset_of('text/xml; charset="UTF-8"')
    'UTF-8'
    """
    found = _PARAMETER.search(content_type or "")
    return found[1] if found else None


class SurrogateFilter:
    """A caller's text, piece by piece, with each lone surrogate as U+FFFD; halves of one character become it."""

    __slots__ = ("_held", "_line", "_log", "_noted")

    def __init__(self, log: ProblemLog) -> None:
        self._log = log
        self._line = 1
        self._noted = False
        self._held = ""  # the first half of a pair at the end of a piece

    def feed(self, piece: str) -> str:
        """The piece without surrogates."""
        if not self._held and (piece.isascii() or not _SURROGATE.search(piece)):
            self._line += 0 if self._noted else piece.count("\n")
            return piece
        piece = self._held + piece
        self._held = piece[-1] if "\ud800" <= piece[-1:] <= "\udbff" else ""
        return self._replaced(piece[: len(piece) - len(self._held)])

    def close(self) -> str:
        """The rest."""
        rest, self._held = self._held, ""
        return self._replaced(rest)

    def _replaced(self, text: str) -> str:
        whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        lone = _LONE_SURROGATE.search(text) if not self._noted else None
        if lone is not None:
            self._noted = True
            self._log.add("lone-surrogate", "", self._line + text.count("\n", 0, lone.start()))
        self._line += text.count("\n")
        return whole


def _codec_of_document(head: bytes, declared: str | None, log: ProblemLog) -> str:
    """The codec of the document that begins with ``head``."""
    shown = _codec_shown(head)
    label = _label_within(head, shown or UTF_8) or declared
    if not label or not head:
        return shown or UTF_8
    codec = codec_of(label)
    if shown is not None:
        if codec is not None and not _agree(codec, shown):
            log.add("charset-contradiction", f"{label} declared, {shown} found")
        return shown
    if codec is None:
        log.add("unknown-charset", label)
        return UTF_8
    if codec.startswith(("utf-16", "utf-32")):
        if b"\0" not in head:  # not one ASCII character: no sitemap in UTF-16 or UTF-32 is like that
            log.add("charset-contradiction", f"{label} declared, {UTF_8} found")
            return UTF_8
        return _with_byte_order(codec, head)
    return codec


def _codec_shown(head: bytes) -> str | None:
    """The codec that the first bytes show beyond doubt."""
    for bom, codec in _BOMS:
        if head.startswith(bom):
            return codec
    first, second, third, fourth = (byte == 0 for byte in head[:4].ljust(4, b"-"))
    return _ZEROS.get((first, second, third, fourth))


def _label_within(head: bytes, codec: str) -> str | None:
    """The encoding that the XML declaration within the head declares."""
    if codec != UTF_8:
        head = head.decode(codec, "replace").encode("ascii", "replace")
    found = _DECLARATION.search(_COMMENT.sub(b"", head))
    return (found[1] or found[2] or b"").decode("ascii", "replace").strip() if found else None


def _agree(declared: str, shown: str) -> bool:
    """Whether they are the same, or differ only in that the declaration leaves the order of bytes open."""
    return shown == declared or shown.startswith(declared + "-")


def _with_byte_order(codec: str, head: bytes) -> str:
    """The codec with an order of bytes: as declared, else the one in which ASCII has its zeros."""
    if codec.endswith(("-le", "-be")):
        return codec
    return f"{codec}-le" if head[1::2].count(0) >= head[0::2].count(0) else f"{codec}-be"
