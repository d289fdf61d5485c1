"""The timeline of an event: what has happened, what comes by itself and when, and what is moved or stopped there."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.arena.factories import OrganiserFactory, UserFactory
from tests.arena.openapi import as_described
from tests.arena.pages import assert_clean_page
from tests.bots.test_permissions import token_of
from tests.groups.factories import GroupFactory
from tests.tournaments.factories import TournamentFactory, finish_matches, running_tournament
from tests.tournaments.time_travel import pass_time
from tournaments import services
from tournaments.errors import EditRefused, TournamentError
from tournaments.models import Ceremony, Tournament
from tournaments.selectors.rounds.timeline import tournament_timeline_of
from tournaments.services.editing import MoveRefused

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]
HOUR = timedelta(hours=1)
NOW = timezone.now().replace(second=0, microsecond=0)


def line(cup: Tournament) -> list[tuple[str, str]]:
    return [(one.act, one.state.value) for one in tournament_timeline_of(Tournament.objects.get(pk=cup.pk))]


def planned(**fields: Any) -> Tournament:
    times = {"entries_open_at": NOW + HOUR, "entries_close_at": NOW + 2 * HOUR, "first_round_at": NOW + 3 * HOUR}
    shape = {"format": "swiss", "rounds": 2, "round_minutes": 60, "publication": "hidden"}
    return TournamentFactory(
        organiser=OrganiserFactory(), **{"state": "draft", "entries": 4, **shape, **times, **fields}
    )


def test_all_is_on_the_line_before_it_happens() -> None:
    cup = planned()
    services.ceremony_announce(tournament=cup, planned_at=NOW + 9 * HOUR)
    services.round_plan_set(tournament=cup, stage=1, place=2, premieres_at=NOW + 6 * HOUR, tempo="story")
    found = tournament_timeline_of(Tournament.objects.get(pk=cup.pk))
    assert [(one.text, one.when and (one.when - NOW) / HOUR, one.state.value) for one in found] == [
        ("Entries open", 1, "coming"),
        ("Entries close", 2, "coming"),
        ("The tournament starts", 3, "coming"),
        ("Round 1", 3, "coming"),
        ("Round 2", 4, "coming"),
        ("Premiere: Round 2", 6, "coming"),
        ("The tournament ends", None, "follows"),
        ("The ceremony begins", 9, "coming"),
        ("Certificates", None, "follows"),
    ]


def test_what_has_happened_is_done() -> None:
    cup = running_tournament(4)
    finish_matches(cup)
    services.tournament_advance(tournament_id=cup.pk)
    assert {state for _act, state in line(cup)} == {"done"}
    assert line(cup)[-1] == ("certificates", "done")


def test_rounds_keep_their_hour_when_the_clocks_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: datetime(2030, 3, 1, tzinfo=UTC))
    first = datetime(2030, 3, 30, 18, tzinfo=UTC)
    days = {"time_zone": "Europe/Zurich", "round_minutes": 1440, "first_round_at": first}
    rounds = [one.when for one in tournament_timeline_of(planned(**days)) if one.act == "round"]
    assert rounds == [first, datetime(2030, 3, 31, 17, tzinfo=UTC)]


def test_results_that_nobody_publishes_are_on_the_line() -> None:
    assert line(planned())[-2:] == [("results", "by_hand"), ("certificates", "follows")]


def test_a_round_that_waits_for_its_organiser_and_a_late_start_say_so() -> None:
    cup = planned(state="open", has_round_review=True, entries_open_at=None)
    acts = {one.act: one for one in tournament_timeline_of(cup)}
    assert acts["round"].note == "When you approve it."
    pass_time(5 * HOUR)
    assert dict(line(cup))["starts"] == "late"


def test_the_reminder_is_on_the_line_of_a_group() -> None:
    group = GroupFactory()
    cup = planned(state="open", audience="group", group=group, entries_close_at=NOW + 30 * HOUR, first_round_at=None)
    assert line(cup)[1] == ("reminder", "coming")
    services.tournament_lock(tournament=cup)  # earlier: nobody is reminded
    assert "reminder" not in dict(line(cup))


def test_a_cancelled_tournament_has_nothing_to_come() -> None:
    cup = running_tournament(4)
    services.tournament_cancel(tournament=cup)
    assert {state for _act, state in line(cup)} == {"done"}
    before = planned(state="open")
    services.tournament_cancel(tournament=before)
    assert line(before) == []


@pytest.mark.parametrize(("act", "column"), [("opens", "entries_open_at"), ("starts", "first_round_at")])
def test_an_act_is_moved_and_stopped(act: str, column: str) -> None:
    cup = planned()
    later = getattr(cup, column) + HOUR / 2
    for when in (later, later, None, None):
        services.tournament_timeline_edit(tournament=cup, act=act, when=when)
        cup.refresh_from_db()
        assert getattr(cup, column) == when


def test_the_order_of_acts_is_that_of_the_form() -> None:
    cup = planned()
    for act, when in (("opens", cup.entries_close_at), ("opens", cup.first_round_at), ("closes", cup.entries_open_at)):
        with pytest.raises(TournamentError, match="order"):
            services.tournament_timeline_edit(tournament=cup, act=act, when=when)
    services.tournament_timeline_edit(tournament=cup, act="closes", when=cup.first_round_at)


def test_entries_that_are_open_may_close_later_but_not_earlier() -> None:
    cup = planned(state="open", first_round_at=None)
    services.tournament_timeline_edit(tournament=cup, act="closes", when=NOW + 5 * HOUR)
    with pytest.raises(EditRefused):
        services.tournament_timeline_edit(tournament=cup, act="closes", when=NOW + 4 * HOUR)


@pytest.mark.parametrize(("act", "hours"), [("opens", 2.5), ("closes", 0.5), ("starts", 1.5), ("starts", -1)])
def test_a_time_in_the_wrong_order_is_refused(act: str, hours: float) -> None:
    cup = planned()
    with pytest.raises(MoveRefused):
        services.tournament_timeline_edit(tournament=cup, act=act, when=NOW + hours * HOUR)


def test_what_has_happened_is_not_moved() -> None:
    cup = running_tournament(4)
    with pytest.raises(MoveRefused):
        services.tournament_timeline_edit(tournament=cup, act="starts", when=NOW + HOUR)


def test_a_ceremony_keeps_its_pace_when_it_is_moved_and_stopped() -> None:
    cup = planned()
    services.ceremony_announce(tournament=cup, planned_at=NOW + 9 * HOUR, pace=20)
    for when in (NOW + 10 * HOUR, None):
        services.tournament_timeline_edit(tournament=Tournament.objects.get(pk=cup.pk), act="ceremony", when=when)
        assert (Ceremony.objects.get().planned_at, Ceremony.objects.get().pace) == (when, 20)


@pytest.mark.parametrize(
    ("role", "status"), [("nobody", 401), ("outsider", 404), ("arbiter", 403), ("organiser", 200), ("staff", 200)]
)
def test_the_right_roles_read_and_move_it(role: str, status: int) -> None:
    cup = planned(state="draft" if role in ("outsider", "organiser") else "open")
    people = {"outsider": UserFactory(), "arbiter": UserFactory(), "staff": UserFactory(is_staff=True)}
    cup.arbiters.add(people["arbiter"])
    person = people.get(role) or (cup.organiser if role == "organiser" else None)
    api = Client(headers={"authorization": f"Token {token_of(person)}"} if person else {})
    where, later = f"/api/tournaments/{cup.slug}/timeline/", NOW + 4 * HOUR
    read = as_described(api.get(where))
    assert read.status_code == status
    data = {"act": "starts", "when": later.isoformat()}
    assert as_described(api.patch(where, data, content_type="application/json")).status_code == status
    cup.refresh_from_db()
    assert (cup.first_round_at == later) is (status == 200)
    browser = Client()
    if person:
        browser.force_login(person)
    address = reverse("tournaments:plan-act", args=[cup.slug, "starts"])
    answer = browser.post(address, {"stop": "1"})
    assert answer.status_code == (302 if status in (200, 401) else status)
    cup.refresh_from_db()
    assert (cup.first_round_at is None) is (status == 200)
    if status == 200:
        page = browser.get(reverse("tournaments:plan", args=[cup.slug]))
        assert_clean_page(page)
        assert browser.post(address, {"when": "nonsense"}).status_code == 422
        assert browser.post(address, {"when": "2001-01-01T10:00"}).status_code == 409
        assert browser.post(reverse("tournaments:plan-act", args=[cup.slug, "round"]), {}).status_code == 404


def test_the_page_names_what_waits() -> None:
    cup = running_tournament(4)
    services.tournament_pause(tournament=cup, because="the package is broken")
    client = Client()
    client.force_login(cup.organiser)
    page = client.get(reverse("tournaments:plan", args=[cup.slug])).content.decode()
    assert 'id="waiting"' in page
    assert "the package is broken" in page


def test_with_too_few_bots_rounds_have_no_times_yet() -> None:
    cup = planned(entries=0, format="single_elimination", rounds=0)
    acts = {one.act: one for one in tournament_timeline_of(cup)}
    assert acts["round"].when is None
    assert "too few have entered yet" in acts["starts"].note
