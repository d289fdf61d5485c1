"""The event that a bot is through to the next round or stage of a tournament, or out, for webhooks and notices."""

from collections.abc import Collection, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from hooks.kinds import KindSection, kind_register
from tournaments.entry_events import owners_notify
from tournaments.hook_events import TournamentDataSerializer
from tournaments.models import Entry, Stage
from tournaments.selectors.rounds.knockout import bracket_for

ADVANCED: Final = "tournament.advanced"


class AdvancedDataSerializer(TournamentDataSerializer):
    """Whether a bot plays on in the next round of a bracket, or in the next stage; `url` is its entry in the API."""

    bot = serializers.SlugField()
    bot_name = serializers.CharField()
    is_through = serializers.BooleanField(help_text="False: it is out.")


def advance_events_register() -> None:
    """Offer this kind."""
    label = gettext_lazy("one of my bots is through to the next round or stage of a tournament, or out")
    kind_register(ADVANCED, label, AdvancedDataSerializer, _sentence, section=KindSection.TOURNAMENTS)


def stage_cut_notify(stage: Stage, going_on: Collection[int], present: Collection[int]) -> None:
    """Tell the owners of who was in a stage that has ended and of who is in the next, in the transaction of that."""
    told = {entry: entry in going_on for entry in present}
    _notify(stage, f"stage {stage.number}", told)


def bracket_round_notify(stage: Stage, number: int, present: Collection[int], playing: Collection[int]) -> None:
    """Tell the owners of who played in round ``number`` of a bracket, before the next one is drawn of ``playing``.
    A bot that lost and plays for a place is told neither."""
    out = {one.entrant for one in bracket_for(stage, present).placings if one.out is not None}
    fixtures = stage.played.get(number=number).fixtures
    played = set(fixtures.values_list("match__seats__version__bot__entries", flat=True))
    entries = Entry.objects.filter(tournament=stage.tournament_id, pk__in=played & set(present))
    told = {one: one not in out for one in entries.values_list("pk", flat=True) if one not in out & set(playing)}
    _notify(stage, f"round {number}", told)


def _notify(stage: Stage, cause: str, told: Mapping[int, bool]) -> None:
    owners_notify(
        ADVANCED, stage.tournament, {entry: {"is_through": is_through} for entry, is_through in told.items()}, cause
    )


def _sentence(data: Mapping[str, Any]) -> str:
    if data["is_through"]:
        return _("%(bot_name)s is through to the next round of %(name)s.") % data
    return _("%(bot_name)s is out of %(name)s.") % data
