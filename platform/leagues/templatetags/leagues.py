"""Leagues as other rooms' pages show them."""

from typing import Any

from django import template

from bots.models import Bot
from leagues.selectors.visible import memberships_of, standing_of

register = template.Library()


@register.inclusion_tag("leagues/parts/of_bot.html", takes_context=True)
def leagues_of(context: Any, bot: Bot) -> dict[str, Any]:
    """The leagues a bot plays in; to its author also those it might join, with the buttons."""
    user = context["user"]
    return {"bot": bot, "found": memberships_of(bot, user), "user": user, "csrf_token": context.get("csrf_token")}


@register.inclusion_tag("leagues/parts/notes.html", takes_context=True)
def league_notes(context: Any, bot: Bot) -> dict[str, Any]:
    """What its author should know of the bot's versions in running seasons, at the moment of choosing one; nothing to
    anybody else."""
    mine = context["user"].pk == bot.owner_id
    return {"bot": bot, "standing": standing_of(bot).values() if mine else (), "csrf_token": context.get("csrf_token")}
