"""The bridge to OpenSpiel (``packages/openspiel``): the suite for any game, and each game beside OpenSpiel's own."""

import random
from dataclasses import replace

import pyspiel
import pytest
from pecking_order_openspiel.bridge import CannotBridge, bridged
from pecking_order_openspiel.lottery import Lottery, request, whole_weights
from pecking_order_openspiel.position import Position

from benchmarks.bridge import DISTRIBUTION, differences
from games.catalogue import BROKEN, GAMES, PACKAGES
from games.catalogue.code import game_code
from games.catalogue.discovery import catalogue_game_check
from games.dealer import Dealer
from games.game import CatalogueGame
from games.numbered import NumberedGame
from games.table import Table
from pecking.testing import game_tests
from pecking.testing.checks import check_numbers
from pecking.testing.random_games import random_game_option_sets, random_game_seed, random_game_states

OFFERED = {name: GAMES[name] for name, (distribution, _) in PACKAGES.items() if distribution == DISTRIBUTION}
every_game = pytest.mark.parametrize("game", OFFERED.values(), ids=OFFERED)
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

for _name, _game in OFFERED.items():
    globals()[f"Test{_name.title().replace('_', '')}"] = game_tests(_game)


def test_twenty_games_are_offered_each_with_a_bot_of_its_own_title() -> None:
    assert len(OFFERED) >= 20
    assert not BROKEN
    titles = [bot.title for game in GAMES.values() for bot in game.house_bots]
    assert len(set(titles)) == len(titles)
    for name, game in OFFERED.items():
        catalogue_game_check(name, game)


@every_game
def test_legal_actions_and_returns_are_those_of_openspiel_at_every_node(game: CatalogueGame) -> None:
    ruleset = game.current
    for number, options in enumerate(random_game_option_sets(ruleset)):
        for players in ruleset.seats:
            for one in range(3):
                nodes, wrong = differences(ruleset.start(players, options), random.Random(f"{number} {one}"))
                assert nodes > 0
                assert wrong == 0


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "liars_dice"])
def test_a_tensor_that_reveals_another_card_fails(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, honest = NumberedGame(OFFERED[name].current, 2), Position.tensor
    state = [state for state, _ in random_game_states(game.ruleset, 2, {}, 5)][-1]
    check_numbers(state, game, random.Random(5))
    monkeypatch.setattr(Position, "tensor", lambda state, seat: honest(state, 1 - seat))
    with pytest.raises(AssertionError):
        check_numbers(state, game, random.Random(5))


@every_game
def test_a_house_bot_takes_more_than_random_play(game: CatalogueGame) -> None:
    act, ruleset, lead = game.stand_in.act(), game.current, 0
    is_open = ruleset.start(2, {})._board.is_open  # type: ignore[attr-defined]
    for number in range(12 if is_open else 300):  # with hidden cards luck is larger, and a game is a few actions
        table, rng, mine = Table(ruleset, 2, {}, random_game_seed("better", number)), random.Random(number), number % 2
        while not table.over:
            table.play(act(table.view(mine)) if table.actor == mine else rng.choice(table.state.actions()))
        assert table.outcome is not None
        lead += table.outcome.points[mine] - table.outcome.points[1 - mine]
    assert lead > 0


def test_what_cannot_be_bridged_is_refused_with_the_reason() -> None:
    for spiel, why in (("matrix_rps", "same time"), ("negotiation", "no stated odds")):
        game = bridged(__name__, title="X", tagline="X", house_bots=[("x", "X", "X")], spiel=spiel)
        with pytest.raises(CannotBridge, match=why):
            game.current.start(2, {})


def test_draws_are_as_likely_as_openspiel_says() -> None:
    assert whole_weights((1 / 18, 1 / 36, 11 / 12)) == (2, 1, 33)
    drawn = [request(f"{number}", (3, 900), (1, 3)) for number in range(2)]
    assert all(isinstance(one, Lottery) for one in drawn)
    table: dict[str, int] = {}
    for number in range(2000):
        text = Dealer(random_game_seed("lottery", number)).deal(drawn[0])
        table[text] = table.get(text, 0) + 1
    assert set(table) == {"draw 3", "draw 900"}
    assert 420 < table["draw 3"] < 580  # 500 of 2,000, four standard deviations


def test_a_seat_has_the_same_dice_whatever_the_other_does() -> None:
    game, rolls = OFFERED["backgammon"].current, []
    for choices in (1, 2):
        state, dealer, rng = game.start(2, {}), Dealer(random_game_seed("dice")), random.Random(choices)
        mine = []
        for _ in range(30):
            wanted = state.chance()
            if wanted is not None and state._last is not None:  # type: ignore[attr-defined]
                mine.append((wanted.key, dealer.deal(wanted)))  # type: ignore[attr-defined]
            state = state.play(dealer.deal(wanted) if wanted is not None else rng.choice(state.actions()))
        rolls.append(dict(mine))
    shared = rolls[0].keys() & rolls[1].keys()
    assert len(shared) > 5
    assert all(rolls[0][key] == rolls[1][key] for key in shared)


def test_the_code_of_the_bridge_is_part_of_a_games_code(monkeypatch: pytest.MonkeyPatch) -> None:
    game_code.cache_clear()
    whole = game_code("hex").digest
    game_code.cache_clear()
    monkeypatch.setitem(GAMES, "hex", replace(OFFERED["hex"], shares=()))  # type: ignore[arg-type]
    assert game_code("hex").digest != whole
    game_code.cache_clear()


def test_nothing_of_openspiel_changes_under_a_position() -> None:
    state = OFFERED["connect_four"].current.start(2, {})
    assert isinstance(state, Position)
    before = str(state._held)
    for action in state.actions():
        state.play(action)
    assert str(state._held) == before
    assert pyspiel.load_game("connect_four").num_distinct_actions() == 7
