"""An event has a time zone: forms and e-mails go by its clock, and rounds keep their hour when clocks change."""

import json
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from notices.emails import due_notice_emails_send
from tests.arena.factories import OrganiserFactory
from tests.tournaments.factories import TournamentFactory
from tests.tournaments.test_forms import typed
from tournaments import services
from tournaments.calendar_forms import PlanForm
from tournaments.models import Tournament
from tournaments.selectors.entering.editing import tournament_edit_basis
from tournaments.selectors.rounds.plans import round_plans_of
from tournaments.services.round_planning import Calendar
from tournaments.tasks import tournaments_tend_task
from web.zones import ZonedTimeField, zone_choices, zone_minutes_later, zone_names, zone_of

DAY = 1440
ZURICH, NEW_YORK = ZoneInfo("Europe/Zurich"), ZoneInfo("America/New_York")


@pytest.mark.parametrize(
    ("zone", "first", "minutes", "hours"),
    [
        # Clocks change on 2027-03-28 and 2027-10-31 in Zurich, on 2027-03-14 and 2027-11-07 in New York.
        (ZURICH, datetime(2027, 3, 26, 20, 15), DAY, ["20:15"] * 5),
        (ZURICH, datetime(2027, 10, 29, 20, 15), DAY, ["20:15"] * 5),
        (NEW_YORK, datetime(2027, 3, 12, 20, 15), DAY, ["20:15"] * 5),
        (NEW_YORK, datetime(2027, 11, 5, 20, 15), DAY, ["20:15"] * 5),
        (ZURICH, datetime(2027, 3, 21, 19), 7 * DAY, ["19:00"] * 5),
        (ZURICH, datetime(2027, 3, 27, 9), DAY // 2, ["09:00", "21:00", "09:00", "21:00", "09:00"]),
        (ZURICH, datetime(2027, 3, 26, 2, 30), DAY, ["02:30", "02:30", "03:30", "02:30", "02:30"]),  # skipped
        (NEW_YORK, datetime(2027, 3, 12, 2, 30), DAY, ["02:30", "02:30", "03:30", "02:30", "02:30"]),
        (ZURICH, datetime(2027, 10, 29, 2, 30), DAY, ["02:30"] * 5),  # twice
        (NEW_YORK, datetime(2027, 11, 5, 1, 30), DAY, ["01:30"] * 5),
        (ZURICH, datetime(2027, 3, 28, 0, 30), 60, ["00:30", "01:30", "03:30", "04:30", "05:30"]),
    ],
)
def test_rounds_keep_their_hour_when_clocks_change(zone, first, minutes, hours):
    stage = TournamentFactory.build(
        time_zone=str(zone), first_round_at=first.replace(tzinfo=zone).astimezone(UTC), round_minutes=minutes
    )
    times = [stage.round_starts_at(number) for number in range(1, 6)]
    assert [when.astimezone(zone).strftime("%H:%M") for when in times] == hours
    assert all(one < other for one, other in pairwise(times))


@pytest.mark.django_db
@pytest.mark.parametrize(("zone", "hour"), [("Europe/Zurich", 20), ("Europe/Zurich", 2), ("America/New_York", 2)])
@pytest.mark.parametrize("change", [datetime(2027, 3, 12), datetime(2027, 3, 26), datetime(2027, 11, 5)])
def test_the_rounds_of_a_stage_are_due_at_the_hour_of_their_calendar(zone, hour, change):
    first = change.replace(hour=hour, minute=30, tzinfo=ZoneInfo(zone)).astimezone(UTC)
    cup = TournamentFactory(
        entries=4, format="swiss", rounds=5, time_zone=zone, first_round_at=first, round_minutes=DAY
    )
    calendar = Calendar(cup.stage)
    for number in range(1, 6):
        assert calendar.starts_at(number, None) == cup.round_starts_at(number)


def test_a_doubled_hour_is_its_first_and_a_skipped_one_by_the_clock_before():
    field = ZonedTimeField()
    field.zone = ZURICH
    assert field.clean("2027-10-31T02:30").astimezone(UTC) == datetime(2027, 10, 31, 0, 30, tzinfo=UTC)
    assert field.clean("2027-03-28T02:30").astimezone(UTC) == datetime(2027, 3, 28, 1, 30, tzinfo=UTC)
    assert field.clean("2027-03-28T02:30Z") == datetime(2027, 3, 28, 2, 30, tzinfo=UTC)
    field.zone = NEW_YORK
    assert field.clean("2027-11-07T01:30").astimezone(UTC) == datetime(2027, 11, 7, 5, 30, tzinfo=UTC)
    assert field.clean("2027-03-14T02:30").astimezone(UTC) == datetime(2027, 3, 14, 7, 30, tzinfo=UTC)
    second = datetime(2027, 10, 31, 1, 30, tzinfo=UTC)  # 02:30 for the second time
    assert zone_minutes_later(second, DAY, ZURICH) == datetime(2027, 11, 1, 1, 30, tzinfo=UTC)


def test_zones_are_places_and_utc_and_no_path_is_one():
    assert zone_names()[0] == "UTC"
    assert {"Europe/Zurich", "America/New_York", "Asia/Kolkata"} <= {name for name, _ in zone_choices()}
    for hostile in ("../../etc/passwd", "/etc/localtime", "posixrules", "Europe/", "", None, "x" * 5000):
        assert zone_of(hostile) is UTC


@pytest.mark.django_db
def test_the_form_takes_and_shows_times_by_the_clock_of_the_zone(client):
    client.force_login(OrganiserFactory())
    day = (timezone.now() + timedelta(days=200)).strftime("%Y-%m-%d")
    fields = {"time_zone": "America/New_York", "first_round_at": f"{day}T19:00", "entries_close_at": f"{day}T18:00"}
    assert client.post("/tournaments/new/", typed(**fields)).status_code == 302
    cup = Tournament.objects.get()
    assert cup.first_round_at.astimezone(NEW_YORK).strftime("%Y-%m-%dT%H:%M") == f"{day}T19:00"
    page = client.get(reverse("tournaments:edit", args=[cup.slug])).content.decode()
    assert f'value="{day}T19:00"' in page
    assert '<option value="America/New_York" selected>' in page
    assert "data-of-reader" not in page
    assert "America/New_York" in client.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()


@pytest.mark.django_db
def test_a_new_event_is_in_utc_until_the_browser_says_its_own(client):
    client.force_login(OrganiserFactory())
    page = client.get("/tournaments/new/").content.decode()
    assert "data-of-reader" in page
    assert client.post("/tournaments/new/", typed()).status_code == 302
    assert Tournament.objects.get().time_zone == "UTC"


@pytest.mark.django_db
@pytest.mark.parametrize("zone", ["Mars/Olympus", "../../etc/passwd", "<script>", "europe/zurich", "Etc/GMT+5"])
def test_a_zone_that_is_not_offered_is_refused_beside_its_field(client, zone):
    client.force_login(OrganiserFactory())
    refused = client.post("/tournaments/new/", typed(time_zone=zone))
    assert refused.status_code == 422
    assert "time_zone" in refused.context["form"].errors


@pytest.mark.django_db
@pytest.mark.parametrize("when", ["0001-01-01T00:00", "9999-12-31T23:59"])
@pytest.mark.parametrize("zone", ["Pacific/Auckland", "America/New_York"])
def test_times_at_the_ends_of_the_calendar_are_refused_in_every_zone(client, when, zone):
    client.force_login(OrganiserFactory())
    refused = client.post("/tournaments/new/", typed(time_zone=zone, first_round_at=when))
    assert refused.status_code == 422
    Tournament.objects.filter(pk=(cup := TournamentFactory()).pk).update(
        time_zone=zone, first_round_at=datetime(9999, 12, 31, 23, 59, tzinfo=UTC)
    )
    client.force_login(cup.organiser)
    assert client.get(reverse("tournaments:edit", args=[cup.slug])).status_code == 200


@pytest.mark.django_db
def test_the_plan_of_a_round_is_typed_by_the_clock_of_the_event():
    cup = TournamentFactory(entries=4, format="swiss", rounds=3, time_zone="Europe/Zurich")
    planned = round_plans_of(cup)[1]
    form = PlanForm({"starts_at": "2027-07-01T20:00", "tempo": "story"}, planned=planned)
    assert form.is_valid(), form.errors
    assert form.cleaned_data["starts_at"] == datetime(2027, 7, 1, 18, tzinfo=UTC)
    assert form["starts_at"].label == "The round begins at (Europe/Zurich)"


@pytest.mark.django_db
def test_a_postponed_start_keeps_its_hour_and_emails_name_the_time_zone():
    cup = TournamentFactory(state="open", time_zone="America/New_York", entries=0)
    was = timezone.now() - timedelta(minutes=5)
    Tournament.objects.filter(pk=cup.pk).update(first_round_at=was, entries_close_at=None)
    tournaments_tend_task()
    cup.refresh_from_db()
    assert cup.starts_missed == 1
    one, other = (when.astimezone(NEW_YORK) for when in (was, cup.first_round_at))
    assert (other.date() - one.date(), other.time()) == (timedelta(days=1), one.time())
    due_notice_emails_send()
    assert "America/New_York" in mail.outbox[0].body


@pytest.mark.django_db
def test_the_chain_records_a_change_of_the_zone():
    cup = TournamentFactory(entries=2)

    services.tournament_edit(tournament=cup, basis=tournament_edit_basis(cup), time_zone="Europe/Zurich")
    cup.refresh_from_db()
    assert cup.time_zone == "Europe/Zurich"
    assert json.loads(cup.chain.filter(kind="edited").get().content) == {"time_zone": "Europe/Zurich"}
