"""Seasons among the contests that matches belong to."""

from typing import Final

from matches.contests import ContestKind

SEASON: Final = ContestKind("season", finished_task="leagues.match_finished", is_quiet=True)
