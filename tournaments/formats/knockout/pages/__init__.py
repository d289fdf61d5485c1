"""What pages show of a knockout."""

from collections.abc import Sequence
from typing import Any

from tournaments.formats.knockout.pages.bracket import round_shown
from tournaments.models import Entry, Stage


def round_context(stage: Stage, entries: Sequence[Entry], number: int, *, drafts: bool) -> dict[str, Any]:
    """Return who came from where to each match of the round, and why somebody went on."""
    bouts = round_shown(stage, entries, number)
    return {"tables": bouts} if bouts else {}
