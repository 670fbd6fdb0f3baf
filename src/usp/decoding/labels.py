"""The charset labels that are understood, and the codec of Python that each one means.

Law: only charsets that carry text of web sites stand here (WHATWG's Encoding Standard, and UTF-32). Labels are compared
without letter case and punctuation: ``ISO_8859-1``, ``iso8859-1`` and ``ISO-8859-1`` are one.
"""

import re
from collections.abc import Mapping

_PUNCTUATION = re.compile(r"[^a-z0-9]+")

# Codec -> its labels. Where WHATWG reads a label as a superset (latin-1 as windows-1252, gb2312 as gb18030, Shift_JIS
# as Microsoft's), so do we: that is what servers send, and 0x80-0x9F are never meant as C1 controls. Two differences:
# us-ascii means UTF-8, since old defaults (RFC 3023: text/xml) say ASCII and mean nothing; and iso-2022-jp is missing,
# since Python's decoder raises for endless escape sequences (its URLs are ASCII and read as UTF-8 all the same).
_LABELS: Mapping[str, str] = {
    "utf-8": "utf8 unicode11utf8 unicode20utf8 xunicode20utf8 utf8n utf8bom usascii ascii ansix341968 iso646us",
    "utf-16": "utf16 ucs2 iso10646ucs2 unicode csunicode",
    "utf-16-le": "utf16le ucs2le unicodefeff",
    "utf-16-be": "utf16be ucs2be unicodefffe",
    "utf-32": "utf32 ucs4 iso10646ucs4",
    "utf-32-le": "utf32le ucs4le",
    "utf-32-be": "utf32be ucs4be",
    "cp1252": "windows1252 cp1252 xcp1252 iso88591 iso885911987 isoir100 latin1 l1 csisolatin1 cp819 ibm819 ansi",
    "cp1250": "windows1250 cp1250 xcp1250",
    "cp1251": "windows1251 cp1251 xcp1251 win1251",
    "cp1253": "windows1253 cp1253 xcp1253",
    "cp1254": "windows1254 cp1254 xcp1254 iso88599 iso885991989 isoir148 latin5 l5 csisolatin5",
    "cp1255": "windows1255 cp1255 xcp1255",
    "cp1256": "windows1256 cp1256 xcp1256",
    "cp1257": "windows1257 cp1257 xcp1257",
    "cp1258": "windows1258 cp1258 xcp1258",
    "cp874": "windows874 cp874 dos874 iso885911 tis620",
    "iso8859-2": "iso88592 iso885921987 isoir101 latin2 l2 csisolatin2",
    "iso8859-3": "iso88593 iso885931988 isoir109 latin3 l3 csisolatin3",
    "iso8859-4": "iso88594 iso885941988 isoir110 latin4 l4 csisolatin4",
    "iso8859-5": "iso88595 iso885951988 isoir144 cyrillic csisolatincyrillic",
    "iso8859-6": "iso88596 iso885961987 isoir127 arabic asmo708 ecma114 csisolatinarabic iso88596e iso88596i",
    "iso8859-7": "iso88597 iso885971987 isoir126 greek greek8 ecma118 elot928 suneugreek csisolatingreek",
    "iso8859-8": "iso88598 iso885981988 isoir138 hebrew visual csisolatinhebrew iso88598e iso88598i logical",
    "iso8859-10": "iso885910 isoir157 latin6 l6 csisolatin6",
    "iso8859-13": "iso885913",
    "iso8859-14": "iso885914",
    "iso8859-15": "iso885915 latin9 l9 csisolatin9",
    "iso8859-16": "iso885916 latin10",
    "koi8-r": "koi8r koi8 koi cskoi8r",
    "koi8-u": "koi8u koi8ru",
    "cp866": "ibm866 cp866 866 csibm866",
    "mac-roman": "macintosh mac macroman xmacroman csmacintosh",
    "mac-cyrillic": "maccyrillic xmaccyrillic xmacukrainian",
    "gb18030": "gb18030 gbk xgbk cp936 ms936 gb2312 gb231280 gb23121980 csgb2312 euccn chinese isoir58 csiso58gb231280",
    "big5hkscs": "big5 big5hkscs cnbig5 xxbig5 csbig5 cp950",
    "euc-jp": "eucjp xeucjp cseucpkdfmtjapanese",
    "cp932": "shiftjis sjis xsjis mskanji ms932 cp932 windows31j csshiftjis",
    "cp949": "euckr cseuckr ksc5601 ksc56011987 ksc56011989 korean isoir149 csksc56011987 windows949 uhc cp949",
}

_CODECS = {label: codec for codec, labels in _LABELS.items() for label in labels.split()}


def codec_of(label: str) -> str | None:
    """The codec that a label means; None for one that is unknown.

    >>> codec_of("ISO_8859-1"), codec_of("utf8mb4")
    ('cp1252', None)
    """
    return _CODECS.get(_PUNCTUATION.sub("", label.lower()))
