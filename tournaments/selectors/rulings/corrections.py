"""The rulings of a tournament, as the arithmetic reads them."""

from tournaments.models import Ruling as RulingRow
from tournaments.models import Tournament
from tournaments.standings import Corrections, RulingCode, StandingRuling, corrections


def rulings_of(tournament: Tournament) -> list[StandingRuling]:
    """Return all of them, in order."""
    return [fact_of(row) for row in tournament.rulings.select_related("names")]


def fact_of(row: RulingRow) -> StandingRuling:
    return StandingRuling(
        number=row.number,
        kind=RulingCode(row.kind),
        match=row.match_id,
        entrant=row.entry_id,
        scores={int(entry): score for entry, score in row.data.get("scores", {}).items()},
        annul=row.data.get("annul", False),
        new=row.data.get("new"),
        names=row.names.number if row.names else None,
    )


def shut_out_of(tournament: Tournament, held: Corrections | None = None) -> frozenset[int]:
    """Return the entries that play nothing more until somebody rules otherwise: disqualified, or withdrawn by the
    rules. What they have not begun to play is lost. ``held``: as if the rulings were these instead of those that were
    made.
    """
    held = corrections_of(tournament) if held is None else held
    by_rules = tournament.entries.exclude(withdrawn_because="").values_list("pk", flat=True)
    return frozenset(held.disqualified) | frozenset(by_rules)


def kept_out_of(tournament: Tournament) -> frozenset[int]:
    """Return the entries that cannot enter again by themselves: those that are shut out, or withdrawn by a ruling."""
    return shut_out_of(tournament) | frozenset(corrections_of(tournament).out)


def corrections_of(tournament: Tournament) -> Corrections:
    """Return what holds after all rulings so far."""
    return corrections(rulings_of(tournament))
