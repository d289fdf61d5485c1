"""A stage for two as FIDE's tournament report file."""

from collections.abc import Sequence

from tournaments.models import Entry, Stage
from tournaments.selectors.rounds.played import rounds_played_of
from tournaments.selectors.rounds.seeding import seeding_of
from tournaments.selectors.standings.results import standings_of
from tournaments.trf import Player, TrfReport, crosstable, worth


def report_of(stage: Stage, entries: Sequence[Entry]) -> TrfReport:
    """Return every round that is over. Numbers follow the seeds and ranks the standings; points are the sum of a
    player's results, as programs that read the file expect, also of a bot that is disqualified. White has the first
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
            Player(number, bots[entry], worth(cells[entry]), rows[entry].rank, cells[entry])
            for number, entry in enumerate(order, start=1)
        ),
        rounds=max(stage.rounds, stage.drawn),
        system=str(stage.get_format_display()),
        start=stage.started_at.date() if stage.started_at else None,
        end=stage.finished_at.date() if stage.finished_at else None,
    )
