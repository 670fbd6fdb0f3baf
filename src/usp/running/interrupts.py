"""Ctrl-C where the caller's own code runs within an event loop, and where it must wait for a moment.

The handler of an ``asyncio.Runner`` only notes Ctrl-C, and acts when the loop runs again: not before a callback that
waits for something is back. There Ctrl-C raises ``KeyboardInterrupt``, as everywhere else.
"""

import signal
import threading
from asyncio import Runner
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec, TypeVar

import msgspec

from usp.running.assignment import Assignment

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C end at once what is done within, or before it begins.

    A handler of the program's own stays in charge.
    """
    handler = signal.getsignal(signal.SIGINT)
    owner = getattr(getattr(handler, "func", None), "__self__", None)
    if not isinstance(owner, Runner) or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        if getattr(owner, "_interrupt_count", 0):
            raise KeyboardInterrupt
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Put Ctrl-C off until what is done within is done, which must take a moment only."""
    handler = signal.getsignal(signal.SIGINT)
    if handler is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    put_off: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: put_off.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if put_off:
            signal.raise_signal(signal.SIGINT)


def with_interruptible_callbacks(assignment: Assignment) -> Assignment:
    """The same assignment, whose callbacks Ctrl-C ends at once."""
    rules = msgspec.structs.replace(
        assignment.rules,
        recurse_callback=_interruptible(assignment.rules.recurse_callback),
        recurse_list_callback=_interruptible(assignment.rules.recurse_list_callback),
    )
    return msgspec.structs.replace(assignment, rules=rules, on_event=_interruptible(assignment.on_event))


def _interruptible(callback: Callable[Arguments, Result] | None) -> Callable[Arguments, Result] | None:
    if callback is None:
        return None

    @wraps(callback)
    def called_back(*arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
        with interruptible():
            return callback(*arguments, **named)

    return called_back
