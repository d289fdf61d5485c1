"""The actions on tournaments that pages and the API share: who may take each action, its input, and its service.

Some actions are not listed here, because the form of the page and the API operation have different input. These are the
actions on settings, rounds and places in them, rulings, entries, links, arbiters, and bots that are kept apart.
"""

from dataclasses import replace
from typing import Any, Final

from rest_framework import serializers

from bots.serializers import NamedBotSerializer
from contests.actions import Action
from matches.datasets.page import DatasetOfferSerializer
from tournaments.models import Publication, TournamentState
from tournaments.models.planning import PACE_MOST
from tournaments.models.tournament import REASON_MOST
from tournaments.services import (
    ceremony_accept,
    ceremony_advance,
    ceremony_announce,
    ceremony_cancel,
    ceremony_pace_set,
    ceremony_start,
    forbidden_group_remove,
    forbidden_pair_remove,
    luck_nonce_add,
    tournament_cancel,
    tournament_dataset_licence_set,
    tournament_invitation_withdraw,
    tournament_lock,
    tournament_open,
    tournament_pause,
    tournament_publish,
    tournament_release,
    tournament_reopen,
    tournament_resume,
    tournament_sources_release,
    tournament_start,
    weekly_cup_end,
)
from tournaments.services.ceremonies import PACE
from tournaments.views.lookups import (
    own_forbidden_group,
    own_forbidden_pair,
    own_tournament,
    own_weekly_cup,
    ruled_tournament,
    tournament_or_404,
)
from web.api_examples import DIGEST, TIME, api_example_shown, serializer_example

BY_HAND = "Seconds from one rank to the next, at least 3. 0: the organiser reveals each rank."


@serializer_example(planned_at="2027-01-30T19:00:00Z", pace=8)
class AnnouncedCeremonySerializer(serializers.Serializer[Any]):
    """The time when a ceremony begins automatically, and its pace."""

    planned_at = serializers.DateTimeField(allow_null=True, help_text="null: the organiser starts it.")
    pace = serializers.IntegerField(min_value=0, max_value=PACE_MOST, default=PACE, help_text=BY_HAND)


@serializer_example(pace=0)
class StartSerializer(serializers.Serializer[Any]):
    """The pace of a ceremony."""

    pace = serializers.IntegerField(
        min_value=0, max_value=PACE_MOST, required=False, help_text=f"{BY_HAND} Default: the announced pace, or 0."
    )


@serializer_example(pace=8)
class PaceSerializer(serializers.Serializer[Any]):
    """The pace of a ceremony from now on."""

    pace = serializers.IntegerField(min_value=0, max_value=PACE_MOST, help_text=BY_HAND)


@serializer_example(place=3)
class AdvanceSerializer(serializers.Serializer[Any]):
    """The place to reveal."""

    place = serializers.IntegerField(min_value=1, help_text="The current value of `left`.")
    to = serializers.IntegerField(
        min_value=0,
        required=False,
        help_text="Also reveal the ranks that follow, until at most this many bots are left.",
    )


@api_example_shown(points=4.5, won=4, drawn=1, lost=2, by_lot=False, is_out=False)
class RevealedBotSerializer(serializers.Serializer[Any]):
    """A bot whose rank has been revealed."""

    bot = NamedBotSerializer(source="entry.bot")
    points = serializers.FloatField(allow_null=True, help_text="null in a knockout.")
    won = serializers.IntegerField(help_text="Opponents beaten, over all matches of its last stage.")
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    by_lot = serializers.BooleanField(help_text="Only the lot separates it from another bot.")
    is_out = serializers.BooleanField(help_text="Disqualified.")


@api_example_shown(rank=5, is_shared=False)
class RevealedRankSerializer(serializers.Serializer[Any]):
    """A rank that has been revealed."""

    rank = serializers.IntegerField()
    is_shared = serializers.BooleanField()
    bots = RevealedBotSerializer(many=True)


@api_example_shown(planned_at=None, pace=0, started_at=TIME, ended_at=None, left=4, below=0)
class CeremonySerializer(serializers.Serializer[Any]):
    """A ceremony, with the ranks that it has revealed."""

    planned_at = serializers.DateTimeField(source="ceremony.planned_at", allow_null=True)
    pace = serializers.IntegerField(
        source="ceremony.pace", help_text="Seconds from one rank to the next; 0: the organiser reveals each rank."
    )
    started_at = serializers.DateTimeField(source="ceremony.started_at", allow_null=True)
    ended_at = serializers.DateTimeField(
        source="ceremony.ended_at",
        allow_null=True,
        help_text="Its end publishes the results, unless the tournament was cancelled.",
    )
    left = serializers.IntegerField(
        source="ceremony.left",
        allow_null=True,
        help_text="The number of bots that are not revealed; null before the start.",
    )
    ranks = RevealedRankSerializer(many=True, help_text="The ranks that were revealed last, the latest first.")
    below = serializers.IntegerField(help_text="The number of bots below these ranks.")


STATES: Final = TournamentState
TWICE: Final = "If the tournament is in the resulting state already, nothing changes, and the response is the same."


@serializer_example(publication="everyone")
class PublicationSerializer(serializers.Serializer[Any]):
    """Who may see pairings, standings and matches."""

    publication = serializers.ChoiceField(choices=Publication.choices)

    def validate_publication(self, chosen: str) -> Publication:
        return Publication(chosen)


@serializer_example(text="The dice say 3, 1 and 6.")
class AddedLuckSerializer(serializers.Serializer[Any]):
    """A text to add to the luck: anything that nobody could foresee."""

    text = serializers.CharField(max_length=100)


@serializer_example(reason="The room is not free that evening.")
class CancelSerializer(serializers.Serializer[Any]):
    """Why a tournament is cancelled."""

    reason = serializers.CharField(
        max_length=REASON_MOST,
        required=False,
        allow_blank=True,
        default="",
        help_text="Everyone who can see the tournament can read it.",
    )


def _button(summary: str, service: Any, *leads_to: str, arbiters: bool = False) -> Action:
    who, whose = (ruled_tournament, "organiser and arbiters") if arbiters else (own_tournament, "organiser")
    sentence = f"For the {whose}. {TWICE}"
    return Action(who, service, "tournament", summary, sentence, leads_to=frozenset(leads_to))


BUTTONS: Final = {
    "open": _button("Open entries", tournament_open, STATES.OPEN, STATES.LOCKED),
    "lock": _button("Close entries", tournament_lock, STATES.LOCKED),
    "reopen": _button("Open entries again", tournament_reopen, STATES.OPEN),
    "start": _button("Start a tournament", tournament_start, STATES.RUNNING, STATES.PAUSED, STATES.FINISHED),
    "cancel": replace(
        _button("Cancel a tournament", tournament_cancel, STATES.CANCELLED), body=CancelSerializer, is_signed=True
    ),
    "pause": _button("Pause a tournament: no match begins", tournament_pause, STATES.PAUSED, arbiters=True),
    "resume": _button(
        "Resume a tournament that is paused", tournament_resume, STATES.RUNNING, STATES.FINISHED, arbiters=True
    ),
    "release": _button("Play matches that are held after faults of the platform", tournament_release, arbiters=True),
    "release-sources": _button("Release the sources now", tournament_sources_release),
}
ACTIONS: Final = {
    **BUTTONS,
    "publish": Action(
        *(own_tournament, tournament_publish, "tournament", "Choose who sees pairings and results"),
        "For the organiser, in any state.",
        body=PublicationSerializer,
    ),
    "dataset": Action(
        *(own_tournament, tournament_dataset_licence_set, "tournament", "Offer the data set under a licence"),
        "Once the tournament has finished. When the results are public, signed-in users who may see them can download"
        " the data set. For the organiser.",
        body=DatasetOfferSerializer,
    ),
    "ceremony-announce": Action(
        *(own_tournament, ceremony_announce, "tournament", "Announce the ceremony, or move it"),
        "It begins at this time, or at the end of the tournament if that is later. Repeating the request changes"
        " nothing.",
        body=AnnouncedCeremonySerializer,
    ),
    "ceremony-cancel": Action(
        *(own_tournament, ceremony_cancel, "tournament", "Cancel the ceremony"),
        "Possible until it begins.",
    ),
    "ceremony-start": Action(
        *(own_tournament, ceremony_start, "tournament", "Start the ceremony"),
        "Once the tournament has finished. This reveals nothing yet. If the ceremony has begun, nothing changes.",
        body=StartSerializer,
    ),
    "ceremony-advance": Action(
        *(own_tournament, ceremony_advance, "tournament", "Reveal a place"),
        "Reveals the last place that is not revealed yet, with all bots that share its rank. If the place was revealed"
        " before, nothing changes. When the first place is revealed, the results are published for everyone.",
        body=AdvanceSerializer,
    ),
    "ceremony-pace": Action(
        *(own_tournament, ceremony_pace_set, "tournament", "Set the pace of the ceremony, or continue by hand"),
        "Before each place of the podium, the ceremony waits twice as long.",
        body=PaceSerializer,
    ),
    "ceremony-accept": Action(
        *(own_tournament, ceremony_accept, "tournament", "Correct ranks that were revealed"),
        "Shows the current ranks after a ruling has changed them. The ceremony then continues by hand.",
    ),
    "add-luck": Action(
        *(tournament_or_404, luck_nonce_add, "tournament", "Add your own randomness"),
        "For entrants, arbiters and the organiser, once each, after entries are closed and before the start.",
        body=AddedLuckSerializer,
        is_signed=True,
    ),
    "invitation-withdraw": Action(
        *(own_tournament, tournament_invitation_withdraw, "tournament", "Withdraw the invitation link"),
        "Nobody can enter with it any more. Bots that have entered stay.",
    ),
    "let-meet": Action(own_forbidden_pair, forbidden_pair_remove, "pair", "Let two bots meet again"),
    "let-group-meet": Action(own_forbidden_group, forbidden_group_remove, "group", "Let a group meet again"),
    "end-weekly": Action(
        own_weekly_cup,
        weekly_cup_end,
        "weekly",
        "End a weekly cup",
        "Existing cups continue. For the organiser of the league.",
    ),
}


@api_example_shown(text="The dice say 3, 1 and 6.", by="ada")
class NonceSerializer(serializers.Serializer[Any]):
    """A text that somebody added to the luck between the freeze of the entries and the start."""

    text = serializers.CharField()
    by = serializers.CharField(source="by_name", allow_null=True, help_text="null: the account was deleted.")
    created_at = serializers.DateTimeField()


@api_example_shown(commitment=DIGEST, secret="", entries_digest=DIGEST, mixed=True)
class LuckSerializer(serializers.Serializer[Any]):
    """The sources of seeds and lots: a secret, the frozen entries, and the nonces in the order in which they were
    added.
    """

    number = serializers.IntegerField()
    commitment = serializers.CharField(help_text="SHA-256 of the secret, hexadecimal.")
    secret = serializers.CharField(
        help_text="Hexadecimal; empty while it is in use, or if you may not see the results."
    )
    entries_digest = serializers.CharField(help_text="Of the frozen entries; empty before the freeze.")
    nonces = NonceSerializer(many=True)
    mixed = serializers.BooleanField(help_text="False in older tournaments, whose luck is the secret alone.")
    frozen_at = serializers.DateTimeField(allow_null=True)
    started_at = serializers.DateTimeField(allow_null=True)
