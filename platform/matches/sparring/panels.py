"""A sparring match on its own page, see ``web.panels``, and its verdict in the reader's language."""

from datetime import timedelta
from typing import Any, Final

from django.db.models import Q
from django.template import Context
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bots.models import Bot, BotVersion
from matches.challenges.selectors import challenge_result_facts, challenge_result_sentence
from matches.models import UNDECIDED, Match, Sparring
from matches.sparring.selectors import SparringVerdict, sparring_has_time, sparring_verdict, sparrings_with
from teams.selectors import acts_for_owner
from web.database import database_after
from web.panels import panel_register
from web.templatetags.numbers import percent

NEW: Final = Q(created_at__gt=database_after(-timedelta(days=7)))  # test matches that a bot's page begins with


def sparring_verdict_sentence(match: Match, verdict: SparringVerdict) -> str:
    """Return the answer in words; ``match`` has its seats at hand."""
    first, other, *_others = (seat.version for seat in match.seats.all())
    names = {"bot": _named(first), "other": _named(other)}
    sentences = {
        "open": _("Is %(bot)s better than %(other)s? No answer yet."),
        "called_off": _("It was called off: nothing is known."),
        "better": _("%(bot)s is better than %(other)s."),
        "worse": _("%(bot)s is worse than %(other)s."),
        "too_close": _("%(bot)s and %(other)s are too close to call."),
        "undecided": _("It is not decided whether %(bot)s or %(other)s is better."),
        "forfeited": _("A bot has forfeited the match by its faults: nothing is known of strength."),
    }
    return sentences[verdict.answer] % names


def sparring_figures_sentence(verdict: SparringVerdict) -> str:
    """Return the figures behind the answer; "" before the end."""
    if verdict.share is None or verdict.low is None or verdict.high is None:
        return ""
    values = {name: percent(getattr(verdict, name), 1) for name in ("share", "low", "high")}
    sentence = ngettext(
        "%(share)s of the opponents beaten, ties half, in %(blocks)d deal; 95 %% interval %(low)s to %(high)s.",
        "%(share)s of the opponents beaten, ties half, in %(blocks)d deals; 95 %% interval %(low)s to %(high)s.",
        verdict.blocks,
    )
    return sentence % {**values, "blocks": verdict.blocks}


def _named(version: BotVersion) -> str:
    return f"{version.bot.name} v{version.number}"


def sparring_context(match: Match) -> dict[str, Any]:
    """Return a sparring match with what it has shown; its seats are at hand."""
    verdict = sparring_verdict(match)
    words, figures = sparring_verdict_sentence(match, verdict), sparring_figures_sentence(verdict)
    return {"match": match, "verdict": verdict, "words": words, "figures": figures}


def sparring_of_match(context: Context, match: Match) -> dict[str, Any]:
    """Return what the match has shown, if it is for sparring; its author may call it off as long as it is open."""
    sparrings = Sparring.objects.select_related("author", "match__challenge__opponent")
    found = None if match.contest_id else sparrings.filter(pk=match.pk).first()
    if found is None:
        return {"told": None}
    own = context["user"].pk is not None and context["user"].pk == found.author_id
    is_open = match.state in UNDECIDED
    waits = is_open and found.author_id is not None and not sparring_has_time(found.author_id)
    told, challenge = sparring_context(match), getattr(found.match, "challenge", None)
    if challenge is not None:
        told |= {"words": challenge_result_sentence(challenge_result_facts(match)), "figures": ""}
    is_over = own and not is_open and challenge is None
    own_seat = match.seats.all()[0]
    return {
        "told": told,
        "may_stop": own and is_open,
        "waits_for_time": waits,
        "challenge": challenge,
        "next": own_seat.version.bot.slug if is_over else "",
        "lost": next((number for number, place in enumerate(own_seat.places, 1) if place > 1), 0),
    }


def sparring_latest(context: Context, bot: Bot) -> dict[str, Any]:
    """Return for its author what the newest test match of the bot has shown, if it is of the last days."""
    if not acts_for_owner(context["user"], bot.owner_id):
        return {"told": None}
    match = sparrings_with(bot).filter(NEW, challenge__isnull=True).first()
    return {"told": match and sparring_context(match)}


def register() -> None:
    panel_register("match.first", "matches/sparring_verdict.html", sparring_of_match)
    panel_register("bot.first", "matches/sparring_latest.html", sparring_latest)
