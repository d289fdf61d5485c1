"""Template filter for the author of a bot."""

from typing import Any

from django import template
from django.template.context import Context
from django.utils.translation import gettext as _

from bots.models import Bot
from groups.models import GroupRole
from groups.selectors import group_roles_of
from teams.templatetags.teams import acted_for_by

register = template.Library()


@register.simple_tag(takes_context=True)
def author(context: Context, bot: Bot, says_house: bool = True) -> str:
    """Return the name of the author of ``bot``.

    An alias is followed by the name of the account if the reader is the author, manages the group, or is staff. Pages
    without ``user`` are the same for everybody, so they never show that name.
    """
    if bot.is_house and says_house:
        return _("house bot")
    if bot.author_alias and knows_author(context.get("user"), bot):
        return f"{bot.author_alias} ({bot.owner.get_username()})"
    return bot.author_name


def knows_author(user: Any, bot: Bot) -> bool:
    """Return whether ``user`` may know who uses the alias. Two queries for all bots of a page."""
    if user is None or user.pk is None:
        return False
    if user.is_staff or acted_for_by(bot.owner_id, user):
        return True
    if not hasattr(user, "_group_roles"):
        user._group_roles = group_roles_of(user)
    return bool(user._group_roles.get(bot.alias_group_id, GroupRole.MEMBER) != GroupRole.MEMBER)
