"""What a site that cheats could write of a waiting round that is drawn again: each of these proofs is refused.

The site itself is made to cheat, so that all that follows in the chain agrees with it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from matches.proof.chain import ProofError
from matches.services import matches_reseed
from tests.tournaments.proof.events import FIRST, LAST, MIDDLE, cup_of, play_out
from tests.tournaments.proof.test_verify import proof_file
from tests.tournaments.rulings.rule import rule
from tournaments.match_secrets import tournament_match_secret
from tournaments.models import Bye, Round, Stage, Tournament
from tournaments.proof.verify import proof_verify
from tournaments.services import consequences, tournament_advance, tournament_start

pytestmark = pytest.mark.django_db
SIX = [FIRST, LAST, MIDDLE, LAST, FIRST, MIDDLE]
Cheat = Callable[[Round], object]


def more_points(played: Round) -> None:
    """Give more points for a bye than was announced."""
    played.byes.update(points=9)


def other_attempt(played: Round) -> None:
    """Draw a match as a later attempt, whose seeds are others: of many, the one that suits."""
    fixture = played.fixtures.select_related("round__tournament").get(table=1)
    fixture.attempt = 7
    fixture.save()
    luck = fixture.round.tournament.luck.value
    matches_reseed(secrets={fixture.match_id: tournament_match_secret(luck, played.number, 1, 7)})


def other_table(played: Round) -> None:
    """Draw a match at a table that is not there, whose seeds are others."""
    fixture = played.fixtures.select_related("round__tournament").get(table=1)
    fixture.table = 9
    fixture.save()
    luck = fixture.round.tournament.luck.value
    matches_reseed(secrets={fixture.match_id: tournament_match_secret(luck, played.number, 9)})


def undone_for_no_reason(played: Round) -> None:
    """Undo the round, so that it is drawn once more."""
    played.delete()
    Stage.objects.filter(pk=played.stage_id).update(drawn=0)


def bye_in_a_bracket(played: Round) -> None:
    """Give points for a bye in a round of a knockout."""
    entry = played.tournament.entries.order_by("pk").first()
    assert entry is not None
    Bye.objects.create(round=played, entry=entry, points=9, reasons={})


def cup_with_a_ruling(form: str, cheat: Cheat | None, monkeypatch: pytest.MonkeyPatch) -> Tournament:
    """One of six is disqualified while the first round waits, then the site cheats."""
    rounds = {"rounds": 1} if form == "swiss" else {}
    cup = cup_of(SIX, format=form, has_round_review=True, **rounds)
    tournament_start(tournament=cup)
    settle = consequences.ruling_consequences_seats_settle

    def cheated(tournament: Tournament) -> None:
        settle(tournament)
        if cheat is not None:
            cheat(Round.objects.get(tournament=tournament))

    monkeypatch.setattr(consequences, "ruling_consequences_seats_settle", cheated)
    rule(cup, "disqualify", entry=cup.entries.last())
    monkeypatch.undo()
    tournament_advance(tournament_id=cup.pk)
    return play_out(cup)


@pytest.mark.parametrize("form", ["swiss", "single_elimination"])
def test_a_waiting_round_that_a_ruling_changes_is_proved(
    form: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    cup = cup_with_a_ruling(form, None, monkeypatch)
    assert proof_verify(proof_file(cup, tmp_path / "proof.zip")).rulings == 1


@pytest.mark.parametrize(
    ("form", "cheat", "error"),
    [
        ("swiss", more_points, "gives 9 points for a bye"),
        ("swiss", other_attempt, "a wrong attempt number"),
        ("swiss", other_table, "a wrong attempt number|do not have the numbers"),
        ("swiss", undone_for_no_reason, "undid round 1, which does not follow"),
        ("single_elimination", bye_in_a_bracket, "changed the byes"),
    ],
)
def test_a_site_that_cheats_in_a_waiting_round_is_refused(
    form: str, cheat: Cheat, error: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    cup = cup_with_a_ruling(form, cheat, monkeypatch)
    with pytest.raises(ProofError, match=error):
        proof_verify(proof_file(cup, tmp_path / "proof.zip"))
