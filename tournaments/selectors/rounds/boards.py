"""The tables of a round with their pictures, and the upper end of the standings for a projector."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

from matches.models import Match
from matches.replay.pictures import MatchPicture, match_boards
from tournaments.models import Entry, Stage
from tournaments.selectors.entering.visible import matches_readable
from tournaments.selectors.rounds.fixtures import FixturePairing, Sitting, pairings_of
from tournaments.selectors.standings.snapshots import standings_snapshot
from tournaments.standings import Row

LEADERS: Final = 16


@dataclass(frozen=True, slots=True)
class RoundTable:
    """A table with its board, where the reader may look at the match."""

    pairing: FixturePairing
    board: MatchPicture | None

    @property
    def podium(self) -> list[Sitting]:
        """Everyone at a table that is over, the winner first: an ended board is an empty one. None before."""
        if not self.pairing.decided:
            return []
        return sorted(self.pairing.sittings, key=lambda one: (not one.first, -(one.score or 0)))


def tables_shown(
    user: AbstractBaseUser | AnonymousUser, stage: Stage, number: int, tables: Collection[int]
) -> list[RoundTable]:
    """Return these tables of a round in their order."""
    pairings = pairings_of(stage, rounds=[number], tables=tables)
    readable = matches_readable(user, stage.tournament)
    bots = {
        one.match_id: [sitting.entry.bot.name for sitting in one.sittings]
        for one in pairings
        if one.match_id in readable
    }
    boards = match_boards(list(Match.objects.filter(pk__in=bots)), ends=True, bots=bots)
    return [RoundTable(one, boards.get(one.match_id)) for one in pairings]


def leaders_of(stage: Stage) -> list[tuple[Row, Entry]]:
    """Return the upper end of the standings."""
    rows = standings_snapshot(stage).value[:LEADERS]
    entries = Entry.objects.filter(pk__in=[row.entrant for row in rows]).select_related("bot")
    by_pk = {entry.pk: entry for entry in entries}
    return [(row, by_pk[row.entrant]) for row in rows]
