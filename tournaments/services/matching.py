"""The matches of a round, made by the terms of its tournament and stage."""

from collections.abc import Sequence

from matches.models import Match
from matches.services import MatchTerms, PlannedMatch, matches_create
from tournaments.contest import TOURNAMENT
from tournaments.models import Round
from tournaments.services.publishing import audience_of


def match_terms_of(played: Round) -> MatchTerms:
    """Return the terms of the matches of a round, by its tournament and stage."""
    tournament, stage = played.tournament, played.stage
    return MatchTerms(
        ruleset=tournament.ruleset,
        options=tournament.options,
        limits=tournament.limits,
        blocks=stage.blocks,
        stopping=stage.stopping,
        min_action_ms=tournament.min_action_ms,
        tempo=played.shown_at,
        premieres_at=played.premieres_at,
        audience=audience_of(played),
        organiser_id=tournament.organiser_id,
        contest=TOURNAMENT.numbered(tournament.pk),
        luck_value=tournament.luck_value,
    )


def round_matches_create(played: Round, pairings: Sequence[PlannedMatch], *, held: bool) -> list[Match]:
    """Create a match for each pairing, in their order; ``held``: they wait until the round begins."""
    return matches_create(terms=match_terms_of(played), pairings=pairings, held=held)
