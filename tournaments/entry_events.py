"""Events for the owner of an entered bot, as webhooks and notices.

The owner learns that somebody else has entered the bot, that it plays with another version, or that it was withdrawn
for its faults.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final
from uuid import UUID, uuid4, uuid5

from django.contrib.auth.models import AbstractUser
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from rest_framework import serializers

from contests.audience import people_who_may_see_contest
from hooks.kinds import KindSection, hook_kind_register
from hooks.services import Event
from notices.models import EmailRate
from notices.selectors import has_notice_readers
from notices.services import notice_events_publish
from teams.selectors import team_people_behind, team_people_by_account
from tournaments.hook_events import TournamentDataSerializer, tournament_event_data, tournament_event_people
from tournaments.models import Entry, Publication, Tournament
from tournaments.selectors.pages.proof_and_luck import proof_head_of
from web.email import email_link_to

ENTERED: Final = "bot.entered"
WITHDRAWN: Final = "bot.withdrawn"
VERSION: Final = "tournament.version"
EVENTS: Final = UUID("c7f8b0f4-4a0e-4b1b-8e0c-2f4f6d1b7a90")


class EntryDataSerializer(TournamentDataSerializer):
    """A bot in a tournament; `url` is its entry in the API."""

    bot = serializers.SlugField()
    bot_name = serializers.CharField()


class EnteredDataSerializer(EntryDataSerializer):
    """A bot that somebody else has entered in a tournament, and the consent on which the entry is based."""

    by = serializers.CharField(help_text="The username of the person who entered it.")
    league_name = serializers.CharField(
        allow_blank=True,
        help_text="The league, if its bots may be entered in its cups; empty if the owner lets organisers enter the"
        " bot.",
    )
    consent = serializers.CharField(help_text="The page on which the owner can withdraw the consent.")


class WithdrawnDataSerializer(EntryDataSerializer):
    """A bot that was withdrawn after it had forfeited too many matches, and the last link of the chain at that time."""

    forfeits = serializers.IntegerField()
    failures = serializers.CharField(help_text="The page with its failures.")
    links = serializers.IntegerField(help_text="The number of links in the chain; 0 if there is no chain.")
    digest = serializers.CharField(allow_blank=True, help_text="The digest of the last link.")


class VersionPlaysDataSerializer(EntryDataSerializer):
    """A bot that plays with another version from a round on."""

    version = serializers.IntegerField()
    round = serializers.IntegerField()


def entry_events_register() -> None:
    """Register the event kinds for owners of entered bots."""
    version = gettext_lazy("a new version of one of my bots starts to play in a tournament")
    hook_kind_register(VERSION, version, VersionPlaysDataSerializer, _version, section=KindSection.TOURNAMENTS)
    entered = gettext_lazy("an organiser has entered one of my bots in a tournament")
    withdrawn = gettext_lazy("one of my bots is withdrawn from a tournament for its faults")
    hook_kind_register(
        ENTERED,
        entered,
        EnteredDataSerializer,
        _entered,
        email=EmailRate.NOW,
        email_more=_entered_more,
        section=KindSection.TOURNAMENTS,
    )
    hook_kind_register(
        WITHDRAWN,
        withdrawn,
        WithdrawnDataSerializer,
        _withdrawn,
        email=EmailRate.NOW,
        email_more=_withdrawn_more,
        section=KindSection.TOURNAMENTS,
    )


def entry_entered_event_publish(entry: Entry, by: AbstractUser) -> None:
    """Notify the owner that somebody else has entered the bot, and how to withdraw the consent to this.

    Call it in the transaction of the entry.
    """
    bot, tournament = entry.bot, entry.tournament
    right = {"league_name": "", "consent": email_link_to("bots:edit", bot.slug)}
    if not bot.organisers_may_enter and tournament.is_of_ladder:
        league = tournament.ladder_cup.season.league
        right = {"league_name": league.name, "consent": email_link_to("leagues:detail", league.slug)}
    _notify(ENTERED, entry, {"by": by.get_username(), **right})


def entry_withdrawn_event_publish(entry: Entry) -> None:
    """Notify the owner that the bot was withdrawn for its faults. Call it in the transaction of the withdrawal."""
    head = proof_head_of(entry.tournament)  # with this link in the email, the owner can check the chain later
    chain = {"links": head.number, "digest": head.digest} if head is not None else {"links": 0, "digest": ""}
    failures = email_link_to("bots:failures", entry.bot.slug)
    _notify(WITHDRAWN, entry, {"forfeits": entry.forfeits, "failures": failures, **chain})


def entry_versions_event_publish(tournament: Tournament, number: int, entries: Iterable[Entry]) -> None:
    """Notify the owners of bots that play with another version from round ``number`` on.

    ``entries`` must already have the new version. Call it in the transaction in which the round begins.
    """
    versions = {one.pk: one.version.number for one in entries if one.version is not None}
    entry_owners_event_publish(
        VERSION, tournament, {pk: {"version": version, "round": number} for pk, version in versions.items()}
    )


def entry_owners_event_publish(
    kind: str, tournament: Tournament, data: Mapping[int, Mapping[str, Any]], cause: str = ""
) -> None:
    """Notify the owners of entries, unless the results are hidden from everybody.

    Call it in the transaction of the change. ``data`` has the fields of the event for each entry. With a ``cause``, a
    second call for the same entry and cause does nothing.
    """
    if tournament.publication == Publication.HIDDEN or not data or not has_notice_readers(kind):
        return
    allowed = None if tournament.is_open else tournament_event_people(tournament, with_authors=True)
    events = []
    entries = Entry.objects.filter(pk__in=data, bot__is_house=False).select_related("bot").order_by("pk")
    behind = team_people_by_account({entry.bot.owner_id for entry in entries})
    for entry in entries:
        people = behind[entry.bot.owner_id]
        event_id = uuid5(EVENTS, f"{tournament.pk} {cause} {entry.pk}") if cause else uuid4()
        fields = _data(tournament, entry) | dict(data[entry.pk])
        events.append(Event(kind, people if allowed is None else people & allowed, fields, event_id))
    notice_events_publish(events=events)


def _notify(kind: str, entry: Entry, data: Mapping[str, Any]) -> None:
    people = people_who_may_see_contest(team_people_behind({entry.bot.owner_id}), entry.tournament)
    notice_events_publish(events=[Event(kind, people, _data(entry.tournament, entry) | dict(data))])


def _data(tournament: Tournament, entry: Entry) -> dict[str, Any]:
    return tournament_event_data(tournament) | {
        "bot": entry.bot.slug,
        "bot_name": entry.bot.name,
        "url": email_link_to("api-tournaments:entry", tournament.slug, entry.bot.slug),
    }


def _version(data: Mapping[str, Any]) -> str:
    return _("%(bot_name)s plays in %(name)s with v%(version)d from round %(round)d on.") % data


def _entered(data: Mapping[str, Any]) -> str:
    return _("%(by)s has entered your bot %(bot_name)s in %(name)s.") % data


def _entered_more(data: Mapping[str, Any]) -> str:
    if data["league_name"]:
        sentence = _(
            "You may withdraw it there. It is a cup of the league %(league_name)s, whose bots may be entered in its"
            " cups until they leave it: %(consent)s"
        )
    else:
        sentence = _("You may withdraw it there. Organisers may enter it until you say otherwise here: %(consent)s")
    return sentence % data


def _withdrawn(data: Mapping[str, Any]) -> str:
    sentence = ngettext(
        "%(bot_name)s was withdrawn from %(name)s: it has forfeited %(forfeits)d match by its faults.",
        "%(bot_name)s was withdrawn from %(name)s: it has forfeited %(forfeits)d matches by its faults.",
        data["forfeits"],
    )
    return sentence % data


def _withdrawn_more(data: Mapping[str, Any]) -> str:
    sentence = _("What it did wrong, with the positions to try again at home: %(failures)s") % data
    if data["digest"]:
        sentence += "\n\n" + (
            _(
                "The chain of %(name)s has %(links)d links now, the last with the digest %(digest)s: with this email"
                " you can tell later that nothing up to it was changed."
            )
            % data
        )
    return sentence
