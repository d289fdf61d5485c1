"""A stage for two as FIDE's tournament report file."""

from collections.abc import Sequence

from tournaments.models import Entry, Stage
from tournaments.selectors.rounds.played import rounds_played_of
from tournaments.selectors.rounds.seeding import seeding_of
from tournaments.selectors.standings.results import standings_of
from tournaments.trf import Player, TrfReport, crosstable


def report_of(stage: Stage, entries: Sequence[Entry]) -> TrfReport:
    """Return every round that is over; numbers follow the seeds, ranks and points the standings. White has the first
    seat.
    """
    rows = {row.entrant: row for row in standings_of(stage)}
    bots = {entry.pk: entry.bot.name for entry in entries}
    order = [entry for entry in seeding_of(stage) if entry in rows]
    played = rounds_played_of(stage)
    cells = crosstable(order, played)
    tournament = stage.tournament
    return TrfReport(
        name=tournament.name,
        players=tuple(
            Player(number, bots[entry], rows[entry].points, rows[entry].rank, cells[entry])
            for number, entry in enumerate(order, start=1)
        ),
        rounds=max(stage.rounds, stage.drawn),
        system=str(stage.get_format_display()),
        start=stage.started_at.date() if stage.started_at else None,
        end=stage.finished_at.date() if stage.finished_at else None,
    )
