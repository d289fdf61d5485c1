"""Who may hand in what, and who looks after assignments."""

from typing import Any

from django.db.models import QuerySet

from assignments.models import Assignment
from bots.models import Bot
from bots.selectors import bots_for, bots_of
from groups.permissions import is_member, may_manage
from teams.selectors import acts_for

__all__ = ["bots_to_hand_in", "is_member", "is_own_bot", "may_hand_in", "may_manage"]


def is_own_bot(person: Any, bot: Bot) -> bool:
    """Tell whether ``bot`` is the person's own: what they may hand in, or make a version of it a reference."""
    return not bot.is_house and bot.deleted_at is None and bot.owner_id == person.pk


def may_hand_in(person: Any, bot: Bot, assignment: Assignment) -> bool:
    """Tell whether ``person`` may hand in ``bot``: their own, or one of a team of theirs where teams hand in."""
    if assignment.team_size == 1:
        return is_own_bot(person, bot)
    return not bot.is_house and bot.deleted_at is None and acts_for(person, bot.owner_id)


def bots_to_hand_in(person: Any, assignment: Assignment) -> QuerySet[Bot]:
    """Return the bots that ``person`` may hand in; see ``may_hand_in``."""
    bots = bots_for(person) if assignment.team_size > 1 else bots_of(person)
    return bots.filter(game=assignment.game, is_house=False, deleted_at=None)
