"""Roll back and restore draws: fixtures whose players changed, stages that restart."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from matches.models import Match
from matches.services import match_cancel
from tournaments.models import Bye, Fixture, Rewound, Round, Ruling, Seed, Stage, SupersededMatch, Tournament


def fixture_displace(ruling: Ruling, fixture: Fixture, rewound: Rewound | None = None) -> None:
    """Take a fixture's match away: it no longer counts, and if it is not finished it is called off. The fixture is left
    without one, to be given another or deleted.
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


def fixtures_undo(ruling: Ruling, fixtures: Iterable[Fixture], rewound: Sequence[Rewound] = ()) -> None:
    """Take them out of their rounds; those of a stage that is rewound are kept for it."""
    by_stage = {one.stage_id: one for one in rewound}
    for fixture in fixtures:
        fixture_displace(ruling, fixture, by_stage.get(fixture.round.stage_id))
        fixture.delete()


def fixtures_restore(superseded: Iterable[SupersededMatch]) -> None:
    """Give fixtures their places again, in rounds that are there again."""
    for one in superseded:
        assert one.stage is not None  # noqa: S101  what can come back knows its stage
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


def rounds_tidy(tournament: Tournament) -> None:
    """Delete the rounds of a knockout in which nobody meets."""
    for stage in Stage.objects.filter(tournament=tournament, rounds=0, started_at__isnull=False):
        if stage.kind.has_bracket:
            stage.played.filter(fixtures__isnull=True).delete()
            stage.drawn = stage.played.count()
            stage.save(update_fields=["drawn"])


def stages_store(ruling: Ruling, stages: Sequence[Stage]) -> list[Rewound]:
    """Keep what is needed to restore the stages as they are now."""
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


def stages_roll_back(stages: Sequence[Stage]) -> None:
    """Set stages back as if they had never begun; their fixtures are undone already."""
    Round.objects.filter(stage__in=stages).delete()
    Seed.objects.filter(stage__in=stages).delete()
    Stage.objects.filter(pk__in=[stage.pk for stage in stages]).update(started_at=None, finished_at=None, drawn=0)


def stage_restore(kept: Rewound) -> None:
    """Make a stage again what it was when it was rewound; its fixtures are for ``fixtures_restore``, before."""
    Seed.objects.filter(stage=kept.stage_id).delete()
    Seed.objects.bulk_create(
        Seed(stage_id=kept.stage_id, number=number, entry_id=entry) for number, entry in enumerate(kept.seeds, start=1)
    )
    rounds = {played.number: played for played in Round.objects.filter(stage=kept.stage_id)}
    Bye.objects.bulk_create(
        Bye(round=rounds[number], entry_id=entry, points=points, reasons=reasons)
        for number, entry, points, reasons in kept.byes
        if number in rounds
    )
    for number, started, finished, drawn in kept.times:
        Stage.objects.filter(tournament=kept.stage.tournament_id, number=number).update(
            started_at=_moment(started), finished_at=_moment(finished), drawn=drawn
        )


def stage_reopen(tournament: Tournament) -> None:
    """Re-open the stage that began last: it ends again when everything is decided."""
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
