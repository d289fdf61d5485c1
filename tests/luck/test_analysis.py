"""A game taken apart: the parts add up, faults end the count, and a game that cannot be analysed gives the reason."""

from dataclasses import replace
from typing import Any

import pytest

from games.record import Record, RecordError
from games.state import CHANCE
from luck import UNIT, GameAccount, Unanalysed, luck_analyse, luck_mark, luck_value_of
from luck import analysis as analysis_module
from luck.pickomino.value import PICKOMINO_V1
from luck.shares import luck_share_moments, luck_shares_with, rounded, shares_of
from tests.luck.games import played


def account(record: Record) -> GameAccount:
    found = luck_analyse(record)
    assert isinstance(found, GameAccount)
    return found


@pytest.mark.parametrize(
    ("bots", "options"),
    [
        (("greedy", "cautious"), {}),
        (("greedy", "cautious"), {"start": "random", "steal": "mandatory"}),
        (("greedy", "random", "cautious", "greedy", "cautious"), {"lower_tile": "any_lower"}),
        (("greedy", "cautious", "greedy", "cautious"), {"flip_without_return": True}),
    ],
)
def test_start_luck_losses_and_the_rest_add_up_to_the_end(bots: tuple[str, ...], options: dict[str, Any]) -> None:
    record = played(bots, 3, **options)
    found = account(record)
    parts = zip(found.start, found.luck, found.lost, found.theirs, found.unexplained, strict=True)
    assert tuple(start + luck - lost + theirs + rest for start, luck, lost, theirs, rest in parts) == found.final
    assert found.final == shares_of(record.verify().places)
    steps = list(record.replay())
    assert len(found.shares) == len(steps) + 1
    assert [event.step for event in found.events] == [n for n, s in enumerate(steps, 1) if s.before.actor == CHANCE]
    assert [(d.step, d.action) for d in found.decisions] == [
        (n, step.action) for n, step in enumerate(steps, 1) if step.before.actor != CHANCE
    ]
    assert found.value == luck_value_of(record.ruleset) == "pickomino/1-v1"


def test_two_players_share_one_between_them_at_every_step() -> None:
    found = account(played(("greedy", "cautious"), 4))
    assert all(sum(shares) == UNIT for shares in found.shares)
    assert found.luck[0] == -found.luck[1]
    assert found.theirs == found.lost[::-1]


def test_every_turn_has_its_shares_once() -> None:
    found = account(played(("greedy", "cautious", "greedy"), 5, start="random"))
    assert [moment.turn for moment in found.turns] == list(range(1, len(found.turns) + 1))
    assert all(moment.shares == found.shares[moment.step] for moment in found.turns)
    assert [moment.seat for moment in found.turns[1:]] == [(m.seat + 1) % 3 for m in found.turns[:-1]]


def test_nothing_is_lost_by_the_best_action_and_something_by_others() -> None:
    found = account(played(("random", "greedy"), 6))
    for decision in found.decisions:
        values = {one.action: one.value for one in decision.options}
        assert decision.lost == max(values.values()) - values[decision.action] >= 0
        assert values[decision.best] == max(values.values())
        assert [one.value for one in decision.options] == sorted(values.values(), reverse=True)
    assert sum(decision.lost for decision in found.decisions if decision.seat == 0) == found.lost[0] > 0


def test_marks_begin_at_two_five_and_ten_points() -> None:
    hundredth = UNIT // 100
    assert [luck_mark(points * hundredth) for points in (1, 2, 4, 5, 9, 10, 60)] == [
        *("", "slip", "slip", "mistake", "mistake"),
        *("blunder", "blunder"),
    ]


def test_after_a_fault_the_luck_and_losses_of_that_seat_count_no_more() -> None:
    bots = ("greedy", "cautious", "greedy")
    whole, cut = account(played(bots, 7)), account(played(bots, 7, faults={1: 40}))
    ((seat, step),) = cut.stopped
    assert seat == 1
    assert cut.shares == whole.shares  # the same bot stands in: only what is counted differs
    assert cut.luck[1] == sum(event.luck[1] for event in cut.events if event.step < step)
    assert (cut.luck[0], cut.luck[2]) == (whole.luck[0], whole.luck[2])
    assert cut.lost[1] == sum(d.lost for d in cut.decisions if d.seat == 1 and d.step < step)
    assert all(decision.stand_in == (decision.seat == 1 and decision.step >= step) for decision in cut.decisions)
    assert all(not decision.to_dict()["mark"] for decision in cut.decisions if decision.stand_in)


def test_luck_is_the_first_of_its_moments_and_each_is_counted_as_luck_is(monkeypatch: pytest.MonkeyPatch) -> None:
    values = analysis_module.luck_values_known()
    record = played(("greedy", "cautious", "greedy"), 7, faults={1: 40})
    alone = account(record)
    assert alone.luck_moments == (alone.luck,)
    further = values["pickomino/1-v1"]._replace(ahead=lambda state: UNIT // max(1, state.turn))
    monkeypatch.setitem(values, "pickomino/1-v1", further)
    found = account(record)
    assert replace(found, luck_moments=alone.luck_moments) == alone
    assert found.luck == alone.luck
    ((_, stopped),) = found.stopped
    steps = list(record.replay())
    for seat, last in ((0, len(steps)), (1, stopped - 1)):
        wanted = [
            luck_share_moments(
                one.luck[seat], found.shares[one.step - 1][seat], UNIT // max(1, steps[one.step - 1].before.turn)
            )
            for one in found.events
            if one.step <= last
        ]
        assert [moment[seat] for moment in found.luck_moments] == [sum(column) for column in zip(*wanted, strict=True)]
    assert found.to_dict()["luck_moments"] == [list(moment) for moment in found.luck_moments]


def test_once_a_single_bot_is_left_nothing_counts_for_it_either() -> None:
    cut = account(played(("greedy", "cautious"), 7, faults={1: 40}))
    ((_, step),) = cut.stopped
    assert cut.luck[0] == sum(event.luck[0] for event in cut.events if event.step < step)


@pytest.mark.parametrize("ruleset", ["heckmeck/1"])
def test_games_and_versions_without_a_value_give_the_reason(ruleset: str) -> None:
    found = luck_analyse(played(("random", "random"), 1, ruleset))
    assert isinstance(found, Unanalysed)
    assert found.code == "no_value"
    assert str(found) == f"There is no value for {ruleset} yet: its luck cannot be told."
    assert luck_value_of(ruleset) == ""


def test_a_game_that_the_platform_ended_is_not_analysed() -> None:
    found = luck_analyse(played(("aimless", "aimless"), 1))
    assert isinstance(found, Unanalysed)
    assert found.code == "turn_cap"


def test_a_record_cut_short_is_not_analysed() -> None:
    whole = played(("greedy", "cautious"), 2)
    for actions in ((), whole.actions[:1], whole.actions[:-1]):
        found = luck_analyse(replace(whole, actions=actions))
        assert isinstance(found, Unanalysed)
        assert found.code == "unfinished"


def test_a_value_that_was_not_made_for_an_option_or_a_table_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    record = played(("greedy", "cautious"), 2, steal="mandatory")
    fewer_options = replace(PICKOMINO_V1, options=PICKOMINO_V1.options | {"steal": ("optional",)})
    for value, option in ((fewer_options, "steal"), (replace(PICKOMINO_V1, players=range(3, 8)), "players")):
        judged = analysis_module.luck_values_known()["pickomino/1-v1"]._replace(value=value)
        monkeypatch.setitem(analysis_module.luck_values_known(), "pickomino/1-v1", judged)
        found = luck_analyse(record)
        assert isinstance(found, Unanalysed)
        assert (found.code, found.details["option"]) == ("options", option)


def test_a_record_that_does_not_hold_is_refused() -> None:
    whole = played(("greedy", "cautious"), 2)
    with pytest.raises(RecordError, match="digest"):
        luck_analyse(replace(whole, digest=bytes(16)))
    with pytest.raises(RecordError, match="illegal"):
        luck_analyse(replace(whole, actions=(*whole.actions, "roll")))


def test_shares_are_rounded_to_the_nearest_and_ties_count_half() -> None:
    assert [rounded(numerator, 2) for numerator in (-3, -1, 0, 1, 3)] == [-1, 0, 0, 1, 2]
    assert shares_of((1, 1, 3)) == (750_000_000, 750_000_000, 0)
    assert luck_shares_with((500, 500, 500), 1, 600) == (450, 600, 450)
