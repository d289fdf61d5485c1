"""The clock is moved: every time that the rows of tournaments and their matches hold becomes so much earlier."""

from datetime import timedelta
from typing import Any

from django.db.models import DateTimeField, F, Model

from matches.models import Game, Match
from notices.models import Notice
from tournaments.models import Ceremony, Round, RoundPlan, Stage, Tournament

TIMED: tuple[type[Model], ...] = (Tournament, Stage, RoundPlan, Round, Ceremony, Match, Game, Notice)


def pass_time(by: timedelta) -> None:
    """Let so much time pass."""
    for model in TIMED:
        columns = [one.name for one in model._meta.concrete_fields if isinstance(one, DateTimeField)]
        moved: dict[str, Any] = {name: F(name) - by for name in columns}
        if moved:
            model._default_manager.update(**moved)
