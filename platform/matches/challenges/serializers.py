"""Challenges as JSON."""

from typing import Any, Final

from rest_framework import serializers

from matches.challenges.words import challenge_sentence, result_facts
from matches.models import Challenge, ChallengeState
from matches.sparring.serializers import ANSWERS
from web.api_examples import SITE, example_shown
from web.api_view import OneOf
from web.serializers import address, example

SAID: Final = [("accept", "accept"), ("decline", "decline")]


@example(bot="rooster")
class ChallengeRequestSerializer(serializers.Serializer[Any]):
    """The bot that makes the challenge."""

    bot = serializers.SlugField(max_length=90, help_text="The slug of a bot of mine for the same game.")


@example(answer="accept")
class ChallengeAnswerSerializer(serializers.Serializer[Any]):
    """The answer of the author of the challenged bot."""

    answer = OneOf(choices=SAID)


@example_shown(
    id=7,
    state="accepted",
    bot="rooster",
    opponent="wise-owl",
    match=1,
    answer="worse",
    sentence="Wise Owl wins 62 % of deals (likely 55–69 %).",  # noqa: RUF001  a range
    blocks=64,
    share=0.38,
    low=0.31,
    high=0.45,
    page=f"{SITE}/matches/1/",
)
class ChallengeSerializer(serializers.Serializer[Challenge]):
    """`bot` challenges `opponent`. The answer and the figures are those of `bot`."""

    id = serializers.IntegerField()
    state = serializers.ChoiceField(choices=ChallengeState.choices)
    bot = serializers.SlugField()
    opponent = serializers.SlugField()
    created_at = serializers.DateTimeField()
    answered_at = serializers.DateTimeField(allow_null=True)
    match = serializers.IntegerField(allow_null=True)
    answer = serializers.ChoiceField(choices=ANSWERS, allow_null=True)
    sentence = serializers.CharField(help_text="How it stands, in words.")
    blocks = serializers.IntegerField(allow_null=True, help_text="Played.")
    share = serializers.FloatField(allow_null=True, help_text="Of opponents beaten by `bot`, ties half, 0 to 1.")
    low = serializers.FloatField(allow_null=True, help_text="Lower end of its 95 % interval, by blocks.")
    high = serializers.FloatField(allow_null=True, help_text="Upper end of it.")
    page = serializers.CharField(help_text="The match's page, or that of the challenges of `opponent`, for people.")

    def to_representation(self, instance: Challenge) -> dict[str, Any]:
        match = instance.match if instance.state == ChallengeState.ACCEPTED else None
        facts = result_facts(match) if match else {}
        page = ("matches:detail", match.pk) if match else ("bots:challenges", instance.opponent.slug)
        data = {
            **{name: getattr(instance, name) for name in ("id", "state", "created_at", "answered_at")},
            **{name: facts.get(name) for name in ("answer", "blocks", "share", "low", "high")},
            "bot": instance.bot.slug,
            "opponent": instance.opponent.slug,
            "match": match.pk if match else None,
            "sentence": challenge_sentence(instance),
            "page": address(self, *page),
        }
        return super().to_representation(data)  # type: ignore[arg-type]  # fields read keys as well
