"""The games of a check on the page of a version, see ``web.panels``."""

from typing import Any

from django.template import Context

from bots.models import BotVersion
from matches.check_games.selectors import check_games, failed_game, stage_title
from web.panels import panel_register


def version_check(context: Context, version: BotVersion) -> dict[str, Any]:
    """Return the stages of which games have ended, with how many, for who may watch them."""
    counted: dict[str, int] = {}
    for stage in check_games(version, context["user"]).values_list("stage", flat=True):
        counted[stage] = counted.get(stage, 0) + 1
    stages = [{"stage": stage, "title": stage_title(stage), "games": games} for stage, games in counted.items()]
    failed = failed_game(version, context["user"]) is not None
    return {"version": version, "bot": version.bot, "stages": stages, "failed": failed}


def register() -> None:
    panel_register("version.check", "matches/check_games.html", version_check)
