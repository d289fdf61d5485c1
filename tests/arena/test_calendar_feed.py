"""Subscribed calendars have an event until it ends, whatever the state of its tournament."""

import re
from datetime import datetime, timedelta

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arena.watch.timetable import timetable_coming_events
from matches.models import Match, MatchState
from tests.matches.airing.on_air import match_on_air
from tests.tournaments.factories import TournamentFactory, finish_matches, running_tournament
from tournaments.models import Publication, Round, Tournament, TournamentState
from tournaments.services import tournament_advance

pytestmark = pytest.mark.django_db


def ago(minutes: float) -> datetime:
    """Return the time so many minutes before the test, not before this file was read: a long run comes to it late."""
    return timezone.now() - timedelta(minutes=minutes)


def summaries(client: Client) -> list[str]:
    caches["optional"].clear()
    text = client.get(reverse("watch:timetable")).content.decode()
    uids = re.findall(r"UID:(\S+)", text)
    assert len(uids) == len(set(uids))
    return re.findall(r"SUMMARY:(.*)\r\n", text)


def dated(cup: Tournament, **times: object) -> None:
    Tournament.objects.filter(pk=cup.pk).update(**times)
    Round.objects.filter(tournament=cup).update(starts_at=times.get("first_round_at"), started_at=times["started_at"])


def test_the_first_round_stays_half_an_hour_while_it_is_played_and_when_all_is_over(client: Client) -> None:
    cup = running_tournament(entries=2, name="Cup")
    dated(cup, entries_close_at=ago(5), first_round_at=ago(5), started_at=ago(5) + timedelta(seconds=2))
    rows = ["Cup: Entries close", "Cup: Round 1 begins"]
    assert summaries(client) == rows
    assert timetable_coming_events() == []  # pages tell what is to come
    finish_matches(cup)
    tournament_advance(tournament_id=cup.pk)
    cup.refresh_from_db()
    assert cup.state == TournamentState.FINISHED
    assert summaries(client) == rows
    dated(cup, entries_close_at=ago(31), first_round_at=ago(31), started_at=ago(31))
    assert summaries(client) == []


def test_cancelled_and_started_events_are_left_out(client: Client) -> None:
    cup = running_tournament(entries=2, name="Cup")
    dated(cup, entries_close_at=ago(5), first_round_at=ago(5), started_at=ago(5) - timedelta(minutes=10))
    assert summaries(client) == []
    dated(cup, entries_close_at=ago(5), first_round_at=ago(5), started_at=ago(5))
    assert len(summaries(client)) == 2
    Tournament.objects.filter(pk=cup.pk).update(state=TournamentState.CANCELLED)
    assert summaries(client) == []


def test_a_tournament_that_began_early_announces_no_first_round_to_come(client: Client) -> None:
    cup = running_tournament(entries=2, name="Cup")
    later = timezone.now() + timedelta(hours=1)
    dated(cup, entries_close_at=later, first_round_at=later, started_at=timezone.now())
    assert summaries(client) == []


def test_entries_that_close_stay_until_the_tournament_is_open_no_more_and_half_an_hour(client: Client) -> None:
    TournamentFactory(name="Cup", state=TournamentState.LOCKED, entries_close_at=ago(5))
    TournamentFactory(name="Early", state=TournamentState.LOCKED, entries_close_at=timezone.now() + timedelta(hours=1))
    assert summaries(client) == ["Cup: Entries close"]


def test_a_premiere_stays_while_it_is_shown(client: Client) -> None:
    match = match_on_air(elapsed=300.0)
    Match.objects.update(premieres_at=ago(5))
    (summary,) = summaries(client)
    assert summary.endswith(": Premiere")
    Match.objects.filter(pk=match.pk).update(state=MatchState.FINISHED, finished_at=timezone.now())
    assert summaries(client) == [summary]
    Match.objects.update(premieres_at=ago(31))
    assert summaries(client) == []


def test_the_premiere_of_a_round_stays_while_it_is_shown(client: Client) -> None:
    cup = running_tournament(entries=2, name="Cup")
    Round.objects.filter(tournament=cup).update(premieres_at=ago(5), tempo="story")
    assert summaries(client) == ["Cup: Premiere of round 1"]
    Tournament.objects.filter(pk=cup.pk).update(state=TournamentState.PAUSED)
    assert summaries(client) == ["Cup: Premiere of round 1"]
    Tournament.objects.filter(pk=cup.pk).update(publication=Publication.HIDDEN)
    assert summaries(client) == []
    Tournament.objects.filter(pk=cup.pk).update(publication=Publication.EVERYONE)
    Round.objects.filter(tournament=cup).update(premieres_at=ago(31))
    assert summaries(client) == []
