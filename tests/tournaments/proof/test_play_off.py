"""Proofs of tournaments with a play-off: after every kind of ruling on what came before it, and forged ones."""

import pytest

from matches.proof.chain import ProofError
from tests.tournaments.proof.events import LAST, cup_of, play_out, play_round
from tests.tournaments.proof.forging import Parts
from tests.tournaments.proof.test_verify import proof_file
from tests.tournaments.rulings import rule as rulings
from tests.tournaments.rulings.rule import fixture_at
from tournaments.errors import RulingRefused
from tournaments.models import Tournament
from tournaments.proof.verify import proof_verify
from tournaments.selectors.standings.ranking import standings_of
from tournaments.services import tournament_resume, tournament_start, tournaments_tend

pytestmark = pytest.mark.django_db
PLAY_OFF = ["play_off", "lot"]


def drawn_cup(rounds=1):
    """Of two bots whose every match is drawn, after so many of them."""
    cup = cup_of([LAST, LAST], tie_breaks=PLAY_OFF)
    tournament_start(tournament=cup)
    for _ in range(rounds):
        assert play_round(cup)
    return Tournament.objects.get(pk=cup.pk)


def rule(cup, kind, **about):
    """Rule, and let the tournament go on."""
    made = rulings.rule(cup, kind, **about)
    tournaments_tend()
    return made


def scores(cup, first):
    """All games for the entry that comes ``first`` or second."""
    one, other = cup.entries.order_by("pk").values_list("pk", flat=True)
    return {one: 2 * first, other: 2 - 2 * first}


def holds(cup, tmp_path):
    """The proof of a tournament that is over says what its standings say."""
    cup = Tournament.objects.get(pk=cup.pk)
    assert cup.state == "finished"
    names = {entry.pk: entry.bot.name for entry in cup.entries.select_related("bot")}
    rows = standings_of(cup.stages.get(number=1))
    assert proof_verify(proof_file(cup, tmp_path / "proof.zip")).places == tuple(
        (row.rank, names[row.entrant]) for row in rows
    )
    return [(names[row.entrant], row.above_next_by) for row in rows]


def stages(cup):
    return cup.stages.filter(started_at__isnull=False).count()


@pytest.fixture
def decided(tmp_path):
    """Decided in the first play-off, by the arbiter."""
    cup = drawn_cup()
    rule(cup, "replace", fixture=fixture_at(cup, 2, 1), scores=scores(cup, 1))
    assert stages(cup) == 2
    assert holds(cup, tmp_path) == [("Bot 1", "play_off"), ("Bot 2", "")]
    return cup


def test_three_draws_and_the_lot(tmp_path):
    cup = play_out(drawn_cup())
    assert stages(cup) == 4
    assert holds(cup, tmp_path)[0][1] == "lot"


@pytest.mark.parametrize("rounds", [1, 2, 3])
@pytest.mark.parametrize("first", [0, 1])
def test_a_result_given_to_the_match_before_makes_an_end_without_a_further_play_off(rounds, first, tmp_path):
    cup = drawn_cup(rounds)
    assert stages(cup) == rounds + 1
    rule(cup, "replace", fixture=fixture_at(cup, rounds, 1), scores=scores(cup, first))
    assert stages(cup) == rounds
    by = "points" if rounds == 1 else "play_off"
    assert holds(cup, tmp_path) == [(f"Bot {2 - first}", by), (f"Bot {1 + first}", "")]


def test_a_result_given_to_the_last_regular_match_lets_all_play_offs_go(tmp_path):
    cup = drawn_cup(3)
    rule(cup, "replace", fixture=fixture_at(cup, 1, 1), scores=scores(cup, 1))
    assert stages(cup) == 1
    assert holds(cup, tmp_path)[0] == ("Bot 1", "points")


def test_taken_back_the_play_offs_are_there_again(tmp_path):
    cup = drawn_cup(2)
    given = rule(cup, "replace", fixture=fixture_at(cup, 1, 1), scores=scores(cup, 1))
    with pytest.raises(RulingRefused):
        rulings.take_back(cup, given)
    rule(cup, "reopen")
    rulings.take_back(cup, given)
    assert stages(cup) == 3
    tournament_resume(tournament=Tournament.objects.get(pk=cup.pk))
    assert stages(play_out(Tournament.objects.get(pk=cup.pk))) == 4
    assert holds(cup, tmp_path)[0][1] == "lot"


@pytest.mark.parametrize(("rounds", "number"), [(1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (3, 3)])
def test_a_match_that_is_played_again_counts_for_the_play_offs_after_it(rounds, number, tmp_path):
    cup = drawn_cup(rounds)
    rule(cup, "replay", fixture=fixture_at(cup, number, 1))
    cup = play_out(Tournament.objects.get(pk=cup.pk))
    holds(cup, tmp_path)


@pytest.mark.parametrize("annul", [False, True])
@pytest.mark.parametrize("rounds", [1, 2])
def test_a_disqualified_bot_loses_the_play_off(annul, rounds, tmp_path):
    cup = drawn_cup(rounds)
    rule(cup, "disqualify", entry=cup.entries.get(bot__name="Bot 1"), annul=annul)
    cup = play_out(Tournament.objects.get(pk=cup.pk))
    assert stages(cup) == 1 if annul else rounds + 1
    assert holds(cup, tmp_path)[0][0] == "Bot 2"


def test_after_the_end_a_void_play_off_leaves_it_to_the_lot_until_it_is_re_opened(decided, tmp_path):
    rule(decided, "void", fixture=fixture_at(decided, 2, 1))
    assert holds(decided, tmp_path)[0][1] == "lot"
    rule(decided, "reopen")
    tournament_resume(tournament=Tournament.objects.get(pk=decided.pk))
    cup = play_out(Tournament.objects.get(pk=decided.pk))
    assert stages(cup) == 4
    holds(cup, tmp_path)


def test_after_the_end_another_result_of_the_play_off_changes_the_first_place(decided, tmp_path):
    rule(decided, "replace", fixture=fixture_at(decided, 2, 1), scores=scores(decided, 0))
    assert holds(decided, tmp_path) == [("Bot 2", "play_off"), ("Bot 1", "")]


def no_play_off(parts):
    """It ends where the play-off had to begin."""
    at = next(i for i, link in enumerate(parts.links) if link["kind"] == "stage" and link["content"]["stage"] == 2)
    parts.links[at:] = [link for link in parts.links[at:] if link["kind"] == "end"]


def another_round_than_was_needed(parts):
    """It goes on after the play-off that decided."""
    at = next(i for i, link in enumerate(parts.links) if link["kind"] == "end")
    parts.links.insert(
        at, {**parts.links[at], "kind": "stage", "content": {"stage": 3, "seeds": parts.find("stage", 1)["seeds"]}}
    )


def places_swapped(parts):
    """The loser of the play-off is named as its winner."""
    rows = parts.find("stage_end", 1)["standings"]
    rows[0]["entrant"], rows[1]["entrant"] = rows[1]["entrant"], rows[0]["entrant"]


def seeds_left_out(parts):
    parts.find("stage", 1)["seeds"].pop()


def the_tie_break_left_out(parts):
    parts.find("terms")["tie_breaks"].remove("play_off")


def an_announced_play_off(parts):
    parts.find("terms")["stages"][0]["format"] = "play_off"


@pytest.mark.parametrize(
    "forge",
    [
        no_play_off,
        another_round_than_was_needed,
        places_swapped,
        seeds_left_out,
        the_tie_break_left_out,
        an_announced_play_off,
    ],
)
def test_a_forged_play_off_is_refused(forge, decided, tmp_path):
    parts = Parts.of(proof_file(decided, tmp_path / "proof.zip"))
    proof_verify(parts.write(tmp_path / "same.zip"))
    forge(parts)
    with pytest.raises(ProofError):
        proof_verify(parts.write(tmp_path / "forged.zip"))
