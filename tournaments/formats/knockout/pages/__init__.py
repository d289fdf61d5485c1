"""The pages of knockouts."""

from collections.abc import Collection
from typing import Any

from tournaments.formats.knockout.pages.bracket import bracket_page_round
from tournaments.models import Stage


def round_context(stage: Stage, number: int, tables: Collection[int], *, drafts: bool) -> dict[str, Any]:
    """Return matches of the round, with the sources of their players and the reasons for their decisions."""
    return {"tables": bracket_page_round(stage, number, tables, drafts=drafts)}
