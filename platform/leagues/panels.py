"""Leagues on the pages of other rooms, see ``web.panels``."""

from typing import Any

from django.template import Context

from bots.models import Bot
from leagues.models import LeagueMatch, LeagueState, SeasonEntry
from leagues.selectors.history import graph_of, history_of
from leagues.selectors.standing import standing_of
from leagues.selectors.visible import memberships_of
from matches.models import Match
from web.panels import panel_register


def bot_leagues(context: Context, bot: Bot) -> dict[str, Any]:
    """Return the leagues a bot plays in; to its author also those it might join, with the buttons."""
    user = context["user"]
    return {"bot": bot, "found": memberships_of(bot, user), "user": user}


def bot_lead(_context: Context, bot: Bot) -> dict[str, Any]:
    """Return how the bot's rating went, in the season that it last played in; nothing of one that is on no ladder."""
    own = SeasonEntry.objects.filter(membership__bot=bot).exclude(season__league__state=LeagueState.DRAFT)
    last = own.order_by("-pk")
    versions = own.filter(season=last.values("season")[:1], membership=last.values("membership")[:1])
    entries = list(versions.select_related("season__league", "membership", "version").order_by("joined_at", "pk"))
    if not entries:
        return {"graph": None}
    season, membership = entries[0].season, entries[0].membership
    graph = graph_of(history_of(season, membership))
    return {"bot": bot, "league": season.league, "graph": graph, "versions": entries}


def bot_notices(context: Context, bot: Bot) -> dict[str, Any]:
    """Return what its author should know of the bot's versions in running seasons, at the moment of choosing one;
    nothing to anybody else."""
    mine = context["user"].pk == bot.owner_id
    return {"bot": bot, "standing": standing_of(bot).values() if mine else ()}


def match_league(_context: Context, match: Match) -> dict[str, Any]:
    """Return the league that chose the match."""
    return {"chosen": LeagueMatch.objects.filter(match=match).select_related("season__league").first()}


def register() -> None:
    panel_register("bot.notices", "leagues/parts/notes.html", bot_notices)
    panel_register("bot.lead", "leagues/parts/lead.html", bot_lead)
    panel_register("bot.contests", "leagues/parts/of_bot.html", bot_leagues)
    panel_register("match.facts", "leagues/parts/of_match.html", match_league)
