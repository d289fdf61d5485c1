"""A round as a premiere: announced, moved, called off, voided while people wait; who may, and what pages show of it."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from arena.watch.timetable import timetable_coming_events
from matches.models import Match, MatchState
from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page
from tests.bots.test_permissions import token_of
from tests.matches.airing.on_air import play
from tests.matches.factories import leased
from tests.tournaments.rulings.rule import rule
from tests.tournaments.test_pages import text_of
from tests.tournaments.waiting_rounds import reader_of, swiss
from tournaments.models import Round
from tournaments.services import (
    entry_withdraw,
    round_plan_premiere_set,
    tournament_pause,
    waiting_round_start,
)
from tournaments.services.round_planning import PremiereRefused, TooLateForPremiere

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]
NOW = timezone.now()
EVENING = NOW + timedelta(hours=6)


def announced(**fields: Any) -> tuple[Any, Round]:
    cup = swiss(has_round_review=True, **fields)
    played = cup.rounds.get()
    round_plan_premiere_set(played=played, premieres_at=EVENING, tempo="story")
    return cup, played


def broadcasts(cup: Any) -> set[tuple[str, Any]]:
    return set(Match.objects.filter(fixture__round__tournament=cup).values_list("tempo", "premieres_at"))


def test_all_tables_of_a_round_are_shown_from_one_time_on() -> None:
    cup, played = announced()
    assert broadcasts(cup) == {("story", EVENING)}
    round_plan_premiere_set(played=played, premieres_at=EVENING, tempo="story")  # twice
    assert broadcasts(cup) == {("story", EVENING)}
    waiting_round_start(played=played)
    for match in Match.objects.filter(fixture__round=played):
        play(match)
    aired = Match.objects.filter(fixture__round=played)
    assert set(aired.values_list("state", "airs_at")) == {(MatchState.ON_AIR, EVENING)}
    later = EVENING + timedelta(hours=1)
    round_plan_premiere_set(played=played, premieres_at=later, tempo="highlights")
    assert set(aired.values_list("state", "airs_at", "tempo")) == {(MatchState.ON_AIR, later, "story")}
    round_plan_premiere_set(played=played, premieres_at=None)
    played.refresh_from_db()
    assert (played.premieres_at, played.tempo) == (None, "")
    assert all(airs < timezone.now() for airs in aired.values_list("airs_at", flat=True))
    assert set(aired.values_list("state", flat=True)) == {MatchState.ON_AIR}  # shown now, and still sealed
    with pytest.raises(TooLateForPremiere):
        round_plan_premiere_set(played=played, premieres_at=later, tempo="story")


def test_before_its_time_no_page_says_that_it_is_on_air_or_live(client: Client) -> None:
    cup, played = announced()
    waiting_round_start(played=played)
    first = played.fixtures.order_by("table")[0].match
    leased(first)
    second = played.fixtures.order_by("table")[1].match
    play(second)
    pages = {
        "board": reverse("tournaments:detail", args=[cup.slug]),
        "tables": reverse("tournaments:boards", args=[cup.slug, played.number]),
        **{f"match {one.pk}": reverse("matches:detail", args=[one.pk]) for one in (first, second)},
    }
    for name, address in pages.items():
        response = text_of(client.get(address))
        assert "broadcast to come" in response, name
        assert not re.search(r"\b(on air|live|playing)\b", response), name
    Match.objects.filter(pk=second.pk).update(airs_at=NOW - timedelta(seconds=5))
    caches["optional"].clear()
    assert "live" in text_of(client.get(pages["board"]))


def test_called_off_before_the_round_begins_it_is_as_the_tournament_announced() -> None:
    cup, played = announced(tempo="every")
    round_plan_premiere_set(played=played, premieres_at=None)
    assert broadcasts(cup) == {("every", None)}
    round_plan_premiere_set(played=played, premieres_at=None)
    assert broadcasts(cup) == {("every", None)}


@pytest.mark.parametrize(
    ("when", "tempo", "field"),
    [
        (NOW - timedelta(minutes=1), "story", "premieres_at"),
        (NOW + timedelta(days=61), "story", "premieres_at"),
        (NOW + timedelta(hours=1), "story", "premieres_at"),  # before the round begins
        (EVENING, "", "tempo"),
        (EVENING, "slow", "tempo"),
    ],
)
def test_invalid_premieres_are_refused_with_the_field(when: Any, tempo: str, field: str) -> None:
    cup = swiss(has_round_review=True)
    played = cup.rounds.get()
    Round.objects.filter(pk=played.pk).update(starts_at=NOW + timedelta(hours=2))
    played.refresh_from_db()
    with pytest.raises(PremiereRefused) as error:
        round_plan_premiere_set(played=played, premieres_at=when, tempo=tempo)
    assert error.value.field == field
    assert broadcasts(cup) == {("", None)}


def test_a_round_that_has_begun_without_one_gets_none() -> None:
    cup = swiss()
    with pytest.raises(TooLateForPremiere):
        round_plan_premiere_set(played=cup.rounds.get(), premieres_at=EVENING, tempo="story")
    assert broadcasts(cup) == {("", None)}


def test_a_round_that_is_drawn_again_keeps_its_premiere() -> None:
    cup, played = announced()
    entry_withdraw(entry=cup.entries.first(), by=cup.organiser)
    assert broadcasts(cup) >= {("story", EVENING)}
    held = Match.objects.filter(fixture__round=played)
    assert set(held.values_list("tempo", "premieres_at")) == {("story", EVENING)}


def test_a_match_that_is_played_again_while_people_wait_waits_as_the_others_do(client: Client) -> None:
    cup, played = announced()
    waiting_round_start(played=played)
    fixture = played.fixtures.order_by("table")[0]
    old = fixture.match
    play(old)
    rule(cup, "replay", fixture=fixture, reason="A wire was loose.")
    fixture.refresh_from_db()
    assert fixture.match_id != old.pk
    assert (fixture.match.tempo, fixture.match.premieres_at) == ("story", EVENING)
    old.refresh_from_db()
    for pk in (old.pk, fixture.match_id):
        page = client.get(reverse("matches:detail", args=[pk]))
        assert page.status_code == 200
        assert_clean_page(page)
        assert client.get(f"/matches/{pk}/games/0/frames.json").status_code in (200, 404)
    assert all(seat.score is None for seat in old.seats.all())


def test_the_organiser_announces_moves_and_calls_off_on_a_page(client: Client) -> None:
    cup = swiss(has_round_review=True)
    client.force_login(cup.organiser)
    address = reverse("tournaments:premiere", args=[cup.slug, 1])
    assert address in client.get(reverse("tournaments:arrange", args=[cup.slug, 1])).content.decode()
    assert_clean_page(client.get(address))
    late = client.post(address, {"premieres_at": "2001-01-01T10:00", "tempo": "story"})
    assert late.status_code == 422
    assert_clean_page(late)
    assert "A premiere must be in the future" in text_of(late)
    for day in (1, 2):
        when = (NOW + timedelta(days=day)).replace(second=0, microsecond=0)
        sent = {"premieres_at": f"{when:%Y-%m-%dT%H:%M}", "tempo": "story"}
        assert client.post(address, sent).status_code == 302
        assert broadcasts(cup) == {("story", when)}
    waiting_round_start(played=cup.rounds.get())
    page = text_of(client.get(reverse("tournaments:boards", args=[cup.slug, 1])))
    assert "Premiere on" in page
    assert "Move the premiere" in page
    assert client.post(address, {"premieres_at": "", "call_off": "1"}).status_code == 302
    assert broadcasts(cup) == {("story", None)}
    assert "It is too late" in text_of(client.get(address))
    assert client.post(address, sent).status_code == 409


@pytest.mark.parametrize(
    ("who", "page", "api"),
    [("nobody", 302, 401), ("outsider", 403, 403), ("entrant", 403, 403), ("organiser", 200, 200), ("staff", 200, 200)],
)
def test_the_right_roles_may(client: Client, who: str, page: int, api: int) -> None:
    cup = swiss(has_round_review=True)
    reader = reader_of(cup, who)
    headers = {"authorization": f"Token {token_of(reader)}"} if reader else {}
    arguments = [cup.slug, 1]
    sent = {"premieres_at": EVENING.isoformat(), "tempo": "story"}
    address = reverse("api-tournaments:premiere", args=arguments)
    answer = client.put(address, sent, content_type="application/json", headers=headers)
    assert answer.status_code == api
    assert broadcasts(cup) == {("story", EVENING) if api == 200 else ("", None)}
    if reader:
        client.force_login(reader)
    assert client.get(reverse("tournaments:premiere", args=arguments)).status_code == page
    called_off = client.delete(address, headers=headers)
    assert called_off.status_code == (204 if api == 200 else api)
    assert broadcasts(cup) == {("", None)}


def test_an_arbiter_rules_but_announces_nothing(client: Client) -> None:
    cup = swiss(has_round_review=True)
    arbiter = UserFactory()
    cup.arbiters.add(arbiter)
    client.force_login(arbiter)
    assert client.get(reverse("tournaments:premiere", args=[cup.slug, 1])).status_code == 403


def test_the_api_says_what_is_wrong_and_what_holds(client: Client) -> None:
    cup, played = announced()
    headers = {"authorization": f"Token {token_of(cup.organiser)}"}
    address = reverse("api-tournaments:premiere", args=[cup.slug, 1])
    assert client.get(address, headers=headers).json()["tempo"] == "story"
    assert client.get(reverse("api-tournaments:round", args=[cup.slug, 1]), headers=headers).json()["premieres_at"]
    for sent in (
        {"premieres_at": "2001-01-01T10:00Z", "tempo": "story"},
        {"premieres_at": EVENING.isoformat(), "tempo": ""},
    ):
        refused = client.put(address, sent, content_type="application/json", headers=headers)
        assert refused.status_code == 400
    tournament_pause(tournament=cup)
    assert client.delete(address, headers=headers).status_code == 204
    Round.objects.filter(pk=played.pk).update(started_at=timezone.now())
    again = {"premieres_at": EVENING.isoformat(), "tempo": "story"}
    assert client.put(address, again, content_type="application/json", headers=headers).status_code == 409


def test_the_timetable_lists_a_round_once() -> None:
    caches["optional"].clear()
    cup, played = announced(publication="everyone")
    assert [(one.name, one.label) for one in timetable_coming_events()] == [(cup.name, "Premiere of round 1")]
    waiting_round_start(played=played)
    events = timetable_coming_events()
    assert [(one.name, one.label) for one in events] == [(cup.name, "Premiere of round 1")]
    assert events[0].address == reverse("tournaments:boards", args=[cup.slug, 1])
    match = played.fixtures.order_by("table")[0].match
    Match.objects.filter(pk=match.pk).update(premieres_at=EVENING + timedelta(hours=1))
    assert len(timetable_coming_events()) == 2


def edit_content(cup: Any) -> str:
    """What the page says of the progress."""
    html = Client().get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    part = re.search(r'<div id="tournament-progress".*?</div>', html, re.DOTALL)
    assert part
    return " ".join(re.sub("<[^>]+>", " ", part[0]).split())


def test_the_progress_says_of_a_match_that_waits_for_its_premiere_that_it_does() -> None:
    cup, played = announced()
    waiting_round_start(played=played)
    matches = list(Match.objects.filter(fixture__round=played).order_by("pk"))
    assert "broadcast" not in edit_content(cup), "they wait to be played"
    caches["optional"].clear()
    leased(matches[0])
    assert "1 waits for its broadcast on" in edit_content(cup), "nobody is told how far it is"
    for match in matches[1:]:
        play(match)
    caches["optional"].clear()
    text = edit_content(cup)
    assert f"{len(matches)} wait for their broadcasts, the first on" in text
    assert date_format(EVENING, "DATETIME_FORMAT") in text
    assert "being played" not in text
    aired = Match.objects.filter(fixture__round=played, state=MatchState.ON_AIR)
    aired.update(airs_at=timezone.now() - timedelta(minutes=1))
    caches["optional"].clear()
    assert f"{len(matches) - 1} being played" in edit_content(cup), "which is what the broadcast shows"
    assert "1 waits for its broadcast on" in edit_content(cup)
