"""Apply the consequences of rulings that ``selectors.rulings.consequences`` has computed.

Rounds, fixtures whose players change, and stages that restart are rolled back or restored.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from matches.models import Match
from matches.models import Seat as MatchSeat
from matches.services import (
    match_cancel,
    match_forfeited_seats_admit,
    match_publish,
    match_release,
    match_restore,
    match_seats_forfeit,
    matches_reseed,
)
from tournaments.match_secrets import tournament_match_secret
from tournaments.models import (
    Bye,
    Fixture,
    Rewound,
    Round,
    Ruling,
    Seed,
    Stage,
    SupersededMatch,
    Tournament,
    TournamentState,
)
from tournaments.selectors.rulings.consequences import ruling_consequences_of_restart
from tournaments.selectors.rulings.corrections import entries_shut_out_by_rulings
from tournaments.selectors.rulings.ruling_log import rulings_of
from tournaments.selectors.rulings.ruling_preview import Consequences
from tournaments.services.leaving import tournament_withdrawals_settle
from tournaments.services.publishing import published_round_audience_of
from tournaments.services.round_matches import round_matches_reseat
from tournaments.standings import RulingCode, standings_rulings_active


def fixture_displace(ruling: Ruling, fixture: Fixture, rewound: Rewound | None = None) -> None:
    """Supersede the match of a fixture: it no longer counts, and it is cancelled if it is not finished.

    The caller then gives the fixture another match or deletes it.
    """
    played = fixture.round
    SupersededMatch.objects.create(
        ruling=ruling,
        match_id=fixture.match_id,
        round=played.number,
        table=fixture.table,
        attempt=fixture.attempt,
        luck=fixture.luck,
        stage_id=played.stage_id,
        reasons=fixture.reasons,
        starts_at=played.starts_at,
        started_at=played.started_at,
        rewound=rewound,
    )
    match_cancel(matches=Match.objects.filter(pk=fixture.match_id))


def _fixtures_undo(ruling: Ruling, fixtures: Iterable[Fixture], rewound: Sequence[Rewound] = ()) -> None:
    """Delete the fixtures and supersede their matches.

    A match of a stage in ``rewound`` is linked to the stored state, so that it can be restored with the stage.
    """
    by_stage = {one.stage_id: one for one in rewound}
    for fixture in fixtures:
        fixture_displace(ruling, fixture, by_stage.get(fixture.round.stage_id))
        fixture.delete()


def _fixtures_restore(superseded: Iterable[SupersededMatch]) -> None:
    """Recreate the fixtures of superseded matches. If their round no longer exists, recreate it too."""
    for one in superseded:
        assert one.stage is not None  # noqa: S101  every match that can be restored has a stage
        played, _created = Round.objects.get_or_create(
            tournament_id=one.stage.tournament_id,
            number=one.round,
            defaults={"stage": one.stage, "luck": one.luck, "starts_at": one.starts_at, "started_at": one.started_at},
        )
        Fixture.objects.create(
            round=played,
            table=one.table,
            match_id=one.match_id,
            attempt=one.attempt,
            luck=one.luck,
            reasons=one.reasons,
        )
        one.delete()


def _rounds_tidy(tournament: Tournament) -> None:
    """Delete the rounds of knockouts that have no fixtures."""
    for stage in Stage.objects.filter(tournament=tournament, rounds=0, started_at__isnull=False):
        if stage.kind.has_bracket:
            stage.played.filter(fixtures__isnull=True).delete()
            stage.drawn = stage.played.count()
            stage.save(update_fields=["drawn"])


def _stages_store(ruling: Ruling, stages: Sequence[Stage]) -> list[Rewound]:
    """Store the current seeds, byes and times, so that the stages can be restored."""
    times = [_times(stage) for stage in Stage.objects.filter(tournament=ruling.tournament_id)]
    return [
        Rewound.objects.create(
            ruling=ruling,
            stage=stage,
            seeds=list(stage.seeds.values_list("entry_id", flat=True)),
            byes=[list(bye) for bye in _byes(stage).values_list("round__number", "entry_id", "points", "reasons")],
            times=times,
        )
        for stage in stages
    ]


def _stages_roll_back(stages: Sequence[Stage]) -> None:
    """Reset stages as if they had never begun. Their fixtures must have been undone before."""
    Round.objects.filter(stage__in=stages).delete()
    Seed.objects.filter(stage__in=stages).delete()
    Stage.objects.filter(pk__in=[stage.pk for stage in stages]).update(started_at=None, finished_at=None, drawn=0)


def _stage_restore(rolled_back: Rewound) -> None:
    """Restore a stage to the state that was stored before its restart. Call ``_fixtures_restore`` before."""
    Seed.objects.filter(stage=rolled_back.stage_id).delete()
    Seed.objects.bulk_create(
        Seed(stage_id=rolled_back.stage_id, number=number, entry_id=entry)
        for number, entry in enumerate(rolled_back.seeds, start=1)
    )
    rounds = {played.number: played for played in Round.objects.filter(stage=rolled_back.stage_id)}
    Bye.objects.bulk_create(
        Bye(round=rounds[number], entry_id=entry, points=points, reasons=reasons)
        for number, entry, points, reasons in rolled_back.byes
        if number in rounds
    )
    for number, started, finished, drawn in rolled_back.times:
        Stage.objects.filter(tournament=rolled_back.stage.tournament_id, number=number).update(
            started_at=_moment(started), finished_at=_moment(finished), drawn=drawn
        )


def stage_reopen(tournament: Tournament) -> None:
    """Re-open the stage that began last. It ends again when all its matches are decided."""
    stage = Stage.objects.filter(tournament=tournament, started_at__isnull=False).order_by("-number").first()
    if stage is not None:
        Stage.objects.filter(pk=stage.pk).update(finished_at=None)
        Seed.objects.filter(stage__tournament=tournament, stage__number__gt=stage.number).delete()


def _byes(stage: Stage) -> Any:
    return Bye.objects.filter(round__stage=stage).order_by("round__number", "entry")


def _times(stage: Stage) -> list[object]:
    return [
        stage.number,
        *(one.isoformat() if one else None for one in (stage.started_at, stage.finished_at)),
        stage.drawn,
    ]


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def ruling_consequences_settle(ruling: Ruling, follows: Consequences) -> None:
    """Apply the consequences ``follows`` of ``ruling`` to entries, fixtures, stages and matches."""
    tournament = ruling.tournament
    tournament_withdrawals_settle(tournament)
    kept = _stages_store(ruling, follows.rewound)
    _fixtures_undo(ruling, follows.undone, kept)
    if follows.rewound:
        _stages_roll_back(follows.rewound)
    _rounds_tidy(tournament)  # otherwise fixtures would be restored to the round that replaced their own
    _fixtures_restore(follows.restored)
    for one in follows.revived:
        _stage_restore(one)
        one.delete()
    _rounds_tidy(tournament)
    match_cancel(matches=_matches([one.match_id for one in follows.called_off]))
    back = [one.match_id for one in follows.released] + [one.match_id for one in follows.restored]
    if follows.redraw is not None:
        round_matches_reseat(follows.redraw)
    _play_on(tournament, back)
    ruling_consequences_seats_settle(tournament)
    if follows.to_play:
        stage_reopen(tournament)


def ruling_consequences_seats_settle(tournament: Tournament) -> None:
    """Forfeit the seats of bots that are shut out in matches that have not begun, and admit all other bots."""
    out = entries_shut_out_by_rulings(tournament)
    bots = tournament.entries.filter(pk__in=out).values("bot")
    drawn = MatchSeat.objects.filter(match__fixture__round__tournament=tournament)
    match_seats_forfeit(seats=drawn.filter(version__bot__in=bots))
    match_forfeited_seats_admit(seats=drawn.exclude(version__bot__in=bots))


def _matches(ids: list[int]) -> QuerySet[Match]:
    return Match.objects.filter(pk__in=ids)


def _play_on(tournament: Tournament, ids: list[int]) -> None:
    """Play cancelled matches from their start, once their rounds have begun and the tournament is running.

    If the seeds of a match come from an earlier luck, it gets new seeds, because the secret of that luck is public.
    """
    fixtures = Fixture.objects.filter(match__in=ids).select_related("round__tournament", "match")
    for fixture in fixtures:
        match_publish(matches=_matches([fixture.match_id]), **published_round_audience_of(fixture.round))
    if not match_restore(matches=_matches(ids)):
        return
    luck = tournament.luck
    value, secrets = luck.value, {}
    for fixture in fixtures.filter(~Q(luck=luck.number), match__state="held"):
        Fixture.objects.filter(pk=fixture.pk).update(luck=luck.number)
        secrets[fixture.match_id] = tournament_match_secret(value, fixture.round.number, fixture.table, fixture.attempt)
        Match.objects.filter(pk=fixture.match_id).update(attempt=0)
    matches_reseed(secrets=secrets)
    if tournament.state == TournamentState.RUNNING:
        begun = fixtures.filter(round__started_at__isnull=False).values_list("match", flat=True)
        match_release(matches=_matches(list(begun)))


def ruling_consequences_mend(stage: Stage) -> bool:
    """Restart ``stage``, or an earlier stage, if replays have changed which entries go on to it.

    A replay of a match in the stage before may finish after the stage has begun. Return whether a stage restarts. The
    first stage never restarts, and ``stage`` must not be the first. All drawn matches must be decided.
    """
    held = standings_rulings_active(rulings_of(stage.tournament))
    new = [one.new for one in held if one.kind is RulingCode.REPLAY and one.new is not None]
    later = stage.tournament.stages.filter(number__range=(2, stage.number)).order_by("number")
    return bool(new) and any(_mend(one, new) for one in later)


def _mend(stage: Stage, new: list[int]) -> bool:
    """Restart this stage if the results of replays require it. ``new`` are the ids of the replays."""
    before = Fixture.objects.filter(match__in=new, round__stage__number=stage.number - 1)
    later = before.filter(match__finished_at__gt=stage.started_at)
    if not later.exists():
        return False
    follows = ruling_consequences_of_restart(stage)
    if follows is None:
        return False
    replayed = stage.tournament.rulings.filter(data__new__in=list(later.values_list("match", flat=True)))
    ruling = replayed.order_by("-number")[0]
    kept = _stages_store(ruling, follows.rewound)
    _fixtures_undo(ruling, follows.undone, kept)
    _stages_roll_back(follows.rewound)
    stage_reopen(stage.tournament)
    return True
