"""What was drawn loses its place: fixtures of a knockout whose players changed, stages that begin anew."""

from collections.abc import Iterable, Sequence

from matches.models import Match
from matches.services import match_cancel
from tournaments.models import Displaced, Fixture, Round, Ruling, Seed, Stage, Tournament


def fixture_displace(ruling: Ruling, fixture: Fixture) -> None:
    """Its match no longer counts, and if it is not finished it is called off; the fixture is left without one, to be
    given another or deleted."""
    Displaced.objects.create(
        ruling=ruling,
        match_id=fixture.match_id,
        round=fixture.round.number,
        table=fixture.table,
        attempt=fixture.attempt,
        luck=fixture.luck,
    )
    match_cancel(matches=Match.objects.filter(pk=fixture.match_id))


def fixtures_undo(ruling: Ruling, fixtures: Iterable[Fixture]) -> None:
    """Take them out of their rounds, and the rounds that are empty then out of their stages."""
    for fixture in fixtures:
        fixture_displace(ruling, fixture)
        fixture.delete()
        Round.objects.filter(pk=fixture.round_id, fixtures__isnull=True).delete()
    for stage in Stage.objects.filter(tournament=ruling.tournament_id, rounds=0):
        if stage.is_knockout:
            stage.drawn = stage.played.count()
            stage.save(update_fields=["drawn"])


def stages_rewind(stages: Sequence[Stage]) -> None:
    """As if they had never begun; their fixtures are undone already."""
    Round.objects.filter(stage__in=stages).delete()
    Seed.objects.filter(stage__in=stages).delete()
    Stage.objects.filter(pk__in=[stage.pk for stage in stages]).update(started=None, finished=None, drawn=0)


def stage_reopen(tournament: Tournament) -> None:
    """The stage that began last is not over (any more): it ends again when everything is decided."""
    stage = Stage.objects.filter(tournament=tournament, started__isnull=False).order_by("-number").first()
    if stage is not None:
        Stage.objects.filter(pk=stage.pk).update(finished=None)
        Seed.objects.filter(stage__tournament=tournament, stage__number__gt=stage.number).delete()
