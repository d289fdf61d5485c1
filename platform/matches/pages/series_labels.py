"""How long a series is, and why it ended, in the reader's language."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from matches.models import Match
from matches.referee import Ending, rule_of


def length_sentence(stopping: Mapping[str, Any], blocks: int) -> str:
    """The rule as it is announced; ``stopping`` and ``blocks`` as a match keeps them."""
    rule = rule_of(stopping)
    if rule is None:
        return ngettext("%(blocks)s block", "%(blocks)s blocks", blocks) % {"blocks": blocks}
    return _(
        "Until it is decided which bot is better, at most %(blocks)s blocks; a bot that takes %(better)s %% of the"
        " score is mistaken for the worse one in %(error)s %% of matches at most"
    ) % {
        "blocks": blocks,
        "better": _percent(0.5 + rule.effect),
        "error": _percent(rule.error),
    }


def ending_sentence(match: Match, names: Sequence[str]) -> str:
    """Why a sequential series ended, ``names`` being those of its seats; "" for any other match."""
    rule = rule_of(match.stopping)
    if rule is None or not match.ending or match.llr is None:
        return ""
    said: dict[str, Any] = {"blocks": match.blocks_played, "llr": _decimal(match.llr), "bound": _decimal(rule.bound)}
    if match.ending == Ending.FIRST:
        return _("Stopped after %(blocks)s blocks: %(bot)s better, LLR %(llr)s ≥ %(bound)s") % {**said, "bot": names[0]}
    if match.ending == Ending.SECOND:
        said["bound"] = _decimal(-rule.bound)
        return _("Stopped after %(blocks)s blocks: %(bot)s better, LLR %(llr)s ≤ %(bound)s") % {**said, "bot": names[1]}
    if match.ending == Ending.FORFEITED:
        return _("Stopped after %(blocks)s blocks: a bot had forfeited the match") % said
    return _("Not decided after %(blocks)s blocks, the most there may be: LLR %(llr)s, bounds ±%(bound)s") % said


def _percent(share: float) -> str:
    return number_format(f"{100 * share:.4g}")


def _decimal(value: float) -> str:
    """Two places, cut towards zero: what has not crossed a bound must not look as if it had."""
    return number_format(int(value * 100) / 100, 2)
