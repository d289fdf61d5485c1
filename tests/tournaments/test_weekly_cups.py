"""A cup of a ladder every week: each once, at the same hour by its clock, until it ends."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from bots.models import Bot
from leagues.services import league_bot_leave, season_end
from notices.models import Notice
from notices.selectors import notice_line_of
from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page
from tests.bots.test_permissions import token_of
from tests.leagues.factories import member_of, open_league, season_of
from tournaments.errors import CupRefused
from tournaments.missed_events import CUP_MISSED
from tournaments.models import LadderCup, NoCup, Tournament, WeeklyCup, WeeklyEnd
from tournaments.presets import tournament_preset_named
from tournaments.services import ladder_cups, weekly_cup_create, weekly_cup_end, weekly_cups_tend
from tournaments.tasks import tournaments_tend_task

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]
ZURICH = ZoneInfo("Europe/Zurich")
SUNDAY = datetime(2027, 3, 14, 20, 0, tzinfo=ZURICH)  # two weeks before clocks go forward there
DAY, WEEK, MINUTE = timedelta(days=1), timedelta(days=7), timedelta(minutes=1)


@pytest.fixture
def clock(monkeypatch):
    """Set what time it is, and let it sweep."""

    def be(when):
        monkeypatch.setattr("django.utils.timezone.now", lambda: when.astimezone(UTC))
        tournaments_tend_task()

    return be


def season_with(bots=4, **fields):
    league = open_league(bots=bots, enters_cups=True, **fields)
    return season_of(league)


def planned(season, first=SUNDAY, **fields):
    settings = {
        "name": "Sunday Cup",
        "preset": tournament_preset_named("quick"),
        "best": 3,
        "time_zone": "Europe/Zurich",
    }
    return weekly_cup_create(season=season, first_round_at=first, **{**settings, **fields})


def made():
    return [(one.tournament.name, one.tournament.first_round_at) for one in LadderCup.objects.order_by("pk")]


def test_each_week_has_one_cup_at_the_same_hour_across_daylight_saving_which_opens_a_day_before_and_starts(clock):
    clock(SUNDAY - 3 * DAY)
    weekly = planned(season_with())
    clock(SUNDAY - DAY - MINUTE)
    assert made() == []
    for week in range(4):
        start = datetime(2027, 3, 14 + 7 * week, 20, 0, tzinfo=ZURICH) if week < 3 else SUNDAY.replace(month=4, day=4)
        clock(start - DAY)
        clock(start - DAY + MINUTE)
        assert len(made()) == week + 1
        assert made()[-1] == (f"Sunday Cup {week + 1}", start)
        cup = Tournament.objects.latest("pk")
        assert (cup.state, cup.entries.count(), cup.time_zone) == ("open", 3, "Europe/Zurich")
        clock(start)
        cup.refresh_from_db()
        assert cup.state == "running"
    weekly.refresh_from_db()
    assert (weekly.made, weekly.week, weekly.next_at) == (4, 4, SUNDAY.replace(month=4, day=11))
    assert {start.astimezone(ZURICH).hour for _name, start in made()} == {20}
    assert len({start.astimezone(UTC).hour for _name, start in made()}) == 2


def test_a_killed_sweep_leaves_the_week_to_the_next_and_one_that_comes_twice_makes_one(clock, monkeypatch):
    clock(SUNDAY - 3 * DAY)
    weekly = planned(season_with())
    with monkeypatch.context() as patch:
        patch.setattr("tournaments.services.ladder_cups.tournament_open", _killed)
        with pytest.raises(SystemExit):
            clock(SUNDAY - DAY)
    weekly.refresh_from_db()
    assert (made(), weekly.week, weekly.made) == ([], 0, 0)
    stale = [WeeklyCup.objects.select_related("season__league__organiser").get() for _ in range(2)]
    assert [ladder_cups._make(one) for one in stale] == [True, False]
    assert len(made()) == 1
    twice = LadderCup.objects.get()
    twice.pk, twice.tournament = None, Tournament.objects.create(**_copied(twice.tournament))
    with pytest.raises(IntegrityError), transaction.atomic():
        twice.save(force_insert=True)


def _killed(**_):
    raise SystemExit


def _copied(cup):
    return {"name": "Twice", "slug": "twice", "organiser": cup.organiser, "ruleset": cup.ruleset}


def test_weeks_that_passed_while_the_site_was_down_are_not_made_up_for(clock, django_capture_on_commit_callbacks):
    clock(SUNDAY - 3 * DAY)
    weekly = planned(season_with())
    with django_capture_on_commit_callbacks(execute=True):
        clock(SUNDAY + 2 * WEEK + MINUTE)  # back after three starts
    weekly.refresh_from_db()
    assert (made(), weekly.week, weekly.made, weekly.missed_because) == ([], 3, 0, NoCup.LATE)
    assert weekly.missed_at == weekly.starts_at(2)
    [notices] = Notice.objects.filter(kind=CUP_MISSED)
    assert (notices.person, notices.email_at) == (weekly.season.league.organiser, SUNDAY + 2 * WEEK + MINUTE)
    assert "its time had passed" in notice_line_of(notices).text
    clock(weekly.next_at - DAY)
    assert [name for name, _start in made()] == ["Sunday Cup 1"]


def test_one_that_comes_back_between_opening_and_start_makes_it_with_the_time_that_is_left(clock):
    clock(SUNDAY - 3 * DAY)
    planned(season_with())
    clock(SUNDAY - MINUTE)
    assert len(made()) == 1


def test_a_week_with_too_few_bots_is_passed_over_and_the_organiser_is_told(clock, django_capture_on_commit_callbacks):
    clock(SUNDAY - 3 * DAY)
    season = season_with(bots=2)
    weekly = planned(season)
    member = season.league.memberships.first()
    league_bot_leave(membership=member, by=member.bot.owner)
    with django_capture_on_commit_callbacks(execute=True):
        clock(SUNDAY - DAY)
        clock(SUNDAY - DAY + MINUTE)
    weekly.refresh_from_db()
    assert (made(), weekly.missed_because, weekly.next_at) == ([], NoCup.TOO_FEW, SUNDAY + WEEK)
    assert not Tournament.objects.exists()
    text = notice_line_of(Notice.objects.get(kind=CUP_MISSED)).text
    assert text.startswith("There is no Sunday Cup of ")
    assert "Bots of this ladder that may be entered: 1; needed to start: 2." in text
    page = Client().get(reverse("leagues:detail", args=[season.league.slug])).content.decode()
    assert "too few bots could be entered" in page
    member_of(season.league)
    clock(SUNDAY + WEEK - DAY)
    assert made() == [("Sunday Cup 1", SUNDAY + WEEK)]


def test_an_organiser_who_may_not_organise_any_more_makes_none_and_is_told_why(
    clock, django_capture_on_commit_callbacks
):
    clock(SUNDAY - 3 * DAY)
    weekly = planned(season_with())
    type(weekly.season.league.organiser).objects.update(is_organiser=False)
    with django_capture_on_commit_callbacks(execute=True):
        clock(SUNDAY - DAY)
    weekly.refresh_from_db()
    assert (made(), weekly.missed_because) == ([], NoCup.REFUSED)
    assert "Only organisers create tournaments" in notice_line_of(Notice.objects.get(kind=CUP_MISSED)).text


def test_it_ends_when_its_organiser_ends_it_and_with_the_season_and_what_was_made_goes_on(clock):
    clock(SUNDAY - 3 * DAY)
    season = season_with()
    weekly = planned(season)
    with pytest.raises(CupRefused) as refused:
        planned(season)
    assert refused.value.code == "already"
    clock(SUNDAY - DAY)
    weekly_cup_end(weekly=weekly)
    with pytest.raises(CupRefused) as refused:
        weekly_cup_end(weekly=weekly)
    assert refused.value.code == "ended"
    clock(SUNDAY)
    assert Tournament.objects.get().state == "running"
    other = planned(season, SUNDAY + 2 * WEEK)
    season_end(league=season.league)
    clock(SUNDAY + 2 * WEEK - DAY)
    assert len(made()) == 1
    ends = {one.pk: one.ended_because for one in WeeklyCup.objects.all()}
    assert ends == {weekly.pk: WeeklyEnd.ORGANISER, other.pk: WeeklyEnd.SEASON}
    assert weekly_cups_tend() == 0
    season.refresh_from_db()
    with pytest.raises(CupRefused) as refused:
        planned(season)
    assert refused.value.code == "no_season"


def test_the_form_plans_it_the_page_tells_it_and_the_button_ends_it(clock):
    clock(SUNDAY - 3 * DAY)
    season = season_with()
    client = Client()
    client.force_login(season.league.organiser)
    make, page = (reverse(name, args=[season.league.slug]) for name in ("cups:create", "leagues:detail"))
    form = {"name": "Sunday Cup", "best": 3, "preset": "quick", "time_zone": "Europe/Zurich", "is_weekly": "on"}
    without = client.post(make, form)
    assert without.status_code == 422
    assert "first_round_at" in without.context["form"].errors
    long = client.post(make, form | {"name": "x" * 71, "first_round_at": "2027-03-14T20:00"})
    assert "name" in long.context["form"].errors
    assert client.post(make, form | {"first_round_at": "2027-03-14T20:00"}).url == page
    assert WeeklyCup.objects.get().first_at == SUNDAY
    for reader in (client, Client()):
        shown = reader.get(page)
        assert_clean_page(shown)
        assert "Every week: Sunday Cup of the best" in " ".join(shown.content.decode().split())
    again = client.post(make, form | {"first_round_at": "2027-03-14T20:00"})
    assert again.status_code == 422
    assert client.post(reverse("cups:end-weekly", args=[season.league.slug])).url == page
    assert client.post(reverse("cups:end-weekly", args=[season.league.slug])).status_code == 404
    assert "Every week" not in client.get(page).content.decode()


def test_only_who_runs_the_league_plans_and_ends_it_and_everybody_reads_it(clock):
    clock(SUNDAY - 3 * DAY)
    season = season_with()
    league = season.league
    weekly = planned(season)
    clock(SUNDAY - DAY)
    weekly.refresh_from_db()
    arbiter = UserFactory()
    Tournament.objects.get().arbiters.add(arbiter)
    below = f"/api/leagues/{league.slug}/cups/weekly/"
    end = reverse("cups:end-weekly", args=[league.slug])
    settings = {"name": "Cup", "best": 2, "preset": "quick", "first_round_at": "2027-03-21T19:00:00Z"}
    member = Bot.objects.filter(leagues__league=league).first().owner
    for person, refused in [
        (None, 401),
        (UserFactory(), 403),
        (member, 403),
        (arbiter, 403),
        (UserFactory(is_organiser=True), 403),
        (league.organiser, None),
        (UserFactory(is_staff=True), None),
    ]:
        client, headers = Client(), {} if person is None else {"authorization": f"Token {token_of(person)}"}
        if person is not None:
            client.force_login(person)
        response = Client().get(below, headers=headers)
        assert (response.status_code, response.json()["name"], response.json()["made"]) == (
            200,
            weekly.name,
            weekly.made,
        )
        if refused:
            assert client.post(end).status_code == (302 if person is None else 403)
            for method in ("post", "delete"):
                asked = getattr(Client(), method)(below, settings, content_type="application/json", headers=headers)
                assert asked.status_code == refused
            assert WeeklyCup.objects.get(ended_at=None) == weekly
            continue
        taken = Client().post(below, settings, content_type="application/json", headers=headers)
        assert (taken.status_code, taken.json()["code"]) == (409, "already")
        assert Client().delete(below, headers=headers).status_code == 204
        assert Client().get(below, headers=headers).status_code == 404
        without = {name: value for name, value in settings.items() if name != "first_round_at"}
        missing = Client().post(below, without, content_type="application/json", headers=headers)
        assert (missing.status_code, missing.json()["field"]) == (400, "first_round_at")
        new = Client().post(below, settings, content_type="application/json", headers=headers)
        assert (new.status_code, new.json()["name"], new.json()["made"]) == (201, "Cup", 0)
        client.post(end)
        weekly = planned(season, SUNDAY + 2 * WEEK, best=2)
