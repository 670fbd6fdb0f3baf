"""Whose turn it is: earliest place first, so many at a time, so far apart; all of it linear."""

import math
import time
from collections.abc import Container

import pytest

from usp.crawl.politeness import Politeness
from usp.crawl.turns import Turns

FREE = Politeness(connections=100, connections_in_all=100)


def turns_of(politeness: Politeness = FREE, at_once: int | None = None, unwanted: Container[str] = ()) -> Turns[str]:
    return Turns(politeness, at_once, is_wanted=lambda item: item not in unwanted)


def test_the_earliest_place_goes_first_whatever_the_order_of_asking() -> None:
    turns = turns_of()
    turns.ask("a", (0, 2), "third")
    turns.ask("b", (0, 1), "second")
    turns.ask("a", (0,), "first")
    assert turns.take(0) == ["first", "second", "third"]


def test_of_the_same_place_who_asked_first_goes_first() -> None:
    turns = turns_of(Politeness(connections=1))
    turns.ask("a", (0,), "first")
    turns.ask("a", (0,), "second")
    assert turns.take(0) == ["first"]


def test_a_host_is_asked_no_more_at_a_time_than_its_connections() -> None:
    turns = turns_of(Politeness(connections=2))
    for number in range(4):
        turns.ask("a", (number,), f"a{number}")
    turns.ask("b", (9,), "b")
    assert turns.take(0) == ["a0", "a1", "b"]
    assert turns.take(0) == []
    turns.finish("a", 0)
    assert turns.take(0) == ["a2"]


def test_all_hosts_together_are_asked_no_more_than_all_connections() -> None:
    turns = turns_of(Politeness(connections_in_all=2))
    for number in range(3):
        turns.ask(f"host{number}", (number,), f"{number}")
    assert turns.take(0) == ["0", "1"]
    turns.finish("host0", 0)
    assert turns.take(0) == ["2"]


@pytest.mark.parametrize(("at_once", "taken"), [(1, 1), (2, 2), (9, 3), (None, 3)])
def test_a_fetcher_is_given_no_more_than_it_takes(at_once: int | None, taken: int) -> None:
    turns = turns_of(Politeness(connections_in_all=3), at_once)
    for number in range(9):
        turns.ask(f"host{number}", (number,), f"{number}")
    assert len(turns.take(0)) == taken


def test_requests_to_one_host_start_as_far_apart_as_the_delay() -> None:
    turns = turns_of(Politeness(delay=2.0))
    for number in range(3):
        turns.ask("a", (number,), f"a{number}")
    turns.ask("b", (9,), "b")
    assert turns.take(10) == ["a0", "b"]
    assert turns.next_moment() == 12
    assert turns.take(11.9) == []
    assert turns.take(12) == ["a1"]
    turns.finish("a", 12.1)
    assert turns.take(12.1) == []
    assert turns.take(14) == ["a2"]


def test_a_paused_host_is_left_alone_and_others_are_not() -> None:
    turns = turns_of()
    turns.pause("a", 5)
    turns.ask("a", (0,), "a")
    turns.ask("b", (1,), "b")
    assert turns.take(0) == ["b"]
    assert turns.next_moment() == 5
    assert turns.take(5) == ["a"]


def test_the_longest_pause_counts() -> None:
    turns = turns_of()
    turns.ask("a", (0,), "a")
    turns.pause("a", 9)
    turns.pause("a", 4)
    assert turns.take(8) == []
    assert turns.take(9) == ["a"]


def test_an_item_waits_for_its_own_time_without_holding_up_its_host() -> None:
    turns = turns_of()
    turns.ask("a", (0,), "retry", not_before=7)
    turns.ask("a", (1,), "other")
    assert turns.take(0) == ["other"]
    assert turns.next_moment() == 7
    assert turns.take(7) == ["retry"]
    assert turns.next_moment() == math.inf


def test_places_later_than_a_bound_stay_where_they_are() -> None:
    turns = turns_of()
    turns.ask("a", (1,), "a1")
    turns.ask("a", (3,), "a3")
    turns.ask("b", (2,), "b2")
    assert turns.take(0, no_later_than=(2,)) == ["a1", "b2"]
    assert turns.take(0) == ["a3"]


def test_an_offer_whose_item_is_gone_lets_no_later_item_go_before_its_turn() -> None:
    turns = turns_of(Politeness(connections=2, connections_in_all=2))
    for number in (0, 1, 2, 9):
        turns.ask("a", (number,), f"a{number}")
    turns.ask("b", (5,), "b5")
    assert turns.take(0) == ["a0", "a1"]
    turns.finish("a", 0)
    turns.finish("a", 0)  # the host offers its next item again
    assert turns.take(0) == ["a2", "b5"]


def test_an_offer_whose_item_is_gone_lets_nothing_pass_the_bound() -> None:
    turns = turns_of(Politeness(connections=2))
    for number in (0, 1, 2, 9):
        turns.ask("a", (number,), f"a{number}")
    assert turns.take(0) == ["a0", "a1"]
    turns.finish("a", 0)
    turns.finish("a", 0)
    assert turns.take(0, no_later_than=(5,)) == ["a2"]


def test_what_is_not_wanted_any_more_is_passed_over_and_takes_no_turn() -> None:
    unwanted: set[str] = set()
    turns = turns_of(Politeness(connections=1, delay=2.0), unwanted=unwanted)
    for item in ("first", "second", "third"):
        turns.ask("a", (len(item),), item)
    turns.ask("a", (0,), "retry", not_before=1)
    unwanted |= {"first", "retry"}
    turns.withdraw("a")
    assert turns.take(5) == ["third"]
    turns.finish("a", 5)
    assert turns.take(6) == []
    assert turns.take(7) == ["second"]


def test_what_was_withdrawn_is_forgotten() -> None:
    unwanted: set[str] = set()
    turns = turns_of(unwanted=unwanted)
    for number in range(5_000):
        turns.ask("wide", (0, number), f"{number}")
        turns.ask(f"host{number}", (1, number), f"{number}")
        if number >= 10:
            unwanted.add(f"{number}")
            turns.withdraw("wide")
            turns.withdraw(f"host{number}")
    assert len(turns._hosts) == 11
    assert len(turns._hosts["wide"].waiting) <= 21
    assert len(turns._offers) <= 2 * 11 + 1000
    assert turns.take(0) == [f"{number}" for number in range(10)] * 2


def test_a_host_that_is_paused_is_not_forgotten_with_its_items() -> None:
    unwanted: set[str] = set()
    turns = turns_of(unwanted=unwanted)
    turns.ask("a", (0,), "old")
    turns.pause("a", 5)
    unwanted.add("old")
    turns.withdraw("a")
    turns.ask("a", (0,), "new")
    assert turns.take(1) == []
    assert turns.take(5) == ["new"]


def test_withdrawing_from_a_host_that_nobody_knows_changes_nothing() -> None:
    turns = turns_of()
    turns.withdraw("a")
    assert turns.take(0) == []


def seconds_for(hosts: int) -> float:
    """The time that so many hosts take, which all want something, two pauses and one more turn each."""
    began = time.process_time()
    turns = turns_of(Politeness(connections_in_all=8))
    for number in range(hosts):
        turns.ask(f"host{number}", (number,), f"host{number}")
        turns.ask(f"host{number}", (number, 1), f"host{number}")
        turns.pause(f"host{number}", number / hosts)
    left, now = 2 * hosts, 1.0
    while left:
        for host in turns.take(now):
            turns.finish(host, now)
            left -= 1
    return time.process_time() - began


def test_many_hosts_cost_no_more_each_than_few() -> None:
    few = min(seconds_for(1_500) for _ in range(3))
    many = min(seconds_for(12_000) for _ in range(2))
    assert many < 8 * few * 3, "what grows with the square would take eight times as long again"
