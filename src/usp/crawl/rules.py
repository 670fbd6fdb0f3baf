"""What a crawl is held to: the caller's policies and choices, in one frozen value."""

import msgspec

from usp.crawl.callbacks import RecurseCallbackType, RecurseListCallbackType
from usp.crawl.politeness import Politeness
from usp.crawl.retry import Retry
from usp.crawl.since import Since
from usp.limits import DEFAULT_LIMITS, Limits


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The policies, and what the caller leaves out."""

    limits: Limits = DEFAULT_LIMITS
    retry: Retry = Retry()
    politeness: Politeness = Politeness()
    since: Since | None = None
    recurse_callback: RecurseCallbackType | None = None
    recurse_list_callback: RecurseListCallbackType | None = None
