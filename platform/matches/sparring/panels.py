"""Panels (see ``web.panels``) for sparring matches: on the page of the match, and on the bot's page."""

from datetime import timedelta
from typing import Any, Final

from django.db.models import Q
from django.template import Context

from bots.models import Bot
from matches.challenges.selectors import challenge_result_facts_of, challenge_result_sentence_of
from matches.models import UNDECIDED, Match, Sparring
from matches.sparring.selectors import (
    sparring_figures_sentence,
    sparring_has_time,
    sparring_verdict,
    sparring_verdict_sentence,
    sparrings_with,
)
from teams.selectors import acts_for_owner
from web.database import database_after
from web.panels import panel_register

NEW: Final = Q(created_at__gt=database_after(-timedelta(days=7)))  # matches that are new enough for the bot's page


def sparring_panel_context(match: Match) -> dict[str, Any]:
    """Return a sparring match with its verdict in words. Its seats should already be loaded."""
    verdict = sparring_verdict(match)
    words, figures = sparring_verdict_sentence(match, verdict), sparring_figures_sentence(verdict)
    return {"match": match, "verdict": verdict, "words": words, "figures": figures}


def sparring_panel_of_match(context: Context, match: Match) -> dict[str, Any]:
    """Return the verdict of a sparring match; nothing for other matches.

    As long as the match is open, its author may cancel it.
    """
    sparrings = Sparring.objects.select_related("author", "match__challenge__opponent")
    found = None if match.contest_id else sparrings.filter(pk=match.pk).first()
    if found is None:
        return {"told": None}
    own = context["user"].pk is not None and context["user"].pk == found.author_id
    is_open = match.state in UNDECIDED
    waits = is_open and found.author_id is not None and not sparring_has_time(found.author_id)
    panel, challenge = sparring_panel_context(match), getattr(found.match, "challenge", None)
    if challenge is not None:
        panel |= {"words": challenge_result_sentence_of(challenge_result_facts_of(match)), "figures": ""}
    is_over = own and not is_open and challenge is None
    own_seat = match.seats.all()[0]
    return {
        "told": panel,
        "may_stop": own and is_open,
        "waits_for_time": waits,
        "challenge": challenge,
        "next": own_seat.version.bot.slug if is_over else "",
        "lost": next((number for number, place in enumerate(own_seat.places, 1) if place > 1), 0),
    }


def sparring_latest(context: Context, bot: Bot) -> dict[str, Any]:
    """Return the bot's newest test match for its author, if the match is at most a week old."""
    if not acts_for_owner(context["user"], bot.owner_id):
        return {"told": None}
    match = sparrings_with(bot).filter(NEW, challenge__isnull=True).first()
    return {"told": match and sparring_panel_context(match)}


def register() -> None:
    panel_register("match.first", "matches/sparring_verdict.html", sparring_panel_of_match)
    panel_register("bot.first", "matches/sparring_latest.html", sparring_latest)
