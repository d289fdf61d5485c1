"""The rulings of a tournament, as the arithmetic reads them."""

from collections.abc import Mapping

from django.db.models import Q

from tournaments.models import Ruling as RulingRow
from tournaments.models import Tournament
from tournaments.standings import Corrections, RulingCode, StandingRuling, corrections


def rulings_of(tournament: Tournament) -> list[StandingRuling]:
    """Return all of them, in order."""
    rows = list(tournament.rulings.all())  # one query for pages, which read them several times
    numbers = {row.pk: row.number for row in rows}
    return [fact_of(row, numbers) for row in rows]


def fact_of(row: RulingRow, numbers: Mapping[int, int]) -> StandingRuling:
    """Return a ruling; ``numbers``: those of all rulings by key."""
    return StandingRuling(
        number=row.number,
        kind=RulingCode(row.kind),
        match=row.match_id,
        entrant=row.entry_id,
        scores={int(entry): score for entry, score in row.data.get("scores", {}).items()},
        annul=row.data.get("annul", False),
        new=row.data.get("new"),
        names=numbers[row.names_id] if row.names_id else None,
    )


def shut_out_of(tournament: Tournament, held: Corrections | None = None) -> frozenset[int]:
    """Return the entries that play nothing more until somebody rules otherwise: disqualified, or withdrawn by the
    rules. What they have not begun to play is lost. ``held``: as if the rulings were these instead of those that were
    made.
    """
    held = corrections_of(tournament) if held is None else held
    by_rules = tournament.entries.exclude(withdrawn_because="").values_list("pk", flat=True)
    return frozenset(held.disqualified) | frozenset(by_rules)


def kept_out_of(tournament: Tournament) -> Q:
    """Return which of its entries cannot enter again by themselves: those that are shut out, or withdrawn by a
    ruling."""
    held = corrections_of(tournament)
    return Q(pk__in=[*held.disqualified, *held.out]) | ~Q(withdrawn_because="")


def corrections_of(tournament: Tournament) -> Corrections:
    """Return what holds after all rulings so far."""
    return corrections(rulings_of(tournament))
