"""What is held of bodies, and whose turn it is to be read."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from usp.fetching.holding import CHUNK, Budget, Held, Turn
from usp.limits import PIECE


@pytest.mark.parametrize("sizes", [[], [1], [PIECE, 1], [1, 2 * CHUNK, 7], [PIECE + 1] * 9, [CHUNK], [CHUNK, 0, CHUNK]])
def test_what_is_held_comes_back_in_order_in_small_pieces(sizes: list[int]) -> None:
    budget = Budget(100 * CHUNK)
    held = Held(budget)
    pieces = [bytes([number]) * size for number, size in enumerate(sizes)]
    assert all(map(held.add, pieces))
    assert budget.left == 100 * CHUNK - sum(sizes)
    given = list(held.give())
    assert b"".join(given) == b"".join(pieces)
    assert all(len(piece) <= PIECE for piece in given)
    assert budget.left == 100 * CHUNK


def test_after_the_first_piece_that_finds_no_room_none_is_held() -> None:
    budget = Budget(10)
    held = Held(budget)
    assert [held.add(b"12345678"), held.add(b"123"), held.add(b"1")] == [True, False, False]
    assert list(held.give()) == [b"12345678"]


def test_what_is_released_is_forgotten() -> None:
    budget = Budget(10 * CHUNK)
    held = Held(budget)
    held.add(b"a")
    held.add(bytes(3 * CHUNK))
    held.release()
    held.release()
    assert list(held.give()) == []
    assert budget.left == 10 * CHUNK


async def _body(pieces: asyncio.Queue[bytes]) -> AsyncIterator[bytes]:
    while piece := await pieces.get():
        yield piece


def test_a_turn_is_kept_while_there_is_something_to_read_and_given_up_while_there_is_not() -> None:
    async def run() -> None:
        reading = asyncio.Lock()
        pieces: asyncio.Queue[bytes] = asyncio.Queue()
        body, turn, other = _body(pieces), Turn(reading), Turn(reading)
        pieces.put_nowait(b"1")
        assert await turn.next_of(body) == b"1"
        assert not reading.locked()
        await turn.take()
        await turn.take()
        pieces.put_nowait(b"2")
        assert await turn.next_of(body) == b"2"
        assert reading.locked()
        waiting = asyncio.ensure_future(turn.next_of(body))
        await other.take()
        pieces.put_nowait(b"3")
        assert await waiting == b"3"
        other.give_up()
        await turn.take()
        pieces.put_nowait(b"")
        assert await turn.next_of(body) is None
        turn.give_up()
        turn.give_up()
        assert not reading.locked()

    asyncio.run(run())


def test_who_is_cancelled_while_it_waits_for_a_piece_leaves_nothing_behind() -> None:
    async def run() -> None:
        turn = Turn(asyncio.Lock())
        await turn.take()
        waiting = asyncio.ensure_future(turn.next_of(_body(asyncio.Queue())))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(run())
