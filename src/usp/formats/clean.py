"""Makes text that calls itself XML acceptable to expat, piece by piece, and says what it changed.

Laws: what is well-formed means the same afterwards. Elements, text and CDATA sections pass unchanged; comments and
instructions, which say nothing, are left out, and so are XML declarations and DOCTYPEs, which expat takes at the very
start only. No line break is added or taken away, so that line numbers stay true. What is open at the end of a piece (a
reference, a CDATA section) waits for the next one, within bounds, so that any split gives the same. What a DOCTYPE
declares is never read: such a document is refused.
"""

import re
from collections.abc import Iterator

from usp.limits import TOKEN
from usp.problems import ProblemLog
from usp.values.text import entity, is_xml_character

# A regex with the literal prefix "&" costs a memchr on text without references; one combined regex ten times more.
_REFERENCE = re.compile(
    r"&(?!(?:amp|lt|gt|quot|apos);)(?:#([0-9]{1,10});|#[xX]([0-9a-fA-F]{1,8});|([A-Za-z][A-Za-z0-9]{1,31});)?"
)
_REFERENCE_LENGTH = 34
_CDATA = "<![CDATA["
_SPECIALS = (_CDATA, "<!--", "<?", "<!DOCTYPE")
_SPECIAL = re.compile(r"<!\[CDATA\[|<!--|<\?|<!doctype", re.IGNORECASE)
_DECLARATION = re.compile(r"<\?xml[\s?]", re.IGNORECASE)
_DOCTYPE = re.compile(r"""<!doctype(?:[^"'\[>]++|"[^"]*+"|'[^']*+')*+([\[>])""", re.IGNORECASE)
_DOCTYPE_LENGTH = 64 * 1024
_ENTRY_END = re.compile(r"</(?:[\w.-]{1,64}:)?(?:url|sitemap|item|entry)\s*>", re.IGNORECASE)
_ENTRY_EDGE = re.compile(r"<(/?)(?:[\w.-]{1,64}:)?(?:url|sitemap|item|entry)[\s>]", re.IGNORECASE)
_EDGE_LENGTH = 76
_CONTROL = bytes([*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20)])
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_BROKEN = "<!;"
"""What the start of an unclosed section becomes: expat stops here, within the entry, which costs no neighbour."""


class Cleaner:
    """Text whose lines end in ``\\n`` in, UTF-8 for expat out.

    ``refused`` is True once a DOCTYPE declared something; ``unfinished``, after ``close``, if a section was left open.
    """

    __slots__ = (
        "_begun",
        "_declarations",
        "_held",
        "_last_entry_end",
        "_next",
        "_passing",
        "_skipping",
        "_skips_entries",
        "line",
        "log",
        "refused",
        "unfinished",
    )

    def __init__(self, log: ProblemLog, line: int = 1) -> None:
        self.log = log
        self.line = line
        self.refused = False
        self.unfinished = False
        self._held = ""
        self._passing = False  # within a CDATA section too long to be held
        self._skipping = ""  # the end of what is being left out
        self._skips_entries = False  # whole entries are commented out
        self._begun = False
        # where in the text at hand, looked for once, lest many sections make it quadratic
        self._next: dict[str, int] = {}  # the ends of sections, -1 where there is none any more
        self._last_entry_end = -1
        self._declarations = 0

    @property
    def idle(self) -> bool:
        """Whether all that was taken was given: nothing is held, skipped or refused."""
        return not (self._held or self._skipping or self._passing or self.refused)

    def feed(self, piece: str) -> bytes:
        """What may go to expat now."""
        return self._clean(self._held + piece, final=False)

    def close(self) -> bytes:
        """The rest."""
        return self._clean(self._held, final=True)

    def _clean(self, text: str, *, final: bool) -> bytes:
        self._held = ""
        if self.refused:
            return b""
        line = self.line
        length = len(text)
        self._next.clear()
        # The single characters first: they are searched for ten times faster.
        special = ("!" in text and "<!" in text) or ("?" in text and "<?" in text)
        if special or self._skipping or self._passing:
            text = "".join(self._sections(text, final=final))
        else:
            text = self._markup(text if final else self._hold(text, _open_at_end(text)))
        self._begun = self._begun or len(self._held) < length
        self.unfinished = self.unfinished or (final and bool(self._skipping or self._passing))
        return self._characters(text, line)

    def _hold(self, text: str, start: int) -> str:
        self._held = text[start:]
        return text[:start]

    # -- sections: CDATA, comments, instructions, declarations

    def _sections(self, text: str, *, final: bool) -> Iterator[str]:
        """Split the text at its special sections; references are looked at only outside of them."""
        position = 0
        while position < len(text) and not self.refused:
            if self._skipping:
                part, position = self._skip(text, position, final=final)
                yield part
                continue
            if self._passing:
                part, position = self._pass(text, position, final=final)
                yield part
                continue
            found = _SPECIAL.search(text, position)
            if found is None:
                end = len(text) if final else max(position, _open_at_end(text))
                self._held = text[end:]
                yield self._markup(text[position:end])
                return
            yield self._markup(text[position : found.start()])
            part, position = self._section(text, found.start(), found[0].upper(), final=final)
            yield part

    def _section(self, text: str, start: int, opening: str, *, final: bool) -> tuple[str, int]:
        if opening == _CDATA:
            return self._cdata(text, start, final=final)
        if opening == "<!--":
            self._skipping = "-->"
            return "", start + 4
        if opening == "<?":
            return self._instruction(text, start, final=final)
        return self._doctype(text, start, final=final)

    def _cdata(self, text: str, start: int, *, final: bool) -> tuple[str, int]:
        """Pass a section whole. One that runs over the end of its entry into the next was never closed."""
        inside = start + len(_CDATA)
        opened_again = text.find(_CDATA, inside)
        end = text.find("]]>", inside, opened_again if opened_again >= 0 else len(text))
        if end < 0 and opened_again >= 0:
            if _ENTRY_END.search(text, inside, opened_again):
                return _BROKEN, inside
            end = self._find_next(text, "]]>", opened_again)
        if end >= 0:
            return self._passed(text, start, end + 3)
        if final:
            return self._last_cdata(text, start)
        if len(text) - start < TOKEN:
            self._held = text[start:]
            return "", len(text)
        if _ENTRY_END.search(text, inside):
            return _BROKEN, inside
        self._passing = True
        return self._passed(text, start, inside)

    def _last_cdata(self, text: str, start: int) -> tuple[str, int]:
        """A section that the text does not close: its entry is broken, and so are all behind it that open another."""
        inside = start + len(_CDATA)
        if self._last_entry_end < 0:
            self._last_entry_end = max((found.end() for found in _ENTRY_END.finditer(text, inside)), default=0)
        if inside >= self._last_entry_end:
            self.unfinished = True
            return self._left_out(text[start:]) + _CDATA, len(text)
        return _BROKEN, inside

    def _pass(self, text: str, start: int, *, final: bool) -> tuple[str, int]:
        """Pass more of a section too long to be held whole."""
        end = text.find("]]>", start)
        if end >= 0:
            self._passing = False
            return self._passed(text, start, end + 3)
        stop = len(text) if final else max(start, len(text) - 2)
        self._held = text[stop:]
        return self._passed(text, start, stop)[0], len(text)

    def _instruction(self, text: str, start: int, *, final: bool) -> tuple[str, int]:
        """Leave out a processing instruction, or a declaration, which may be closed by ``>`` alone."""
        if not final and len(text) - start < 6:
            self._held = text[start:]
            return "", len(text)
        self._skipping = "?>"
        if _DECLARATION.match(text, start):
            self._skipping = ">"
            self._declarations += 1
            if self._declarations > 1:
                self.log.add("repeated-declaration", line=self.line)
            elif start or self._begun:
                self.log.add("late-declaration", line=self.line)
        return "", start + 2

    def _skip(self, text: str, start: int, *, final: bool) -> tuple[str, int]:
        """Leave out everything up to what ``_skipping`` names, unless an entry ends first that did not begin within."""
        end = self._find_next(text, self._skipping, start)
        edge = None if self._skips_entries else _ENTRY_EDGE.search(text, start, end if end >= 0 else len(text))
        if edge is not None and edge[1]:
            self._skipping = ""
            return self._left_out(text[start : edge.start()]) + _BROKEN, edge.start()
        self._skips_entries = self._skips_entries or edge is not None
        if end >= 0:
            position = end + len(self._skipping)
            self._skipping = ""
            self._skips_entries = False
            return self._left_out(text[start:position]), position
        stop = len(text) if final else max(start, len(text) - _EDGE_LENGTH)
        self._held = text[stop:]
        return self._left_out(text[start:stop]), len(text)

    def _doctype(self, text: str, start: int, *, final: bool) -> tuple[str, int]:
        """Leave out a DOCTYPE; refuse the document if it declares anything."""
        declaration = _DOCTYPE.match(text, start)
        if declaration is None and final:
            self.unfinished = True
            return "", len(text)
        if declaration is None and len(text) - start < _DOCTYPE_LENGTH:
            self._held = text[start:]
            return "", len(text)
        if declaration is None or declaration[1] == "[":
            self.log.add("doctype-declares", line=self.line)
            self.refused = True
            return "", len(text)
        self.log.add("doctype", line=self.line)
        return self._left_out(declaration[0]), declaration.end()

    def _find_next(self, text: str, ending: str, start: int) -> int:
        """Where an ending comes next, -1 if never; asked for places further and further on."""
        found = self._next.get(ending)
        if found is None or 0 <= found < start:
            found = self._next[ending] = text.find(ending, start)
        return found

    def _left_out(self, text: str) -> str:
        """A comment with the line breaks of what is left out: as text they would become part of a value."""
        breaks = "\n" * text.count("\n")
        self.line += len(breaks)
        return f"<!--{breaks}-->" if breaks else ""

    def _passed(self, text: str, start: int, end: int) -> tuple[str, int]:
        self.line += text.count("\n", start, end)
        return text[start:end], end

    # -- references and characters

    def _markup(self, text: str) -> str:
        cleaned = self._references(text) if "&" in text else text
        self.line += text.count("\n")
        return cleaned

    def _references(self, text: str) -> str:
        line, counted = self.line, 0

        def replace(found: re.Match[str]) -> str:
            nonlocal line, counted
            replacement, code = _judged(found)
            if code:
                if self.log.keeps(code):
                    line += text.count("\n", counted, found.start())
                    counted = found.start()
                self.log.add(code, found[0], line)
            return replacement

        return _REFERENCE.sub(replace, text)

    def _characters(self, text: str, line: int) -> bytes:
        """UTF-8 without the characters that XML does not allow; noted once a document."""
        encoded = text.encode("utf-8", "replace")
        cleaned = encoded.translate(None, _CONTROL)
        if len(cleaned) == len(encoded) and "\ufffe" not in text and "\uffff" not in text:
            return cleaned
        first = _FORBIDDEN.search(text)
        if first is not None and not self.log.count("invalid-character"):
            self.log.add("invalid-character", line=line + text.count("\n", 0, first.start()))
        return _FORBIDDEN.sub("", text).encode("utf-8", "replace")


def _open_at_end(text: str) -> int:
    """Where a reference or a special section may begin whose end is still to come."""
    end = len(text)
    ampersand = text.rfind("&", max(0, end - _REFERENCE_LENGTH))
    if ampersand >= 0 and ";" not in text[ampersand:]:
        end = ampersand
    bracket = text.rfind("<", max(0, len(text) - len(_CDATA)))
    if bracket >= 0 and any(special.startswith(text[bracket:].upper()) for special in _SPECIALS):
        end = min(end, bracket)
    return end


def _judged(found: re.Match[str]) -> tuple[str, str]:
    """What a reference that expat would not take becomes, and the code of the note on it, if any."""
    decimal, hexadecimal, name = found.groups()
    if decimal or hexadecimal:
        if is_xml_character(int(decimal) if decimal else int(hexadecimal, 16)):
            return (found[0] if decimal else f"&#x{hexadecimal};"), ""
        return "\ufffd", "invalid-reference"
    text = entity(name) if name else None
    if text is not None:
        return "".join(f"&#{ord(character)};" for character in text), "html-entity"
    return "&amp;" + found[0][1:], "bare-ampersand"
