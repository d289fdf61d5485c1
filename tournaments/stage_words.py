"""What is at stake in a match of a stage, and why a stage ended before the rounds that were announced for it, in the
reader's language."""

from django.utils.translation import gettext as _

from tournaments.models import Fixture, Stage


def at_stake(fixture: Fixture) -> str:
    """Say in a few words what depends on a match, by its place alone: no result is told; "" where that says nothing."""
    stage, number = fixture.round.stage, fixture.round.number
    if stage.kind.has_bracket:
        return _in_bracket(stage, tables=fixture.round.fixtures.count())
    if stage.number == 1 and number == stage.rounds:
        return _("last round")
    return _("top table") if stage.kind.draws_by_standings and fixture.table == 1 and number > 1 else ""


def _in_bracket(stage: Stage, *, tables: int) -> str:
    """Say it of a round with so many tables; "" where a final may stand beside a match for the third place, or a winner
    may have to win again."""
    if stage.players_per_table > 2:
        return _("the best go through") if tables > 1 else _("the final")
    if tables > 2 or (tables == 2 and not stage.has_third_place):
        return _("winner goes through")
    return _("the final") if tables == 1 and not stage.facts["double"] else ""


def ended_early(stage: Stage) -> str:
    """Say why a stage ended early, in a sentence; "" for one that goes on, or had all its rounds."""
    if stage.finished_at is None or stage.drawn >= stage.rounds:
        return ""
    values = {"drawn": stage.drawn, "rounds": stage.rounds}
    left = stage.tournament.entries.filter(is_withdrawn=False, version__isnull=False)
    if stage.number > 1:
        left = left.filter(seeds__stage=stage)
    if left.count() < stage.smallest_field:
        return _("It ended after round %(drawn)s of %(rounds)s: fewer bots were left than a table needs.") % values
    return _(stage.kind.ended_early) % values if stage.kind.ended_early else ""
