"""A sparring match on its own page, see ``web.panels``."""

from typing import Any

from django.template import Context

from matches.models import UNDECIDED, Match, Sparring
from matches.sparring.selectors import has_time, verdict_of
from matches.sparring.words import figures_sentence, verdict_sentence
from web.panels import panel_register


def sparring_context(match: Match) -> dict[str, Any]:
    """Return a sparring match with what it has shown; its seats are at hand."""
    verdict = verdict_of(match)
    words, figures = verdict_sentence(match, verdict), figures_sentence(verdict)
    return {"match": match, "verdict": verdict, "words": words, "figures": figures}


def match_sparring(context: Context, match: Match) -> dict[str, Any]:
    """Return what the match has shown, if it is for sparring; its author may call it off as long as it is open."""
    found = None if match.contest_id else Sparring.objects.filter(pk=match.pk).select_related("author").first()
    if found is None:
        return {"told": None}
    own = context["user"].pk is not None and context["user"].pk == found.author_id
    is_open = match.state in UNDECIDED
    waits = is_open and found.author_id is not None and not has_time(found.author_id)
    return {"told": sparring_context(match), "may_stop": own and is_open, "waits_for_time": waits}


def register() -> None:
    panel_register("match.contest", "matches/sparring_verdict.html", match_sparring)
