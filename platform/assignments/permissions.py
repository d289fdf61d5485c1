"""Who may hand in what, and who looks after assignments."""

from typing import Any

from django.db.models import QuerySet

from bots.models import Bot
from bots.selectors import bots_of
from groups.permissions import is_member, may_manage

__all__ = ["bots_to_hand_in", "is_member", "is_own_bot", "may_manage"]


def is_own_bot(person: Any, bot: Bot) -> bool:
    """Tell whether ``person`` may hand in ``bot``, or make a version of it a reference."""
    return not bot.is_house and bot.deleted_at is None and bot.owner_id == person.pk


def bots_to_hand_in(person: Any, game: str) -> QuerySet[Bot]:
    """Return the bots that ``person`` may hand in where ``game`` is played."""
    return bots_of(person).filter(game=game, is_house=False, deleted_at=None)
