"""Formats: who meets whom, as pure functions of the entrants and the tournament's secret. No Django, no games."""

from tournaments.formats.round_robin import round_robin
from tournaments.formats.schedule import Design, EntrantsError, Round, Schedule, Seating

__all__ = ["Design", "EntrantsError", "Round", "Schedule", "Seating", "round_robin"]
