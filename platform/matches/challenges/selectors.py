"""Read challenges: which bots a user may challenge, with which bots, and which challenges the user may see.

The state and the result of a challenge are given as sentences.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, TypeAlias

from django.db.models import Prefetch, Q, QuerySet
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bots.models import Bot, ChallengedBy, VersionState
from contests.audience import audience_bots
from groups.selectors import groups_of
from matches.models import Challenge, ChallengeState, Match, Seat
from matches.sparring.selectors import sparring_verdict
from teams.selectors import Visitor, acts_for_owner, team_owners_of
from web.templatetags.numbers import percent

ANSWER_WITHIN: Final = timedelta(days=7)  # an unanswered challenge expires after this time

# Returns whether a bot plays in a league that a visitor can find.
InLeague: TypeAlias = Callable[[Bot, Visitor], bool]
_IN_LEAGUE: Final[list[InLeague]] = []


def challenge_leagues_register(in_league: InLeague) -> None:
    """Register ``in_league``. It decides about bots whose authors have not chosen who may challenge them.

    The room ``leagues`` calls this once (decision 10).
    """
    if in_league not in _IN_LEAGUE:
        _IN_LEAGUE.append(in_league)


@dataclass(frozen=True, slots=True)
class _Place:
    """The attributes of a contest that ``audience_bots`` reads. ``group_id`` is the only group of a bot, or None."""

    group_id: int | None

    @property
    def is_open(self) -> bool:
        return self.group_id is None


def challenges_taken_by(bot: Bot, user: Visitor) -> str:
    """Return "everyone" if ``user`` may challenge ``bot``, "ask" if its author has to accept, otherwise "nobody".

    A bot with an alias can be challenged only within its group, and only while its author is a member. ``bot.current``
    should already be loaded.
    """
    if bot.is_house or bot.current is None or bot.current.state != VersionState.ACCEPTED:
        return ChallengedBy.NOBODY
    if bot.alias_group_id and not groups_of(user).filter(pk=bot.alias_group_id).exists():
        return ChallengedBy.NOBODY
    if bot.alias_group_id and not challenge_opponents(bot).filter(pk=bot.pk).exists():
        return ChallengedBy.NOBODY
    if bot.challenged_by != ChallengedBy.DEFAULT:
        return bot.challenged_by
    return ChallengedBy.EVERYONE if any(ask(bot, user) for ask in _IN_LEAGUE) else ChallengedBy.NOBODY


def challenge_opponents(bot: Bot) -> QuerySet[Bot]:
    """Return the bots that could play against ``bot`` in some contest.

    If ``bot`` plays in one group only, this is a contest of the group, otherwise a contest that is open to everyone.
    """
    place: Any = _Place(bot.alias_group_id)
    return Bot.objects.filter(audience_bots(place), is_house=False, game=bot.game)


def challenge_challengers(bot: Bot, user: Visitor) -> QuerySet[Bot]:
    """Return the bots of ``user`` and their teams that may challenge ``bot``, by name."""
    mine = challenge_opponents(bot).filter(owner__in=team_owners_of(user), current__state=VersionState.ACCEPTED)
    return mine.exclude(owner=bot.owner_id).select_related("owner", "current").order_by("name", "pk")


def challenges_of(bot: Bot, user: Visitor) -> QuerySet[Challenge]:
    """Return the challenges that ``bot`` has made and received, newest first.

    Staff see all of them. Other users see those that involve their own bots, except in groups that they have left. Both
    bots are loaded, and the match with its seats.
    """
    found = Challenge.objects.filter(Q(bot=bot) | Q(opponent=bot))
    if not getattr(user, "is_staff", False):
        mine = team_owners_of(user)
        inside = Q(opponent__alias_group=None) | Q(opponent__alias_group__in=groups_of(user))
        found = found.filter(Q(bot__owner__in=mine) | Q(opponent__owner__in=mine), inside)
    return challenges_with_matches(found)


def challenges_to_change(user: Visitor) -> QuerySet[Challenge]:
    """Return the challenges that ``user`` may answer or withdraw: those that involve their own bots."""
    mine = team_owners_of(user)
    return challenges_with_matches(Challenge.objects.filter(Q(bot__owner__in=mine) | Q(opponent__owner__in=mine)))


def challenges_with_matches(challenges: QuerySet[Challenge]) -> QuerySet[Challenge]:
    """Return ``challenges``, newest first, with the related objects that pages and notices need."""
    seats = Seat.objects.select_related("version__bot").order_by("index")
    found = challenges.select_related("bot__owner", "opponent__owner", "match")
    return found.prefetch_related(Prefetch("match__seats", seats)).order_by("-pk")


def challenge_offer_of(bot: Bot, user: Any) -> str:
    """Return which button the page of ``bot`` shows to ``user``: "everyone" (challenge), "ask", or "" for none."""
    if user.pk is None or acts_for_owner(user, bot.owner_id) or not challenge_challengers(bot, user).exists():
        return ""
    how = challenges_taken_by(bot, user)
    return "" if how == ChallengedBy.NOBODY else how


def challenge_result_facts_of(match: Match) -> dict[str, Any]:
    """Return the names and figures that ``challenge_result_sentence_of`` needs.

    The seats of ``match`` should already be loaded.
    """
    first, other = (seat.version.bot for seat in match.seats.all())
    verdict = sparring_verdict(match)
    facts = {name: getattr(verdict, name) for name in ("answer", "blocks", "share", "low", "high")}
    return {**facts, "challenger": first.name, "challenged": other.name}


def challenge_result_sentence_of(facts: Mapping[str, Any]) -> str:
    """Return the result in words. If one bot is better, the sentence has the figures."""
    names = {name: facts[name] for name in ("challenger", "challenged")}
    answer = facts["answer"]
    if answer in ("better", "worse"):
        won = answer == "better"
        share, low, high = (facts[name] if won else 1 - facts[name] for name in ("share", "low", "high"))
        percents = {"share": share, "low": min(low, high), "high": max(low, high)}
        figures = {name: percent(one) for name, one in percents.items()}
        figures["low"] = number_format(round(100 * percents["low"]))
        values = figures | {"bot": names["challenger" if won else "challenged"]}
        return _("%(bot)s wins %(share)s of deals (likely %(low)s–%(high)s).") % values  # noqa: RUF001  a range
    if answer in ("too_close", "undecided"):
        sentence = ngettext(
            "%(challenger)s and %(challenged)s are too close to call after %(blocks)d deal.",
            "%(challenger)s and %(challenged)s are too close to call after %(blocks)d deals.",
            facts["blocks"],
        )
        return sentence % {**names, "blocks": facts["blocks"]}
    sentences = {
        "open": _("%(challenger)s against %(challenged)s: not decided yet."),
        "called_off": _("%(challenger)s against %(challenged)s was cancelled."),
        "forfeited": _("%(challenger)s against %(challenged)s: a bot has forfeited the match by its faults."),
    }
    return sentences[answer] % names


def challenge_sentence(challenge: Challenge) -> str:
    """Return the state of a challenge as a sentence. The seats of its match should already be loaded."""
    if challenge.state == ChallengeState.ACCEPTED and challenge.match is not None:
        return challenge_result_sentence_of(challenge_result_facts_of(challenge.match))
    names = {"challenger": challenge.bot.name, "challenged": challenge.opponent.name}
    sentences = {
        ChallengeState.ASKED: _("%(challenger)s challenges %(challenged)s: waiting for an answer."),
        ChallengeState.DECLINED: _("%(challenged)s declined the challenge from %(challenger)s."),
        ChallengeState.WITHDRAWN: _("The challenge from %(challenger)s was withdrawn."),
        ChallengeState.LAPSED: _("The challenge from %(challenger)s was not answered."),
    }
    return sentences[ChallengeState(challenge.state)] % names
