"""From round to round: the next one, the deck, the end, and what nobody sees."""

import pytest

from games.catalogue import current
from games.catalogue.karteneck.cards import cards_names, cards_size
from games.catalogue.karteneck.fields import KarteneckPhase
from games.catalogue.karteneck.position import KarteneckPosition
from games.catalogue.karteneck.rules import KarteneckRules
from games.catalogue.karteneck_v1 import KarteneckRulesV1
from games.state import CHANCE
from tests.games.karteneck_positions import drawn, pile, play, position

KARTENECK = current("karteneck")


def seen(state: KarteneckPosition) -> dict[str, object]:
    return state.view(None)


# The next round


def test_as_many_portions_as_players_are_revealed_for_the_next_round() -> None:
    state = play(position("3|W1", "4|2 W3", passed="-v", last_round=False), "pass")
    assert (state.phase, state.round, state.event()) == (KarteneckPhase.REVEAL, 2, "menu")
    state = play(state, "reveal 42", "reveal 0")
    assert (state.phase, state.portions.grill) == (KarteneckPhase.TURN, (0, 42))


def test_the_last_of_the_menu_starts_the_next_round() -> None:
    state = play(position("3|1 W1", "4|2 W3", "1|", passed="-vi", last_round=False, starter=2), "pass")
    assert play(state, "reveal 0", "reveal 20", "reveal 30").actor == 0


def test_without_a_menu_the_last_to_pass_starts() -> None:
    state = drawn(position("3|", "4|", last_round=False), "pass", "pass")
    assert play(state, "reveal 0", "reveal 20").actor == 1


@pytest.mark.parametrize(("counts", "starter"), [(False, 1), (True, 0)])
def test_a_theft_makes_nobody_the_next_starter_unless_the_option_says_so(counts: bool, starter: int) -> None:
    state = position("1|5 5 5 W2", "2|", stacks=((), (20,)), starter=1, start_counts_steal=counts)
    assert drawn(state, "steal").starter == starter


def test_the_thief_is_in_the_menu_so_the_option_never_decides_who_starts() -> None:
    def starter(counts: bool) -> int:
        state = position("|5 5 5 W2", "|W1", stacks=((), (20,)), passed="-v", start_counts_steal=counts)
        return play(state, "steal").starter

    assert starter(False) == starter(True) == 1


# The deck


def test_the_discards_make_a_new_deck_only_when_a_card_is_needed() -> None:
    state = play(position("1 1|", "2|", deck="3", discard="4 4"), "play 2x1", "draw 3")
    assert (state.cards.deck, cards_names(state.cards.discard)) == (0, ["4", "4"])
    state = play(state, "play 1x2")
    assert (state.actions(), state.cards.discard) == (("draw 4",), 0)


def test_eagerly_the_discards_make_a_new_deck_with_the_last_card() -> None:
    state = play(position("1 1|", "2|", deck="3", discard="4 4", reshuffle="eager"), "play 2x1", "draw 3")
    assert (cards_names(state.cards.deck), state.cards.discard) == (["4", "4"], 0)


def test_the_cards_of_who_passes_without_a_worm_can_come_back_at_once() -> None:
    state = play(position("|4", "2|", deck="1", discard="3"), "pass", "draw 1")
    assert state.actions() == ("draw 3", "draw 4")


def test_displays_are_not_shuffled_back() -> None:
    state = play(position("1|", "2|W5 4", deck="", discard="3"), "play 1x1")
    assert state.actions() == ("draw 3",)


@pytest.mark.parametrize("reshuffle", ["lazy", "eager"])
def test_where_there_are_no_cards_at_all_fewer_are_drawn(reshuffle: str) -> None:
    state = play(position("|W1", "2|", deck="5", reshuffle=reshuffle), "pass", "draw 5")
    assert (state.actor, cards_names(state.cards.hands[0])) == (1, ["5"])
    assert drawn(position("1|", "2|", deck="", reshuffle=reshuffle), "play 1x1").actor == 1


# The end


def test_the_game_ends_with_the_round_that_empties_the_reserve() -> None:
    state = play(position("|W1", "|2 W2", passed="-v"), "pass")
    assert (state.actions(), state.actor, state.event()) == ((), CHANCE, "end")
    assert state.outcome() is not None


def test_most_worms_win() -> None:
    stacks = ((20, 16), (24, 0))
    outcome = play(position("|W1", "|2 W2", passed="-v", grill=(30, 42), stacks=stacks), "pass").outcome()
    assert outcome is not None
    assert (outcome.points, outcome.places) == ((5, 7), (2, 1))
    assert (outcome.reason, outcome.tie_break) == ("reserve_empty", "")


def test_among_equals_the_highest_portion_wins() -> None:
    outcome = play(position("|W1", "|2 W2", passed="-v", grill=(16, 17)), "pass").outcome()
    assert outcome is not None
    assert (outcome.points, outcome.places, outcome.tie_break) == ((1, 1), (2, 1), "highest_portion")


def test_among_equals_a_single_high_portion_beats_two_lower_ones() -> None:
    stacks = ((28,), (16, 20))
    outcome = play(position("|W1", "|2 W2", passed="-v", grill=(0, 0), stacks=stacks), "pass").outcome()
    assert outcome is not None
    assert (outcome.points, outcome.places, outcome.tie_break) == ((2, 2), (1, 2), "highest_portion")


@pytest.mark.parametrize(("rules", "places"), [(KarteneckRules, (2, 3, 1)), (KarteneckRulesV1, (2, 2, 1))])
def test_among_equals_who_owns_a_0_is_before_who_owns_no_portion(
    rules: type[KarteneckRules], places: tuple[int, ...]
) -> None:
    """K16: Ada must take the 0, Ben the 16, and Cleo with 16 in worms and numbers steals it from him."""
    at = position("|1", "|1", "|W1 5 4 2", grill=(0, 16, 20), deck="1 1 2 2")
    state = play(at._replace(rules=rules(3)), "pass", "draw 1", "draw 1", "pass", "draw 2", "draw 2", "steal")
    assert state.portions.stacks == ((0,), (), (16, 20))
    outcome = state.outcome()
    assert outcome is not None
    broken = "highest_portion" if 3 in places else ""
    assert (outcome.points, outcome.places, outcome.tie_break) == ((0, 0, 2), places, broken)


def test_players_who_are_still_equal_share() -> None:
    outcome = play(position("|W1", "|2 W2", passed="-v", grill=(0, 0)), "pass").outcome()
    assert outcome is not None
    assert (outcome.points, outcome.places, outcome.tie_break) == ((0, 0), (1, 1), "")


@pytest.mark.parametrize(
    ("portion", "worms"),
    [
        (0, 0),
        (16, 1),
        (24, 1),
        (25, 2),
        (28, 2),
        (29, 3),
        (32, 3),
        (33, 4),
        (36, 4),
        (37, 5),
        (40, 5),
        (41, 6),
        (42, 6),
    ],
)
def test_portions_are_worth_what_the_table_says(portion: int, worms: int) -> None:
    assert seen(position("|", "|", stacks=((portion,), ())))["worms"] == [worms, 0]


# Secrets


def test_only_who_draws_a_card_sees_it_and_only_the_owner_a_hand() -> None:
    state = play(position("1 1|", "2|"), "play 1x1")
    assert state.seen("draw 3", 0) == "draw 3"
    assert state.seen("draw 3", 1) is None
    assert play(state, "draw 3").view(1) == play(state, "draw W9").view(1)
    assert state.view(1)["hands"] == [None, ["2"]]
    assert state.view(1)["hand_sizes"] == [1, 1]


def test_what_a_pile_holds_is_named_as_it_was_given() -> None:
    assert cards_names(pile("W9 5 1 W2 5")) == ["1", "5", "5", "W2", "W9"]
    assert cards_size(pile("W9 5 1 W2 5")) == 5
