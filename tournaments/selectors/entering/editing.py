"""Determine what of a tournament may still be edited: all of it until the first bot enters, what takes nothing from
those who entered until entries close, and from then on what no result follows from: words, times to come, and who sees
what."""

from enum import Enum
from hashlib import sha256
from typing import Final

from matches.proof.chain import canonical_json
from tournaments.models import Tournament, TournamentState

CALENDAR: Final = ("first_round_at", "round_minutes", "time_zone", "has_round_review")
READERS: Final = ("publication", "audience", "group_id")
AFTER_ENTRIES: Final = (
    *("name", "description", "admission", "entrants_most", "entries_per_author", "entries_close_at"),
    *(*CALENDAR, *READERS),
)
AFTER_FREEZE: Final = ("description", *CALENDAR, *READERS)
AFTER_BEGIN: Final = ("description", "round_minutes", "time_zone", "has_round_review", *READERS)
AFTER_END: Final = ("description", *READERS)
SHAPE: Final = (
    *("ruleset", "options", "limits", "tempo", "tie_breaks", "keep_apart", "new_versions", "releases_sources"),
    "team_size",
)
OF_STAGE: Final = ("format", "players_per_table", "rounds", "blocks", "entrants", "has_third_place", "stopping")


class Editing(Enum):
    """How much may be edited."""

    EVERYTHING = "everything"
    ENTERED = "entered"  # but what a bot entered for
    FROZEN = "frozen"  # nothing that the chain told when entries were frozen
    BEGUN = "begun"  # nor when the first round was
    OVER = "over"

    @property
    def fields(self) -> tuple[str, ...]:
        """Of the model, where not everything may be edited."""
        return FIELDS.get(self, ())


FIELDS: Final = {
    Editing.EVERYTHING: (*AFTER_ENTRIES, "entries_open_at"),  # and what else there is
    Editing.ENTERED: AFTER_ENTRIES,
    Editing.FROZEN: AFTER_FREEZE,
    Editing.BEGUN: AFTER_BEGIN,
    Editing.OVER: AFTER_END,
}


def editing_of(tournament: Tournament) -> Editing:
    if tournament.state == TournamentState.DRAFT:
        return Editing.EVERYTHING
    if tournament.state == TournamentState.OPEN:
        return Editing.ENTERED if tournament.entries.exists() else Editing.EVERYTHING
    if tournament.is_over:
        return Editing.OVER
    return Editing.BEGUN if tournament.rounds.filter(started_at__isnull=False).exists() else Editing.FROZEN


def edit_basis(tournament: Tournament) -> str:
    """Return the digest of what a form to edit is made of: of two edits made for the same, one is refused."""
    stages = [{name: getattr(stage, name) for name in OF_STAGE} for stage in tournament.stages.order_by("number")]
    values = {name: getattr(tournament, name) for name in (*SHAPE, *AFTER_ENTRIES, "entries_open_at")}
    for name in ("entries_open_at", "entries_close_at", "first_round_at"):
        values[name] = values[name] and values[name].isoformat()
    seen = [tournament.state, editing_of(tournament).value, values, stages]
    return sha256(canonical_json(seen).encode()).hexdigest()
