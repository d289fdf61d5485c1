"""The luck of the deal: what one fixed bot in every seat makes of the cards, less the mean of all deals."""

from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files
from random import Random
from statistics import mean, stdev

import pytest

from games.catalogue.laghetti.deck import LAKES
from games.catalogue.laghetti.position import LaghettiPosition
from games.record import Record
from luck import Unanalysed, luck_analyse, luck_analysed_by, luck_value_of
from luck.game_account import POINT, DealtGame
from luck.laghetti.deals import _means, laghetti_deals_reference_points
from luck.laghetti.fit import KINDS
from tests.luck.games import played

FROZEN = "9cfb5d98"  # head of SHA-256


def dealt(record: Record) -> DealtGame:
    found = luck_analyse(record)
    assert isinstance(found, DealtGame)
    return found


@pytest.mark.parametrize("players", [3, 4])
def test_the_reference_is_the_house_bot_in_every_seat(players: int) -> None:
    """So where that one plays all seats, what a deal was worth is what it brought, less the mean."""
    record = played(["steady"] * players, players, "laghetti/1")
    found, end = dealt(record), list(record.replay())[-1].after
    assert isinstance(end, LaghettiPosition)
    assert len(found.deals) == len(end.sheet) == (19 if players == 3 else 14)
    for deal, done in zip(found.deals, end.sheet, strict=True):
        usual = _means()[str(players)][str(deal.cards)]
        mine = [usual[(seat - done.dealer - 1) % players] + deal.luck[seat] for seat in range(players)]
        assert mine == [POINT * own for own in done.points]
    assert found.luck == tuple(sum(deal.luck[seat] for deal in found.deals) for seat in range(players))


def test_the_means_are_frozen_and_those_of_fresh_deals() -> None:
    assert sha256(files("luck.laghetti").joinpath("d1.json").read_bytes()).hexdigest()[:8] == FROZEN
    luck = Random(7)
    for players, cards in KINDS:
        rows = [laghetti_deals_reference_points(hands(luck, players, cards), players - 1, LAKES) for _ in range(400)]
        for seat, column in enumerate(zip(*rows, strict=True)):
            error = stdev(column) / len(column) ** 0.5
            assert abs(mean(column) - _means()[str(players)][str(cards)][seat] / POINT) < 4.5 * error


def hands(luck: Random, players: int, cards: int) -> Sequence[Sequence[int]]:
    cut = luck.sample(range(24), players * cards)
    return [sorted(cut[seat::players]) for seat in range(players)]


def test_it_is_reported_and_adjusts_nothing() -> None:
    assert luck_analysed_by("laghetti/1") == "laghetti/1-d1"
    assert luck_value_of("laghetti/1") == ""


def test_another_deck_has_no_account() -> None:
    other = [[value, (value + 11) % 24 + 1, 25 - value, value] for value in range(1, 25)]
    found = luck_analyse(played(["steady"] * 3, 1, "laghetti/1", deck=other))
    assert isinstance(found, Unanalysed)
    assert (found.code, found.details["option"]) == ("options", "deck")


def test_karteneck_has_no_account_and_gives_the_reason() -> None:
    found = luck_analyse(played(["random"] * 2, 1, "karteneck/2"))
    assert isinstance(found, Unanalysed)
    assert found.code == "too_little"
    assert "1.08 times" in str(found)
