"""Panels about bots on pages of other apps, see ``web.panels``."""

from typing import Any

from django.template import Context

from bots.selectors import bots_shown_of
from teams.models import Team
from web.panels import panel_register


def team_bots_panel(context: Context, team: Team) -> dict[str, Any]:
    """Return the bots of a team, newest first."""
    return {"team": team, "bots": bots_shown_of(team.pk, context["user"]).order_by("-created_at", "-pk")}


def bot_panels_register() -> None:
    panel_register("team.bots", "bots/of_team.html", team_bots_panel)
