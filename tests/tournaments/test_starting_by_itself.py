"""A tournament with a time starts by itself: once, as if its organiser had pressed the button; or it says why not."""

from datetime import timedelta

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from matches.models import Match
from notices.emails import due_notice_emails_send
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.bots.test_permissions import token_of
from tests.tournaments.factories import EntryFactory, TournamentFactory, bot_of
from tests.tournaments.waiting_rounds import swiss
from tournaments import services
from tournaments.errors import WrongState
from tournaments.models import Tournament
from tournaments.selectors.entering.editing import tournament_edit_basis
from tournaments.services import lifecycle, sweep
from tournaments.tasks import tournaments_tend_task

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]

DAY = timedelta(days=1)


def due(entries=4, ago=timedelta(seconds=1), **fields):
    """Open by its own move, so that it has a chain; its time came ``ago``."""
    cup = services.tournament_open(tournament=TournamentFactory(state="draft", entries=entries, **fields))
    return later(cup, -ago)


def later(cup, by):
    Tournament.objects.filter(pk=cup.pk).update(first_round_at=timezone.now() + by)
    cup.refresh_from_db()
    return cup


def swept(cup):
    tournaments_tend_task()
    cup.refresh_from_db()
    return cup


def test_it_starts_at_its_time_once_and_not_before():
    cup = later(due(), timedelta(hours=1))
    assert swept(cup).state == "open"
    assert swept(later(cup, -timedelta(seconds=1))).state == "running"
    started, matches = cup.started_at, cup.fixtures.count()
    assert matches == 6
    assert swept(cup).started_at == started
    assert cup.fixtures.count() == matches
    assert cup.chain.filter(kind="stage").count() == 1


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("format_code", ["round_robin", "swiss", "single_elimination"])
def test_what_starts_by_itself_is_what_the_button_starts(format_code, closed):
    rounds = {"rounds": 2} if format_code == "swiss" else {}
    drawn = []
    for by_itself in (True, False):
        cup = later(due(entries=0, format=format_code, **rounds), timedelta(hours=1))
        for _ in range(4):
            EntryFactory(tournament=cup)
        if closed:
            services.tournament_lock(tournament=cup)
        later(cup, -timedelta(seconds=1))
        cup = swept(cup) if by_itself else services.tournament_start(tournament=cup)
        kinds = list(cup.chain.values_list("kind", flat=True))
        rows = cup.fixtures.values_list("round__number", "table", "match__state", "match__blocks", "match__audience")
        waits = [(one.number, one.started_at is None) for one in cup.rounds.all()]
        drawn.append((cup.state, kinds, list(rows), waits, cup.entries.filter(version=None).count()))
    assert drawn[0] == drawn[1]


def test_a_start_that_was_killed_half_way_goes_on_with_the_next_sweep(monkeypatch):
    cup = due()

    def killed(**_):
        raise SystemExit

    monkeypatch.setattr(lifecycle, "tournament_advance", killed)
    with pytest.raises(SystemExit):
        tournaments_tend_task()
    cup.refresh_from_db()
    assert (cup.state, cup.fixtures.count()) == ("running", 0)
    monkeypatch.undo()
    tournaments_tend_task()
    assert cup.fixtures.count() == 6


def test_the_start_of_a_time_that_was_moved_while_the_sweep_read_it_does_not_come():
    cup = due()
    read = Tournament.objects.get(pk=cup.pk)
    later(cup, timedelta(hours=1))
    with pytest.raises(WrongState):
        services.tournament_start(tournament=read, by_itself=True)
    cup.refresh_from_db()
    assert (cup.state, cup.started_at) == ("open", None)


def test_entries_that_are_announced_to_be_open_for_longer_are_waited_for():
    cup = due(entries_close_at=timezone.now() + timedelta(minutes=5))
    assert swept(cup).state == "open"
    Tournament.objects.filter(pk=cup.pk).update(entries_close_at=timezone.now())
    assert swept(cup).state == "running"


@pytest.mark.parametrize("state", ["draft", "cancelled"])
def test_what_is_in_another_state_is_left_alone(state):
    cup = TournamentFactory(state=state, entries=4, first_round_at=timezone.now() - DAY)
    assert (swept(cup).state, cup.started_at, cup.fixtures.count()) == (state, None, 0)


def test_the_error_of_one_costs_the_others_nothing(monkeypatch):
    first, second = due(), due()
    start = sweep.tournament_start

    def fails(*, tournament, **how):
        if tournament.pk == first.pk:
            raise RuntimeError("no")
        return start(tournament=tournament, **how)

    monkeypatch.setattr(sweep, "tournament_start", fails)
    assert (swept(first).state, swept(second).state) == ("open", "running")


# --- too few ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("closed", [False, True])
def test_with_too_few_bots_it_is_postponed_once_by_a_day_and_people_are_told(closed):
    cup = due(entries=0)
    EntryFactory(tournament=cup)
    if closed:
        services.tournament_lock(tournament=cup)
    was = cup.first_round_at
    swept(cup)
    assert (cup.state, cup.first_round_at, cup.starts_missed) == ("open", was + DAY, 1)
    assert cup.takes_entries
    assert due_notice_emails_send() == 2
    assert {address for letter in mail.outbox for address in letter.to} == {
        cup.organiser.email,
        cup.entries.get().bot.owner.email,
    }
    assert all("postponed" in letter.subject and cup.name in letter.body for letter in mail.outbox)
    swept(cup)
    assert (cup.first_round_at, due_notice_emails_send()) == (was + DAY, 0)


def test_enough_bots_in_the_day_it_was_postponed_by_and_it_starts():
    cup = swept(due(entries=1))
    EntryFactory(tournament=cup)
    assert swept(later(cup, -timedelta(seconds=1))).state == "running"


def test_the_second_time_it_waits_for_its_organiser_whoever_enters():
    cup = swept(due(entries=1))
    assert due_notice_emails_send() == 2
    mail.outbox.clear()
    swept(later(cup, -timedelta(seconds=1)))
    assert (cup.state, cup.starts_missed, due_notice_emails_send()) == ("open", 2, 2)
    assert all("The organiser decides what happens next" in letter.body for letter in mail.outbox)
    EntryFactory.create_batch(2, tournament=cup)
    assert swept(cup).state == "open"
    assert services.tournament_start(tournament=cup).state == "running"


def test_another_time_is_another_promise():
    cup = swept(later(swept(due(entries=1)), -timedelta(seconds=1)))
    assert cup.starts_missed == 2
    new = timezone.now() + timedelta(hours=1)
    services.tournament_edit(tournament=cup, basis=tournament_edit_basis(cup), first_round_at=new)
    cup.refresh_from_db()
    assert (cup.first_round_at, cup.starts_missed) == (new, 0)


def test_after_days_of_which_the_site_was_away_it_is_postponed_into_the_future():
    cup = due(entries=1, ago=3 * DAY + timedelta(hours=1))
    was = cup.first_round_at
    assert swept(cup).first_round_at == was + 4 * DAY


# --- what is said ----------------------------------------------------------------------------------------------------


@pytest.fixture
def people():
    return {
        "nobody": None,
        "author": UserFactory(),
        "owner": UserFactory(),
        "arbiter": UserFactory(),
        "organiser": OrganiserFactory(),
        "staff": UserFactory(is_staff=True),
    }


@pytest.mark.parametrize(
    ("role", "red"),
    [
        ("nobody", False),
        ("author", False),
        ("owner", False),
        ("arbiter", False),
        ("organiser", True),
        ("staff", True),
    ],
)
def test_overdue_is_red_for_its_organiser_on_its_page_and_on_the_list(client, people, role, red):
    cup = due(entries=0, organiser=people["organiser"], ago=timedelta(minutes=5))
    EntryFactory(tournament=cup, bot=bot_of(people["owner"]))
    cup.arbiters.add(people["arbiter"])
    Tournament.objects.filter(pk=cup.pk).update(starts_missed=2)
    if people[role]:
        client.force_login(people[role])
    page = client.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    assert ('data-item="overdue"' in page) == red
    listed = client.get(reverse("tournaments:list")).content.decode()
    assert ('data-tone="bad">overdue<' in listed) == red


def test_a_draft_whose_time_is_over_is_overdue_and_says_what_to_do(client):
    cup = TournamentFactory(state="draft", first_round_at=timezone.now() - timedelta(minutes=5))
    client.force_login(cup.organiser)
    page = client.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    assert "Open entries, or set another time" in page


def test_everyone_is_told_on_its_page_that_it_was_postponed(client):
    cup = swept(due(entries=1))
    page = client.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    assert "Postponed: only 1 bot had entered by then, and at least 2 are needed." in " ".join(page.split())
    data = client.get(f"/api/tournaments/{cup.slug}/").json()
    assert (data["is_postponed"], data["is_overdue"]) == (True, False)


def test_entries_close_before_the_first_round(client):
    cup = TournamentFactory(state="draft")
    soon = timezone.now() + timedelta(hours=1)
    headers = {"If-Match": "*", "authorization": f"Token {token_of(cup.organiser)}"}
    times = {"entries_close_at": (soon + DAY).isoformat(), "first_round_at": soon.isoformat()}
    where = f"/api/tournaments/{cup.slug}/settings/"
    answer = client.patch(where, times, content_type="application/json", headers=headers)
    assert answer.status_code == 400
    assert "first_round_at" in answer.content.decode()


def test_a_round_whose_time_has_come_is_played_at_once_after_the_start():
    cup = swept(due(format="swiss", rounds=2, round_minutes=30))
    assert Match.objects.filter(fixture__round__tournament=cup, state="queued").count() == 2
    assert swiss(first_round_at=timezone.now() + DAY).rounds.get().started_at is None  # started early by hand
