"""Leaving out what is older than a moment, as far as the site's dates tell.

Laws: what has no certain date stays; a date is as long as the site wrote it (``2024`` ends with the year), and stays
unless all of it lies before the moment; a date without a zone is taken as UTC.
"""

from calendar import isleap, monthrange
from datetime import date, datetime, timedelta

from usp.exceptions import InvalidOptionException
from usp.rows import Row, pack, unpack
from usp.values.dates import Precision, date_precision, in_utc, parse_date

_LENGTHS = {
    Precision.DAY: timedelta(days=1),
    Precision.MINUTE: timedelta(minutes=1),
    Precision.SECOND: timedelta(seconds=1),
}


class Since:
    """Admits dates that do not lie wholly before a moment.

    >>> since = Since(date(2024, 6, 1))
    >>> [since.admits(words) for words in ("2024-05-31", "2024-06-01", "2024", "yesterday", None)]
    [False, True, True, True, True]
    """

    def __init__(self, moment: date) -> None:
        if not isinstance(moment, date):
            raise InvalidOptionException(f"since must be a datetime or a date, not {type(moment).__name__}")
        if not isinstance(moment, datetime):
            moment = datetime(moment.year, moment.month, moment.day)  # noqa: DTZ001 - its zone comes next
        self._moment = in_utc(moment)

    def admits(self, words: str | None) -> bool:
        """Whether something that the site dates like this may be of that moment or later."""
        began = parse_date(words) if words else None
        if began is None:
            return True
        began = in_utc(began)
        if began >= self._moment:
            return True
        return self._moment - began < length(began, date_precision(words))

    def filter(self, packed: bytes, rows: int) -> tuple[bytes, int]:
        """The rows of a block that stay, packed again."""
        stay = [row for row in unpack(packed) if self._admits_page(row)]
        return (packed, rows) if len(stay) == rows else (pack(stay), len(stay))

    def _admits_page(self, row: Row) -> bool:
        return self.admits(row.lastmod or (row.news.publication_date if row.news else None))


def length(began: datetime, precision: Precision | None) -> timedelta:
    """How long that which a date names lasts."""
    if precision is Precision.YEAR:
        return timedelta(days=365 + isleap(began.year))
    if precision is Precision.MONTH:
        return timedelta(days=monthrange(began.year, began.month)[1])
    return _LENGTHS[precision or Precision.SECOND]
