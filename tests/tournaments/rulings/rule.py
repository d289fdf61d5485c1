"""Rule as the pages do: look at the consequences, then confirm them."""

from typing import Any

from tests.tournaments.factories import Judge, finish_matches, stronger_wins
from tournaments.models import Fixture, Ruling, Tournament
from tournaments.ruling_validation import ruling_allowed_require
from tournaments.selectors.rulings.consequences import ruling_consequences_of
from tournaments.selectors.rulings.ruling_preview import Consequences, Proposal
from tournaments.services import ruling_make, tournament_advance
from tournaments.standings import RulingCode


def fixture_at(cup: Tournament, number: int, table: int) -> Fixture:
    """The table of a round, with what a proposal needs of it."""
    fixtures = cup.fixtures.select_related("round__stage", "round__tournament", "match")
    return fixtures.get(round__number=number, table=table)


def preview(cup: Tournament, kind: str, **about: Any) -> Consequences:
    """What would follow."""
    cup = Tournament.objects.get(pk=cup.pk)
    proposal = Proposal(RulingCode(kind), **about)
    ruling_allowed_require(cup, proposal)
    return ruling_consequences_of(cup, proposal)


def rule(cup: Tournament, kind: str, *, by: Any = None, reason: str = "It was agreed.", **about: Any) -> Ruling:
    """Rule, the organiser if nobody else."""
    shown = preview(cup, kind, **about)
    return ruling_make(
        tournament=cup, proposal=shown.proposal, reason=reason, by=by or cup.organiser, basis=shown.basis
    )


def take_back(cup: Tournament, ruling: Ruling | None = None, **about: Any) -> Ruling:
    """Take a ruling back, the last one if no other is named."""
    named = ruling or cup.rulings.order_by("-number").first()
    return rule(cup, "take_back", ruling=named, **about)


def played(cup: Tournament, judge: Judge = stronger_wins) -> Tournament:
    """The tournament, round after round to its end."""
    for _ in range(30):
        cup.refresh_from_db()
        if cup.state != "running":
            return cup
        finish_matches(cup, judge)
        tournament_advance(tournament_id=cup.pk)
    raise AssertionError("it never ends")
