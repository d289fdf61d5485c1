"""Tournaments among the contests that matches belong to."""

from typing import Final

from matches.contests import ContestKind

TOURNAMENT: Final = ContestKind("tournament", finished_task="tournaments.match_finished")
