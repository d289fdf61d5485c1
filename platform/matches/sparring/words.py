"""What a sparring match has shown, in the reader's language."""

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bots.models import BotVersion
from matches.models import Match
from matches.sparring.selectors import SparringVerdict


def verdict_sentence(match: Match, verdict: SparringVerdict) -> str:
    """Return the answer in words; ``match`` has its seats at hand."""
    first, other, *_others = (seat.version for seat in match.seats.all())
    names = {"bot": _named(first), "other": _named(other)}
    sentences = {
        "open": _("Is %(bot)s better than %(other)s? It is being found out."),
        "called_off": _("It was called off: nothing is known."),
        "better": _("%(bot)s is better than %(other)s."),
        "worse": _("%(bot)s is worse than %(other)s."),
        "too_close": _("%(bot)s and %(other)s are too close to call."),
        "undecided": _("It is not decided whether %(bot)s or %(other)s is better."),
        "forfeited": _("A bot has forfeited the match by its faults: nothing is known of strength."),
    }
    return sentences[verdict.answer] % names


def figures_sentence(verdict: SparringVerdict) -> str:
    """Return the figures behind the answer; "" before the end."""
    if verdict.share is None or verdict.low is None or verdict.high is None:
        return ""
    values = {name: _percent(getattr(verdict, name)) for name in ("share", "low", "high")}
    sentence = ngettext(
        "%(share)s %% of the opponents beaten, ties half, in %(blocks)d block; 95 %% interval %(low)s to %(high)s %%.",
        "%(share)s %% of the opponents beaten, ties half, in %(blocks)d blocks; 95 %% interval %(low)s to %(high)s %%.",
        verdict.blocks,
    )
    return sentence % {**values, "blocks": verdict.blocks}


def _named(version: BotVersion) -> str:
    return f"{version.bot.name} v{version.number}"


def _percent(share: float) -> str:
    return number_format(round(100 * share, 1), 1)
