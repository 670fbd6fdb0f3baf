"""The cases of ``tests/corpus``: one TOML file is one document as a site served it, and what USP must make of it.

Laws: a case is data, and states all of its result: what it does not name must not be there (pages, children, problems).
A wrong key is an error, not a silent pass. TOML has no None: ``""`` stands for it in the fields of a page.
"""

import codecs
import zlib
from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

from tests.unit.decoding.bodies import br, gz, raw_deflate, zst
from usp.limits import DEFAULT_LIMITS, Limits
from usp.objects.page import SitemapPage
from usp.problems import Outcome

CORPUS = Path(__file__).parent / "corpus"


class Expectation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What reading the document must give."""

    sitemap: str
    """The class of the result."""
    outcome: Outcome
    complete: bool | None = None
    urls: list[str] = []
    """Of every page, in order."""
    sub_sitemaps: list[str] = []
    """The URL of every child, in order."""
    sub_sitemap_dates: list[str] | None = None
    """The ``lastmod`` of every child as written, ``""`` where there is none."""
    feeds: list[str] = []
    """The feeds that an HTML page names."""
    references: list[str] | None = None
    """The sitemaps that the document names, where they are no children (those of an HTML page)."""
    problems: list[str] = []
    """All that are kept, as ``code@line``; without ``@line`` where a line means nothing."""
    counts: dict[str, int] = {}
    """How many there were of a code, where more were met than are kept."""
    reason: str | None = None
    """A part of the reason of an ``InvalidSitemap``."""
    value_problems: list[str] | None = None
    """The codes of ``usp.parsing.value_problems``."""
    pages: list[dict[str, Any]] | None = None
    """One table a page: some keys of ``to_dict``, ``lastmod``, ``precision``; dates in ISO form, numbers as text."""


class Case(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One document, how it was served, and what it must become."""

    description: str
    expect: Expectation
    url: str | None = None
    document: str = ""
    hex: str = ""
    encode: list[str] = []
    as_text: bool = False
    headers: dict[str, str] = {}
    limits: Limits = DEFAULT_LIMITS

    def body(self) -> bytes:
        """The bytes of the wire."""
        steps = list(self.encode)
        if self.hex:
            body = bytes.fromhex(self.hex)
        elif steps and is_codec(steps[0]):
            body = self.document.encode(steps.pop(0))
        else:
            body = self.document.encode()
        for step in steps:
            name, _, argument = step.partition(":")
            body = STEPS[name](body, argument)
        return body

    def text(self) -> str:
        """The document as a caller has it who decoded it himself; ``hex`` may hold encoded surrogates."""
        return bytes.fromhex(self.hex).decode("utf-8", "surrogatepass") if self.hex else self.document


def is_codec(name: str) -> bool:
    """Whether a step names a charset; compressions are codecs of Python too, but have their own steps."""
    if name.partition(":")[0] in STEPS:
        return False
    return bool(codecs.lookup(name))


def _many_members(body: bytes, argument: str) -> bytes:
    third = len(body) // 3 + 1
    return b"".join(gz(body[start : start + third]) for start in range(0, len(body), third))


def _stored(body: bytes, argument: str) -> bytes:
    stream = zlib.compressobj(0, wbits=16 + zlib.MAX_WBITS)
    return stream.compress(body) + stream.flush()


def _flip(body: bytes, argument: str) -> bytes:
    damaged = bytearray(body)
    damaged[int(argument)] ^= 0xFF
    return bytes(damaged)


STEPS: Mapping[str, Callable[[bytes, str], bytes]] = {
    "gzip": lambda body, _: gz(body),
    "gzip-stored": _stored,
    "gzip-many": _many_members,
    "zstd": lambda body, _: zst(body),
    "br": lambda body, _: br(body),
    "deflate": lambda body, _: zlib.compress(body),
    "raw-deflate": lambda body, _: raw_deflate(body),
    "bom-utf-8": lambda body, _: codecs.BOM_UTF8 + body,
    "bom-utf-16-le": lambda body, _: codecs.BOM_UTF16_LE + body,
    "bom-utf-16-be": lambda body, _: codecs.BOM_UTF16_BE + body,
    "bom-utf-32-le": lambda body, _: codecs.BOM_UTF32_LE + body,
    "bom-utf-32-be": lambda body, _: codecs.BOM_UTF32_BE + body,
    "cut": lambda body, argument: body[: int(argument)],
    "append": lambda body, argument: body + argument.encode(),
    "append-hex": lambda body, argument: body + bytes.fromhex(argument),
    "prepend": lambda body, argument: argument.encode() + body,
    "blanks": lambda body, argument: b" " * int(argument) + body,
    "flip": _flip,
}
"""What can be done to a body on its way; ``cut:-20`` takes the last 20 bytes, ``flip:50`` inverts byte 50.

What ``gzip-stored`` leaves is the same for every version of zlib, so that a cut falls where a case says.
"""


def read_cases() -> dict[str, Case]:
    """Every case by its path below the corpus, without the suffix."""
    return {
        path.relative_to(CORPUS).with_suffix("").as_posix(): msgspec.toml.decode(path.read_bytes(), type=Case)
        for path in sorted(CORPUS.rglob("*.toml"))
    }


def page_as_data(page: SitemapPage) -> dict[str, Any]:
    """A page as a case can write it."""
    fields = {"alternates": None, "videos": None, **page.to_dict()}
    fields |= {"lastmod": page.lastmod, "precision": page.last_modified_precision}
    return {name: _as_data(value) for name, value in fields.items()}


def _as_data(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, dict):
        return {name: _as_data(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_as_data(part) for part in value]
    return value


def named_part(found: Any, expected: Any) -> Any:
    """Of what was found only the keys that the case names: it need not repeat every field."""
    if isinstance(found, dict) and isinstance(expected, dict):
        return {name: named_part(found[name], expected[name]) for name in expected}
    if isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        return [named_part(*pair) for pair in zip(found, expected, strict=True)]
    return found
