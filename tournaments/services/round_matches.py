"""Create the matches of a round, and assign other bots to them when a waiting round is drawn again.

When a waiting round is drawn again, it keeps its matches and their seeds; only the bots in the seats change. None of
the matches has begun, so nobody gains an advantage. The number ``attempt`` of a match does not change. So the seeds of
a table do not depend on how often its round was drawn.
"""

from collections.abc import Sequence

from django.db import transaction

from bots.models import BotVersion
from matches.models import Match
from matches.services import MatchTerms, PlannedMatch, match_cancel, match_reseat, matches_create
from tournaments.errors import WrongState
from tournaments.match_secrets import tournament_match_secret, tournament_match_secret_attempts
from tournaments.models import Bye, Entry, Fixture, Luck, Round, Tournament, TournamentState
from tournaments.models.tournament import TOURNAMENT
from tournaments.selectors.rounds.stage_draws import Redraw, waiting_round_redraw
from tournaments.selectors.rulings.corrections import ruling_corrections_of
from tournaments.services.publishing import published_round_audience_of
from tournaments.services.ruling_chain import ruling_chain_changes_append, ruling_chain_state


def round_match_terms(played: Round) -> MatchTerms:
    """Return the terms of the matches of a round. They are those of its tournament and stage."""
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
        organiser_id=tournament.organiser_id,
        contest=TOURNAMENT.numbered(tournament.pk),
        luck_value=tournament.luck_value,
        **published_round_audience_of(played),
    )


def round_matches_create(played: Round, pairings: Sequence[PlannedMatch], *, held: bool) -> list[Match]:
    """Create a match for each pairing, in the same order. If ``held``, the matches wait until the round begins."""
    return matches_create(terms=round_match_terms(played), pairings=pairings, held=held)


def round_matches_redraw_apply(tournament: Tournament) -> bool:
    """Draw the waiting round again if its bots have left or come back. Return whether it was drawn again.

    Call it with the tournament locked.
    """
    present = tournament.entries.filter(is_withdrawn=False).values_list("pk", flat=True)
    redraw = waiting_round_redraw(tournament, list(present), ruling_corrections_of(tournament))
    if redraw is None:
        return False
    before = ruling_chain_state(tournament)
    round_matches_reseat(redraw)
    ruling_chain_changes_append(tournament, before, "redrawn")
    return True


def round_matches_reseat(redraw: Redraw) -> None:
    """Write the new draw of a waiting round.

    The previous draw is kept. If the same bots are present again later, it is used again.

    Raises:
        WrongState: the round has begun.
    """
    with transaction.atomic():
        played = Round.objects.select_for_update().get(pk=redraw.played.pk)
        if played.started_at is not None:
            raise WrongState(TournamentState(played.tournament.state), [])
        seating = [tables for tables, _ in redraw.after.tables]
        fixtures = {fixture.table: fixture for fixture in played.fixtures.all()}
        versions = dict(Entry.objects.filter(pk__in=redraw.after.field).values_list("pk", "version_id"))
        for table, (entries, reasons) in enumerate(redraw.after.tables, start=1):
            sitting = [versions[entry] for entry in entries]
            fixture = fixtures.get(table) or _fixture_at(played, table, sitting)
            match_reseat(
                match_id=fixture.match_id,
                versions=sitting,
                options=played.tournament.options,
                tempo=played.shown_at,
                premieres_at=played.premieres_at,
            )
            fixture.reasons = reasons
            fixture.save(update_fields=["reasons"])
        for table, fixture in fixtures.items():
            if table > len(seating):
                match_cancel(matches=Match.objects.filter(pk=fixture.match_id))
                played.spare[str(table)] = [fixture.match_id, fixture.attempt, fixture.luck]
                fixture.delete()
        played.byes.all().delete()
        Bye.objects.bulk_create(
            Bye(round=played, entry_id=entry, points=points, reasons=reasons)
            for entry, points, reasons in redraw.after.byes
        )
        kept = [one for one in played.arrangements if one != redraw.before.write()]
        played.arrangements = [*kept, redraw.before.write()]
        played.save(update_fields=["arrangements", "spare"])


def _fixture_at(played: Round, table: int, versions: list[int]) -> Fixture:
    """Create a fixture at a table. It gets the spare match of the table if there is one, or else a new match."""
    if str(table) in played.spare:
        match, attempt, luck = played.spare.pop(str(table))
        return Fixture.objects.create(round=played, table=table, match_id=match, attempt=attempt, luck=luck)
    tournament = played.tournament
    luck = Luck.objects.prefetch_related("nonces").get(tournament=tournament, number=played.luck)
    attempt = tournament_match_secret_attempts(tournament, played.number)(table)
    found = BotVersion.objects.in_bulk(versions)
    secret = tournament_match_secret(luck.value, played.number, table, attempt)
    pairing = PlannedMatch([found[version] for version in versions], secret)
    (match,) = round_matches_create(played, [pairing], held=True)
    return Fixture.objects.create(round=played, table=table, match=match, attempt=attempt, luck=played.luck)
