"""The stage that comes after another."""

from tournaments.models import Stage
from tournaments.play_off import play_off_after


def stage_after(stage: Stage) -> Stage | None:
    """Return the stage that was announced to follow, or the play-off that may; not saved if it has never begun. None
    where the tournament is over after it."""
    tournament = stage.tournament
    stages = list(tournament.stages.order_by("number"))
    following = next((one for one in stages if one.number == stage.number + 1), None)
    if following is not None:
        return following
    terms = play_off_after(
        stage.terms,
        announced=sum(not one.kind.is_play_off for one in stages),
        tie_breaks=tournament.tie_breaks,
        ruleset=tournament.ruleset,
        options=tournament.options,
    )
    if terms is None:
        return None
    return Stage(
        tournament=tournament,
        number=terms.number,
        format=terms.format,
        players_per_table=terms.players_per_table,
        smallest_table=terms.smallest_table,
        blocks=terms.blocks,
        stopping=terms.stopping,
    )
