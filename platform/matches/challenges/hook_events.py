"""The events of challenges for webhooks and notices: received, answered, finished. Each is sent once."""

from collections.abc import Collection, Mapping
from typing import Any, Final
from uuid import UUID, uuid5

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from hooks.kinds import hook_kind_register
from hooks.services import Event
from matches.challenges.selectors import (
    challenge_result_facts_of,
    challenge_result_sentence_of,
    challenges_with_matches,
)
from matches.models import Challenge, ChallengeState
from matches.visibility import visibility_recipients
from notices.services import notice_events_publish
from web.email import email_link_to

RECEIVED: Final = "challenge.received"
ANSWERED: Final = "challenge.answered"
FINISHED: Final = "challenge.finished"
EVENTS: Final = UUID("2f5c1c0e-6f0c-4b6e-9a61-0f6d8a0c55d1")


class ChallengeDataSerializer(serializers.Serializer[Any]):
    """One bot challenges another. `state` is `asked` while the author of `opponent` has not answered."""

    challenge = serializers.IntegerField()
    state = serializers.ChoiceField(choices=ChallengeState.choices)
    bot = serializers.SlugField(help_text="The challenger.")
    challenger = serializers.CharField(help_text="The name of the bot.")
    author = serializers.CharField(help_text="The author of the challenger.")
    opponent = serializers.SlugField(help_text="The bot that is challenged.")
    challenged = serializers.CharField(help_text="The name of the bot.")
    url = serializers.CharField(help_text="The challenge in the API.")
    page = serializers.CharField()


class ChallengeResultDataSerializer(ChallengeDataSerializer):
    """The match of a challenge is over."""

    match = serializers.IntegerField()
    answer = serializers.CharField(help_text="The answer about the challenger, as in `sparring/ID/`.")
    blocks = serializers.IntegerField(help_text="Number of played blocks.")
    share = serializers.FloatField(help_text="Share of opponents that the challenger beat, 0 to 1; ties count half.")
    low = serializers.FloatField(help_text="Lower end of the 95 % interval of the share.")
    high = serializers.FloatField(help_text="Upper end of the interval.")


def register() -> None:
    """Register the kinds of events."""
    received = gettext_lazy("one of my bots is challenged")
    hook_kind_register(RECEIVED, received, ChallengeDataSerializer, _received_sentence)
    answered = gettext_lazy("a challenge of mine is accepted or declined")
    hook_kind_register(ANSWERED, answered, ChallengeDataSerializer, _answered_sentence)
    finished = gettext_lazy("a challenge by or of one of my bots is over")
    hook_kind_register(FINISHED, finished, ChallengeResultDataSerializer, _finished_sentence)


def challenge_received_event_publish(challenge: Challenge) -> None:
    """Notify the author of the challenged bot, in the transaction that creates the challenge.

    If the challenger withdraws and challenges again on the same day, there is no second notice.
    """
    _publish(RECEIVED, challenge, {challenge.opponent.owner_id}, {}, f"{challenge.bot_id} {challenge.day}")


def challenge_answered_event_publish(challenge: Challenge) -> None:
    """Notify the challenger of the answer, in the transaction that writes it."""
    _publish(ANSWERED, challenge, {challenge.bot.owner_id}, {})


def challenge_finished_event_publish(*, matches: Collection[int]) -> set[int]:
    """Notify both authors of each challenge whose match is finished, in the transaction that stores the results.

    Return the ids of those ``matches`` that belong to challenges.
    """
    if not matches:
        return set()
    found = list(challenges_with_matches(Challenge.objects.filter(match__in=matches, state=ChallengeState.ACCEPTED)))
    for one in found:
        assert one.match is not None  # noqa: S101  it was found by that
        people = visibility_recipients({one.bot.owner_id, one.opponent.owner_id}, one.match)
        _publish(FINISHED, one, people, {**challenge_result_facts_of(one.match), "match": one.match.pk})
    return {one.match_id for one in found if one.match_id is not None}


def _publish(kind: str, challenge: Challenge, people: Collection[int], more: Mapping[str, Any], once: str = "") -> None:
    """Publish an event once for each state of the challenge.

    With ``once``, publish it once for this key and the challenged bot.
    """
    bot, opponent = challenge.bot, challenge.opponent
    page = ("matches:detail", challenge.match_id) if kind == FINISHED else ("bots:challenges", opponent.slug)
    data = {
        "challenge": challenge.pk,
        "state": challenge.state,
        "bot": bot.slug,
        "challenger": bot.name,
        "author": bot.author_name,
        "opponent": opponent.slug,
        "challenged": opponent.name,
        "url": email_link_to("api:challenge", opponent.slug, challenge.pk),
        "page": email_link_to(*page),
        **more,
    }
    subject = f"{opponent.pk} {once}" if once else f"{challenge.pk} {challenge.state}"
    event_id = uuid5(EVENTS, f"{kind} {subject}")
    notice_events_publish(events=[Event(kind, people, data, event_id)])


def _received_sentence(data: Mapping[str, Any]) -> str:
    if data["state"] == ChallengeState.ASKED:
        return _("%(challenger)s by %(author)s challenges %(challenged)s. Accept or decline.") % data
    return _("%(challenger)s by %(author)s challenges %(challenged)s.") % data


def _finished_sentence(data: Mapping[str, Any]) -> str:
    result = challenge_result_sentence_of(data)
    if data["answer"] not in ("better", "worse"):
        return result  # the result names both bots
    return _("%(challenger)s against %(challenged)s: %(result)s") % {**data, "result": result}


def _answered_sentence(data: Mapping[str, Any]) -> str:
    if data["state"] == ChallengeState.ACCEPTED:
        return _("%(challenged)s accepts the challenge from %(challenger)s.") % data
    return _("%(challenged)s declined the challenge from %(challenger)s.") % data
