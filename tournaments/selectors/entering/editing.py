"""Determine which settings of a tournament may still be edited.

Until the first bot enters, all settings may be edited. Then, until entries close, settings may be edited if this does
not disadvantage the entrants. After that, only settings without an effect on results may be edited: texts, times in the
future, and audiences.
"""

from enum import Enum
from hashlib import sha256
from typing import Final

from matches.proof.chain import chain_canonical_json
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
    ENTERED = "entered"  # everything except the conditions under which bots entered
    FROZEN = "frozen"  # as ENTERED, but not what the chain has recorded when entries were frozen
    BEGUN = "begun"  # as FROZEN, but not the time of the first round
    OVER = "over"

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of the model that ``tournament_edit`` may change."""
        return FIELDS.get(self, ())


FIELDS: Final = {
    Editing.EVERYTHING: (*AFTER_ENTRIES, "entries_open_at"),  # ``tournament_draft_update`` changes the others
    Editing.ENTERED: AFTER_ENTRIES,
    Editing.FROZEN: AFTER_FREEZE,
    Editing.BEGUN: AFTER_BEGIN,
    Editing.OVER: AFTER_END,
}


def tournament_editing_of(tournament: Tournament) -> Editing:
    if tournament.state == TournamentState.DRAFT:
        return Editing.EVERYTHING
    if tournament.state == TournamentState.OPEN:
        return Editing.ENTERED if tournament.entries.exists() else Editing.EVERYTHING
    if tournament.is_over:
        return Editing.OVER
    return Editing.BEGUN if tournament.rounds.filter(started_at__isnull=False).exists() else Editing.FROZEN


def tournament_edit_basis(tournament: Tournament) -> str:
    """Return a digest of the settings that a form shows.

    The form sends the digest with the edit. If the settings have changed meanwhile, the edit is refused.
    """
    stages = [{name: getattr(stage, name) for name in OF_STAGE} for stage in tournament.stages.order_by("number")]
    values = {name: getattr(tournament, name) for name in (*SHAPE, *AFTER_ENTRIES, "entries_open_at")}
    for name in ("entries_open_at", "entries_close_at", "first_round_at"):
        values[name] = values[name] and values[name].isoformat()
    seen = [tournament.state, tournament_editing_of(tournament).value, values, stages]
    return sha256(chain_canonical_json(seen).encode()).hexdigest()
