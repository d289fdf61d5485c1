"""The matches of a round, made by the terms of its tournament and stage."""

from collections.abc import Sequence

from matches.models import Match
from matches.services import PlannedMatch, matches_create
from tournaments.contest import TOURNAMENT
from tournaments.models import Round
from tournaments.services.publishing import audience_of


def round_matches_create(played: Round, pairings: Sequence[PlannedMatch], *, held: bool) -> list[Match]:
    """Create a match for each pairing, in their order; ``held``: they wait until the round begins."""
    tournament, stage = played.tournament, played.stage
    return list(
        matches_create(
            ruleset=tournament.ruleset,
            options=tournament.options,
            pairings=pairings,
            blocks=stage.blocks,
            stopping=stage.stopping,
            limits=tournament.limits,
            min_action_ms=tournament.min_action_ms,
            tempo=played.shown_at,
            premieres_at=played.premieres_at,
            held=held,
            audience=audience_of(played),
            organiser_id=tournament.organiser_id,
            luck_value=tournament.luck_value,
            contest=TOURNAMENT.numbered(tournament.pk),
        )
    )
