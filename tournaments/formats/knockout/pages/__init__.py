"""The pages of knockouts."""

from collections.abc import Collection
from typing import Any

from tournaments.formats.knockout.pages.bracket import bracket_page_round
from tournaments.models import Stage


def round_context(stage: Stage, number: int, tables: Collection[int], *, drafts: bool) -> dict[str, Any]:
    """Return the matches of a round. Each has the sources of its players, and the reason for its decision."""
    return {"tables": bracket_page_round(stage, number, tables, drafts=drafts)}
