"""Every ruleset, with every number of players and every option, keeps what the platform is built on."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from games.picture import PicturePlayer
from games.record import Record
from games.ruleset import OptionError, Ruleset, SeatError
from games.table import Table
from tests.games import conformance
from tests.games.playing import VERSIONS, Case, case_name, cases, random_states, random_table, seed

GOLDEN = Path(__file__).parent / "golden"
every_case = pytest.mark.parametrize("case", cases(), ids=case_name)
every_ruleset = pytest.mark.parametrize("ruleset", VERSIONS, ids=str)


@every_case
def test_a_game_ends_within_its_bound_and_its_record_holds(case: Case) -> None:
    ruleset, players, options = case
    record = random_table(ruleset, players, options, 1).record()
    assert len(record.actions) <= ruleset.max_actions(players, ruleset.validate(players, options))
    conformance.check_record(record)


@every_case
def test_actions_notation_views_and_states_keep_their_promises(case: Case) -> None:
    ruleset, players, options = case
    schema, vocabulary = conformance.schema_of(ruleset), ruleset.vocabulary(ruleset.validate(players, options))
    assert len(set(vocabulary)) == len(vocabulary)
    turn = 0
    for step, (state, action) in enumerate(random_states(ruleset, players, options, 2)):
        conformance.check_actions(state, players, vocabulary)
        assert action in state.actions()
        assert turn <= state.turn
        turn = state.turn
        if step < 8 or step % 397 == 0:
            conformance.check_reading(state)
            conformance.check_frozen(state)
            conformance.check_views(state, players, schema)
            after = state.play(action)
            assert all(isinstance(state.seen(action, seat), str | None) for seat in range(players))
            conformance.check_actions(after, players, vocabulary)
    last = state.play(action)
    conformance.check_actions(last, players, vocabulary)
    conformance.check_views(last, players, schema)
    outcome = last.outcome()
    assert outcome is not None
    conformance.check_outcome(outcome, players)


@every_case
def test_a_picture_is_small_and_shows_what_all_may_know(case: Case) -> None:
    ruleset, players, options = case
    named = [PicturePlayer("<&'\"" * 9, seat) for seat in range(players)]
    states = list(random_states(ruleset, players, options, 9))
    for state, _ in (*states[:4], *states[4::197]):
        conformance.check_picture(state, ruleset, named)
    last, action = states[-1]
    conformance.check_picture(last.play(action), ruleset, named)


@every_case
def test_a_seat_sees_the_same_after_what_it_cannot_tell_apart(case: Case) -> None:
    ruleset, players, options = case
    for step, (state, _) in enumerate(random_states(ruleset, players, options, 3)):
        if step < 8 or step % 397 == 0:
            conformance.check_secrets(state, players)
            conformance.check_seen(state, players)


@every_case
def test_a_seat_sees_the_same_whatever_was_dealt_out_of_its_sight(case: Case) -> None:
    ruleset, players, options = case
    states, actions = zip(*random_states(ruleset, players, options, 3), strict=True)
    tried, compared, rng = 0, 0, random.Random(3)
    for seat in range(players):
        hidden = [at for at, state in enumerate(states) if state.seen(actions[at], seat) is None]
        for at in rng.sample(hidden, min(12, len(hidden))):
            others = [way for way in states[at].actions() if way != actions[at] and states[at].seen(way, seat) is None]
            if others:
                tried += 1
                compared += conformance.check_redealt(states, actions, seat, at, rng.choice(others))
    assert compared >= 3 * tried


@every_ruleset
def test_the_same_seed_gives_the_same_game_and_other_seeds_others_where_chance_has_a_part(ruleset: Ruleset) -> None:
    first, again, *others = (conformance.dealt(ruleset, seed(number)) for number in (4, 4, *range(5, 15)))
    assert first == again
    assert not first or any(other != first for other in others)


@every_case
def test_a_seed_means_the_same_luck_whatever_the_others_do(case: Case) -> None:
    ruleset, players, options = case
    luck: dict[Any, str] = {}
    for choices in (6, 7):
        table, rng = Table(ruleset, players, options, seed(6)), random.Random(choices)
        while not table.over:
            table.play(rng.choice(table.state.actions()))
        dealt = [(before.chance(), action) for before, action, _, _ in table.record().replay()]
        assert all(luck.setdefault(request, action) == action for request, action in dealt if request is not None)


@every_ruleset
def test_a_record_cannot_be_tampered_with(ruleset: Ruleset) -> None:
    conformance.check_tampering(random_table(ruleset, ruleset.seats.start, {}, 8).record().encode())


@every_ruleset
def test_options_and_players_outside_their_bounds_are_refused_by_name(ruleset: Ruleset) -> None:
    least, most = ruleset.seats.start, ruleset.seats.stop - 1
    for players in (least - 1, most + 1, 0, -1, True, 2.0, "2", None):
        with pytest.raises(SeatError, match=f"players: .* allowed: {least} to {most}"):
            ruleset.validate(players, {})  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="'no such option'") as unknown:
        ruleset.validate(least, {"no such option": 1})
    assert unknown.value.allowed == tuple(ruleset.options)
    admitting = {name for name, _ in ruleset.seats_with.values()}
    for name, option in ruleset.options.items():
        allowed = option.form.allowed if option.form else option.allowed
        assert option.settle(name, option.default) == option.default
        wrong_values: list[Any] = ["no such value", None, 1, 0, 1.5, [], {}]
        for value in wrong_values:
            with pytest.raises(OptionError) as wrong:
                ruleset.validate(least, {name: value})
            assert (wrong.value.field, wrong.value.value, wrong.value.allowed) == (name, value, allowed)
        for value in option.allowed:
            kept = {} if name in admitting else {name: value}  # the fewest need no leave to sit down
            assert kept.items() <= ruleset.validate(least, {name: value}).items()
            assert option.settle(name, option.read(option.write(value))) == value
            assert option.settle(name, option.read(json.dumps(value))) == value
            Draft202012Validator(option.schema()).validate(value)


@every_ruleset
def test_every_value_but_a_number_has_its_words(ruleset: Ruleset) -> None:
    for option in ruleset.options.values():
        if option.form is None and any(type(value) is not int for value in option.allowed):
            assert len(set(option.words)) == len(option.words) == len(option.allowed)


def golden(ruleset: Ruleset) -> list[dict[str, Any]]:
    path = GOLDEN / f"{ruleset.name}.json"
    written = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    return [entry for entry in written if entry["ruleset"] == ruleset.id]


@every_ruleset
def test_there_is_a_golden_record_for_every_number_of_players(ruleset: Ruleset) -> None:
    assert {entry["players"] for entry in golden(ruleset)} == set(ruleset.seats)


@pytest.mark.parametrize(
    "entry",
    [entry for ruleset in VERSIONS for entry in golden(ruleset)],
    ids=lambda entry: f"{entry['ruleset']}-{entry['players']}-{entry['reason']}",
)
def test_a_golden_record_replays_unchanged(entry: dict[str, Any]) -> None:
    record = Record.decode(bytes.fromhex(entry["record"]))
    outcome = record.verify()
    assert (record.ruleset, record.players, dict(record.options)) == (
        entry["ruleset"],
        entry["players"],
        entry["options"],
    )
    assert (list(outcome.points), list(outcome.places)) == (entry["points"], entry["places"])
    assert (outcome.reason, outcome.tie_break) == (entry["reason"], entry["tie_break"])
    assert record.encode().hex() == entry["record"]
