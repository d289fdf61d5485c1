"""A stage begins, its rounds become matches, and it ends; the next one follows, or the tournament is over."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from bots.models import BotVersion, VersionState
from matches.models import MatchState
from matches.services import Pairing, matches_create
from tournaments.models import Bye, Entry, Fixture, Round, Seed, Stage, Tournament, TournamentState
from tournaments.seeds import attempts_of, match_secret
from tournaments.selectors.results import standings_of
from tournaments.selectors.seeding import by_lot
from tournaments.services.drawing import DrawnRound, next_rounds
from tournaments.services.moves import announce_later, move
from tournaments.services.publishing import audience_of

FINISHED_TASK: Final = "tournaments.match_finished"
UNDECIDED: Final = (MatchState.HELD, MatchState.QUEUED, MatchState.RUNNING)


def tournament_advance(*, tournament_id: int) -> bool:
    """Draw the next rounds of a running tournament whose matches are all decided, or begin its next stage, or finish
    it, whichever is due; False, and no change, if nothing is. Of several callers at once one does it."""
    if _undecided(tournament_id):
        return False
    with transaction.atomic():
        running = Tournament.objects.select_for_update().filter(pk=tournament_id, state=TournamentState.RUNNING)
        tournament = running.first()
        if tournament is None or _undecided(tournament_id):
            return False
        stage = tournament.stage
        if not _rounds_create(stage):
            _stage_finish(stage)
        announce_later(tournament_id)
    return True


def stage_start(stage: Stage) -> None:
    """Begin with the first round, or with all of them, as the format has it.

    Raises:
        EntrantsError: too few bots for a table.
    """
    stage.started = timezone.now()
    stage.save(update_fields=["started"])
    if stage.number == 1 and stage.is_knockout:
        _seed(stage, by_lot(stage, _present(stage)))
    _rounds_create(stage)


def _undecided(tournament_id: int) -> bool:
    return Fixture.objects.filter(round__tournament=tournament_id, match__state__in=UNDECIDED).exists()


def _stage_finish(stage: Stage) -> None:
    stage.finished = timezone.now()
    stage.save(update_fields=["finished"])
    following = Stage.objects.filter(tournament=stage.tournament, number=stage.number + 1).first()
    if following is not None and _go_on(stage, following) >= following.smallest_field:
        stage_start(following)
    else:
        move(stage.tournament_id, [TournamentState.RUNNING], TournamentState.FINISHED, finished=timezone.now())


def _go_on(stage: Stage, following: Stage) -> int:
    """Seed the best that are still there into ``following``; how many."""
    present = set(_present(stage))
    best = [row.entrant for row in standings_of(stage) if row.entrant in present]
    best = best[: following.entrants or None]
    _seed(following, best)
    return len(best)


def _seed(stage: Stage, entries: Sequence[int]) -> None:
    """The best first."""
    Seed.objects.bulk_create(
        Seed(stage=stage, number=number, entry_id=entry) for number, entry in enumerate(entries, start=1)
    )


def _rounds_create(stage: Stage) -> int:
    """Draw and create the next rounds with their matches; how many."""
    versions = _present(stage)
    rounds = next_rounds(stage, list(versions))
    # A ruling may have emptied a round between others, so counting them is not enough.
    first = (stage.tournament.rounds.aggregate(last=Max("number"))["last"] or 0) + 1
    for number, drawn in enumerate(rounds, start=first):
        _round_create(stage, number, drawn, versions)
    stage.drawn += len(rounds)
    stage.save(update_fields=["drawn"])
    return len(rounds)


def _present(stage: Stage) -> dict[int, BotVersion]:
    """The entries that play on in the stage, in the order of their seeds, with their versions."""
    entries = Entry.objects.filter(
        tournament=stage.tournament_id, withdrawn=False, version__state=VersionState.ACCEPTED
    ).select_related("version")
    if stage.number > 1:
        entries = entries.filter(seeds__stage=stage).order_by("seeds__number")
    entries = entries.defer("version__package", "version__report")
    return {entry.pk: entry.version for entry in entries if entry.version is not None}


def _round_create(stage: Stage, number: int, drawn: DrawnRound, versions: Mapping[int, BotVersion]) -> None:
    tournament = stage.tournament
    now, starts_at = timezone.now(), tournament.round_starts_at(number)
    waits = tournament.review_rounds or (starts_at is not None and starts_at > now)
    played = Round.objects.create(
        tournament=tournament, stage=stage, number=number, starts_at=starts_at, started=None if waits else now
    )
    attempt = attempts_of(tournament, number)
    matches = matches_create(
        ruleset=tournament.ruleset,
        options=tournament.options,
        pairings=_pairings(tournament, number, drawn, versions, attempt),
        blocks=stage.blocks,
        stopping=stage.stopping,
        limits=tournament.limits,
        pace_ms=tournament.pace_ms,
        finished_task=FINISHED_TASK,
        held=waits,
        audience=audience_of(played),
        organiser_id=tournament.organiser_id,
    )
    Fixture.objects.bulk_create(
        Fixture(round=played, table=number, match=match, attempt=attempt(number), reasons=table.reasons)
        for number, (table, match) in enumerate(zip(drawn.tables, matches, strict=True), start=1)
    )
    Bye.objects.bulk_create(
        Bye(round=played, entry_id=bye.entry, points=stage.bye_points, reasons=bye.reasons) for bye in drawn.byes
    )


def _pairings(
    tournament: Tournament,
    number: int,
    drawn: DrawnRound,
    versions: Mapping[int, BotVersion],
    attempt: Callable[[int], int],
) -> Sequence[Pairing]:
    return [
        Pairing([versions[entry] for entry in place.seating], match_secret(tournament, number, table, attempt(table)))
        for table, place in enumerate(drawn.tables, start=1)
    ]
