"""The pytest tests of a game: of each ruleset, case, house bot and golden record. See ``game_tests``."""

import ast
import json
import random
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import jsonschema_rs
import pytest

from games.explanation import explained_action
from games.game import CatalogueGame, HouseBot
from games.numbered import NumberedGame
from games.picture import PicturePlayer
from games.record import Record
from games.ruleset import OptionError, Ruleset, SeatError
from games.table import Table
from luck.analysis import luck_values_known, luck_values_of
from pecking.testing import boards
from pecking.testing.checks import (
    check_actions,
    check_frozen,
    check_luck,
    check_numbers,
    check_odds,
    check_outcome,
    check_picture,
    check_reading,
    check_record,
    check_redealt,
    check_schema_of,
    check_secrets,
    check_seen,
    check_tampering,
    check_views,
    dealt,
)
from pecking.testing.random_games import (
    Case,
    random_game_option_sets,
    random_game_options_needed,
    random_game_seed,
    random_game_states,
    random_game_table,
)

BOT_IMPORTS: Final = frozenset(
    (
        "__future__",
        "collections",
        "functools",
        "heapq",
        "itertools",
        "math",
        "numpy",
        "operator",
        "random",
        "re",
        "typing",
    )
)


def test_a_game_ends_within_its_bound_and_its_record_holds(case: Case) -> None:
    ruleset, players, options = case
    record = random_game_table(ruleset, players, options, 1).record()
    assert len(record.actions) <= ruleset.max_actions(players, ruleset.validate(players, options))
    check_record(record)


def test_actions_notation_views_and_states_keep_their_promises(case: Case) -> None:
    ruleset, players, options = case
    schema, vocabulary = check_schema_of(ruleset), ruleset.vocabulary(ruleset.validate(players, options))
    assert len(set(vocabulary)) == len(vocabulary)
    turn = 0
    for step, (state, action) in enumerate(random_game_states(ruleset, players, options, 2)):
        check_actions(state, players, vocabulary)
        assert action in state.actions()
        assert turn <= state.turn
        turn = state.turn
        if step < 8 or step % 397 == 0:
            check_reading(state)
            check_odds(state)
            check_frozen(state)
            check_views(state, players, schema)
            after = state.play(action)
            assert all(isinstance(state.seen(action, seat), str | None) for seat in range(players))
            check_actions(after, players, vocabulary)
    last = state.play(action)
    check_actions(last, players, vocabulary)
    check_views(last, players, schema)
    outcome = last.outcome()
    assert outcome is not None
    check_outcome(outcome, players)


def test_a_picture_is_small_and_shows_what_all_may_know(case: Case, game: CatalogueGame) -> None:
    ruleset, players, options = case
    named = [PicturePlayer("<&'\"" * 9, seat) for seat in range(players)]
    states = list(random_game_states(ruleset, players, options, 9))
    for state, _ in (*states[:4], *states[4::197]):
        check_picture(state, game, named)
    last, action = states[-1]
    check_picture(last.play(action), game, named)


def test_a_seat_sees_the_same_after_what_it_cannot_tell_apart(case: Case) -> None:
    ruleset, players, options = case
    for step, (state, _) in enumerate(random_game_states(ruleset, players, options, 3)):
        if step < 8 or step % 397 == 0:
            check_secrets(state, players)
            check_seen(state, players)


def test_a_seat_sees_the_same_whatever_was_dealt_out_of_its_sight(case: Case) -> None:
    ruleset, players, options = case
    states, actions = zip(*random_game_states(ruleset, players, options, 3), strict=True)
    wanted, compared, rng = 0, 0, random.Random(3)
    for seat in range(players):
        hidden = [at for at, state in enumerate(states) if state.seen(actions[at], seat) is None]
        for at in rng.sample(hidden, min(12, len(hidden))):
            others = [way for way in states[at].actions() if way != actions[at] and states[at].seen(way, seat) is None]
            if others:
                wanted += min(3, len(states) - 1 - at)  # at least this many; near the end there are fewer
                compared += check_redealt(states, actions, seat, at, rng.choice(others))
    assert compared >= wanted


def test_programs_that_learn_get_what_a_seat_sees_and_no_more(case: Case) -> None:
    ruleset, players, options = case
    if ruleset.in_numbers is None:
        return
    numbered, rng = NumberedGame(ruleset, players, options), random.Random(4)
    for step, (state, _) in enumerate(random_game_states(ruleset, players, options, 4)):
        if step < 24 or step % 97 == 0:
            check_numbers(state, numbered, rng)


def test_chance_brings_no_luck_on_average_and_decisions_lose_what_the_best_is_worth_more(case: Case) -> None:
    """Checks every value of the ruleset that covers this table; see ``pecking.luck``."""
    ruleset, players, options = case
    known = [luck_values_known()[value] for value in luck_values_of(ruleset.id)]
    covering = [one for one in known if not one.value.covers(players, ruleset.validate(players, options))]
    for judge in [one.judge() for one in covering]:
        for step, (state, _) in enumerate(random_game_states(ruleset, players, options, 3)):
            if step < 4 or step % 397 == 0:
                check_luck(judge, state)


def test_the_same_seed_gives_the_same_game_and_other_seeds_others_where_chance_has_a_part(ruleset: Ruleset) -> None:
    first, again, *others = (dealt(ruleset, random_game_seed(number)) for number in (4, 4, *range(5, 15)))
    assert first == again
    assert not first or any(other != first for other in others)


def test_a_seed_means_the_same_luck_whatever_the_others_do(case: Case) -> None:
    ruleset, players, options = case
    luck: dict[Any, str] = {}
    for choices in (6, 7):
        table, rng = Table(ruleset, players, options, random_game_seed(6)), random.Random(choices)
        while not table.over:
            table.play(rng.choice(table.state.actions()))
        drawn = [(before.chance(), action) for before, action, _, _ in table.record().replay()]
        assert all(luck.setdefault(request, action) == action for request, action in drawn if request is not None)


def test_a_record_cannot_be_tampered_with(ruleset: Ruleset) -> None:
    check_tampering(random_game_table(ruleset, ruleset.seats.start, {}, 8).record().encode())


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
        listed = [] if option.form else [(type(one), one) for one in option.allowed]
        wrong_values: list[Any] = ["no such value", None, 1, 0, 1.5, [], {}]
        for value in (one for one in wrong_values if (type(one), one) not in listed):
            with pytest.raises(OptionError) as wrong:
                ruleset.validate(least, {name: value})
            assert (wrong.value.field, wrong.value.value, wrong.value.allowed) == (name, value, allowed)
        for value in option.allowed:
            kept = {} if name in admitting else {name: value}  # the fewest players do not need this option
            assert kept.items() <= ruleset.validate(least, {name: value}).items()
            assert option.settle(name, option.read(option.write(value))) == value
            assert option.settle(name, option.read(json.dumps(value))) == value
            jsonschema_rs.Draft202012Validator(dict(option.schema())).validate(value)


def test_every_value_but_a_number_has_its_words(ruleset: Ruleset) -> None:
    for option in ruleset.options.values():
        if option.form is None and any(type(value) is not int for value in option.allowed):
            assert len(set(option.words)) == len(option.words) == len(option.allowed)


def test_there_is_a_golden_record_for_every_number_of_players(ruleset: Ruleset, golden: list[dict[str, Any]]) -> None:
    """``python -m pecking.testing.golden NAME`` writes them."""
    found = {one["players"] for one in golden if one["ruleset"] == ruleset.id}
    assert found == set(ruleset.seats), f"run: python -m pecking.testing.golden {ruleset.name}"


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


@pytest.mark.browser
def test_its_board_plays_games_to_their_end_in_a_browser(
    game: CatalogueGame, golden: list[dict[str, Any]], tmp_path: Path
) -> None:
    """Plays golden records of the fewest and the most players at desktop and phone size. Skipped without a browser."""
    if why := boards.boards_lacking(game.name):
        pytest.skip(why)
    records = {one["players"]: one["record"] for one in golden if one["ruleset"] == game.current.id}
    boards.check_boards([bytes.fromhex(records[players]) for players in {min(records), max(records)}], tmp_path)


def test_there_are_house_bots_and_one_of_them_is_the_stand_in(game: CatalogueGame) -> None:
    assert {bot.folder for bot in game.house_bots} == {game.folder}
    assert len({bot.name for bot in game.house_bots}) == len(game.house_bots) > 0
    assert game.stand_in in game.house_bots


def test_a_house_bot_is_one_file_that_needs_nothing_of_the_platform(bot: HouseBot) -> None:
    tree = ast.parse(bot.source())
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
    froms = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    roots = {name.partition(".")[0] for name in [*froms, *(alias.name for node in imports for alias in node.names)]}
    assert roots <= BOT_IMPORTS


@pytest.mark.parametrize("share", [pytest.param(1, marks=pytest.mark.slow), 4], ids=["all", "a share"])
def test_a_house_bot_plays_legally_at_every_table(game: CatalogueGame, bot: HouseBot, share: int) -> None:
    """Plays every version of the rules. Each test covers a share of the tables; together they cover all."""
    act, others = loaded(bot), loaded(game.stand_in)
    every = [(version, options) for version in game.versions for options in random_game_option_sets(version)]
    bots = game.house_bots
    share = min(share, len(bots))
    for number, (ruleset, options) in list(enumerate(every))[bots.index(bot) % share :: share]:
        players = ruleset.seats[number % len(ruleset.seats)]
        table = Table(
            ruleset, players, options | random_game_options_needed(ruleset, players), random_game_seed("house", number)
        )
        while not table.over:
            mine = table.actor == number % players
            table.play((act if mine else others)(table.view(table.actor)))
        assert table.outcome is not None


def test_the_stand_in_answers_the_same_view_the_same(game: CatalogueGame) -> None:
    games = []
    ruleset = game.current
    players = ruleset.usual_seats[len(ruleset.usual_seats) // 2]
    for _ in range(2):
        act, table = loaded(game.stand_in), Table(ruleset, players, {}, random_game_seed("stand-in"))
        while not table.over:
            table.play(act(table.view(table.actor)))
        games.append(table.record())
    assert games[0] == games[1]


def loaded(bot: HouseBot) -> Callable[[Any], str]:
    """Return the bot's ``act``, loaded from its source alone, as the cage does."""
    module = ModuleType("bot")
    file = files(bot.folder).joinpath("bots", f"{bot.name}.py")  # for the lines of a traceback
    exec(compile(bot.source(), str(file), "exec"), module.__dict__)
    return lambda view: explained_action(module.act(view))
