"""The state and result of a challenge as a sentence, in the reader's language."""

from collections.abc import Mapping
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from matches.models import Challenge, ChallengeState, Match
from matches.sparring.selectors import verdict_of


def result_facts(match: Match) -> dict[str, Any]:
    """Return the names and figures that ``result_sentence`` needs. The seats of ``match`` should already be loaded."""
    first, other = (seat.version.bot for seat in match.seats.all())
    verdict = verdict_of(match)
    facts = {name: getattr(verdict, name) for name in ("answer", "blocks", "share", "low", "high")}
    return {**facts, "challenger": first.name, "challenged": other.name}


def result_sentence(facts: Mapping[str, Any]) -> str:
    """Return the result in words, with its figures where one bot is better."""
    names = {name: facts[name] for name in ("challenger", "challenged")}
    answer = facts["answer"]
    if answer in ("better", "worse"):
        won = answer == "better"
        share, low, high = (facts[name] if won else 1 - facts[name] for name in ("share", "low", "high"))
        percents = {"share": share, "low": min(low, high), "high": max(low, high)}
        figures = {name: number_format(round(100 * one)) for name, one in percents.items()}
        values = figures | {"bot": names["challenger" if won else "challenged"]}
        return _("%(bot)s wins %(share)s %% of deals (likely %(low)s–%(high)s %%).") % values  # noqa: RUF001  a range
    if answer in ("too_close", "undecided"):
        sentence = ngettext(
            "%(challenger)s and %(challenged)s are too close to call after %(blocks)d deal.",
            "%(challenger)s and %(challenged)s are too close to call after %(blocks)d deals.",
            facts["blocks"],
        )
        return sentence % {**names, "blocks": facts["blocks"]}
    sentences = {
        "open": _("%(challenger)s against %(challenged)s: it is not decided yet."),
        "called_off": _("%(challenger)s against %(challenged)s was called off."),
        "forfeited": _("%(challenger)s against %(challenged)s: a bot has forfeited the match by its faults."),
    }
    return sentences[answer] % names


def challenge_sentence(challenge: Challenge) -> str:
    """Return the state of a challenge as a sentence. The seats of its match should already be loaded."""
    if challenge.state == ChallengeState.ACCEPTED and challenge.match is not None:
        return result_sentence(result_facts(challenge.match))
    names = {"challenger": challenge.bot.name, "challenged": challenge.opponent.name}
    sentences = {
        ChallengeState.ASKED: _("%(challenger)s challenges %(challenged)s: waiting for an answer."),
        ChallengeState.DECLINED: _("%(challenged)s declined the challenge of %(challenger)s."),
        ChallengeState.WITHDRAWN: _("The challenge of %(challenger)s was withdrawn."),
        ChallengeState.LAPSED: _("The challenge of %(challenger)s was not answered."),
    }
    return sentences[ChallengeState(challenge.state)] % names
