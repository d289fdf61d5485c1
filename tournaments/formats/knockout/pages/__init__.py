"""The pages of knockouts."""

from collections.abc import Sequence
from typing import Any

from tournaments.formats.knockout.pages.bracket import bracket_round_shown
from tournaments.models import Entry, Stage


def round_context(stage: Stage, entries: Sequence[Entry], number: int, *, drafts: bool) -> dict[str, Any]:
    """Return the matches of the round, with the sources of their players and the reasons for their decisions."""
    bouts = bracket_round_shown(stage, entries, number)
    return {"tables": bouts} if bouts else {}
