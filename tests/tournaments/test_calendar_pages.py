"""The organiser's pages of rounds that wait, and what entrants read there."""

import html
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from matches.models import MatchState
from tests.arena.factories import OrganiserFactory
from tests.arena.pages import assert_clean_page
from tests.tournaments.factories import TournamentFactory
from tests.tournaments.test_forms import typed
from tests.tournaments.test_pages import text_of
from tests.tournaments.waiting_rounds import entry_at, play_round, reader_of, seating, states_of, swiss
from tournaments import services
from tournaments.models import Publication, Tournament
from tournaments.services.forbidden_pairs import forbidden_pair_create
from tournaments.services.waiting_rounds import SwapBreaksRules

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]


def test_the_organiser_arranges_a_round_and_lets_it_begin(client):
    cup = swiss(has_round_review=True)
    client.force_login(cup.organiser)
    assert_clean_page(client.get(reverse("tournaments:detail", args=[cup.slug])))
    address = reverse("tournaments:arrange", args=[cup.slug, 1])
    assert_clean_page(client.get(address))
    one, other = (cup.entries.get(version=version) for version in (seating(cup)[0][0], seating(cup)[1][0]))
    again = client.post(address, {"one": one.pk, "other": one.pk})
    assert again.status_code == 422
    assert "two different bots" in again.content.decode()
    assert client.post(address, {"one": one.pk, "other": other.pk}).status_code == 302
    assert seating(cup)[0][0] == other.version_id
    assert client.post(reverse("tournaments:round-start", args=[cup.slug, 1])).status_code == 302
    assert states_of(cup, 1) == {MatchState.QUEUED}
    before = states_of(cup, 1), Tournament.objects.values().get(pk=cup.pk)
    assert client.post(reverse("tournaments:round-start", args=[cup.slug, 1])).status_code == 302  # a second tab
    assert (states_of(cup, 1), Tournament.objects.values().get(pk=cup.pk)) == before
    assert_clean_page(client.get(address))


def test_a_swap_that_breaks_a_rule_says_which_and_asks_again(client):
    cup = swiss(entries=5, has_round_review=True)
    services.waiting_round_start(played=cup.rounds.get())
    play_round(cup)
    client.force_login(cup.organiser)
    second, had_bye = cup.rounds.get(number=2), cup.byes.get(round__number=1).entry
    idle, seated = cup.byes.get(round__number=2).entry, entry_at(cup, 2, 1)
    address = reverse("tournaments:arrange", args=[cup.slug, 2])
    forbidden_pair_create(tournament=cup, one=idle, other=beside(cup, second, had_bye))
    answer = client.post(address, {"one": had_bye.pk, "other": idle.pk})
    text = text_of(answer)
    assert answer.status_code == 422
    assert f"{had_bye.bot.name} has had a bye in round 1." in text
    assert "are kept apart." in text
    assert "Change places anyway" in text
    assert (cup.byes.get(round__number=2).entry, cup.rulings.count()) == (idle, 0)
    despite = re.findall(r'name="despite"\s+value="([^"]*)"', answer.content.decode())
    stale = client.post(address, {"one": had_bye.pk, "other": idle.pk, "despite": despite[:1]})
    assert stale.status_code == 422
    done = client.post(
        address, {"one": had_bye.pk, "other": idle.pk, "despite": [html.unescape(one) for one in despite]}
    )
    assert done.status_code == 302
    assert cup.byes.get(round__number=2).entry == had_bye
    assert all(html.unescape(one) in cup.rulings.get().reason for one in despite)
    assert seated in cup.entries.all()


def test_a_swap_that_makes_a_rematch_names_the_round():
    cup = swiss(entries=4, has_round_review=True)
    services.waiting_round_start(played=cup.rounds.get())
    play_round(cup)
    second = cup.rounds.get(number=2)
    one = entry_at(cup, 2, 1)
    met = beside(cup, cup.rounds.get(number=1), one)
    mate = beside(cup, second, one)
    with pytest.raises(SwapBreaksRules, match="have met in round 1"):
        services.waiting_round_places_swap(by=cup.organiser, played=second, one=met, other=mate, despite=())
    assert cup.rulings.count() == 0


def beside(cup, played, entry):
    fixture = cup.fixtures.get(round=played, match__seats__version=entry.version_id)
    return cup.entries.get(version=fixture.match.seats.exclude(version=entry.version_id).get().version_id)


def test_a_bot_that_has_left_has_no_place_to_change_any_more(client):
    cup = swiss(entries=5, has_round_review=True)
    client.force_login(cup.organiser)
    bye = cup.byes.get()
    leaver = cup.entries.exclude(pk=bye.entry_id).first()
    services.entry_withdraw(entry=leaver, by=cup.organiser)
    address = reverse("tournaments:arrange", args=[cup.slug, 1])
    assert not cup.byes.exists()
    assert client.post(address, {"one": leaver.pk, "other": bye.entry_id}).status_code == 422
    outsider = TournamentFactory(entries=1).entries.get()
    assert client.post(address, {"one": bye.entry_id, "other": outsider.pk}).status_code == 422


@pytest.mark.parametrize(("name", "more"), [("arrange", [1]), ("round-start", [1]), ("publish", [])])
@pytest.mark.parametrize("kind", ["nobody", "stranger", "entrant"])
def test_nobody_else_arranges_starts_or_publishes(client, name, more, kind):
    cup = swiss(has_round_review=True)
    user = reader_of(cup, kind)
    if user:
        client.force_login(user)
    response = client.post(reverse(f"tournaments:{name}", args=[cup.slug, *more]), {"publication": "hidden"})
    assert response.status_code == (403 if user else 302)
    cup.refresh_from_db()
    assert (cup.publication, states_of(cup, 1)) == (Publication.EVERYONE, {MatchState.HELD})


def test_a_publication_that_does_not_exist_is_refused(client):
    cup = swiss()
    client.force_login(cup.organiser)
    address = reverse("tournaments:publish", args=[cup.slug])
    client.post(address, {"publication": "everywhere"})
    cup.refresh_from_db()
    assert cup.publication == Publication.EVERYONE
    client.post(address, {"publication": "hidden"})
    cup.refresh_from_db()
    assert cup.publication == Publication.HIDDEN


def test_the_form_keeps_the_calendar(client):
    client.force_login(OrganiserFactory())
    due = (timezone.now() + timedelta(days=700)).strftime("%Y-%m-%dT18:30")
    fields = {
        "first_round_at": due,
        "round_minutes": 45,
        "has_round_review": "on",
        "publication": "hidden",
    }
    client.post("/tournaments/new/", typed(**fields))
    cup = Tournament.objects.get()
    assert (cup.round_minutes, cup.has_round_review, cup.publication) == (45, True, Publication.HIDDEN)
    assert cup.first_round_at.isoformat() == f"{due}:00+00:00"
    page = client.get(reverse("tournaments:edit", args=[cup.slug])).content.decode()
    assert f'value="{due}"' in page
    refused = client.post("/tournaments/new/", typed(**fields | {"round_minutes": -1}))
    assert refused.status_code == 422


@pytest.mark.parametrize("field", ["first_round_at", "entries_close_at"])
@pytest.mark.parametrize("when", ["9999-12-31T23:59", "9999-01-01T00:00", "2999-05-01T12:00", "days"])
def test_a_time_is_at_most_two_years_ahead(client, field, when):
    when = (timezone.now() + timedelta(days=731)).strftime("%Y-%m-%dT%H:%M") if when == "days" else when
    client.force_login(OrganiserFactory())
    refused = client.post("/tournaments/new/", typed(**{field: when}))
    assert refused.status_code == 422
    assert "Choose a time within two years" in refused.content.decode()
    assert not Tournament.objects.exists()


@pytest.mark.parametrize("minutes", [0, 60, 20_160])
def test_a_time_far_away_that_is_there_already_keeps_nobody_from_starting(minutes):
    far = datetime(9999, 12, 31, 23, 30, tzinfo=UTC)
    cup = TournamentFactory(entries=4, format="swiss", rounds=3, round_minutes=minutes)
    Tournament.objects.filter(pk=cup.pk).update(first_round_at=far)
    cup.refresh_from_db()
    services.tournament_start(tournament=cup)
    timed = (1, 2, 3) if minutes else (1,)
    assert all(cup.round_starts_at(number) >= far for number in timed)


def test_entrants_read_when_rounds_begin_and_by_whose_clock(client):
    due = timezone.now().replace(year=2031, month=12, day=24, hour=18, minute=30)
    cup = TournamentFactory(first_round_at=due, round_minutes=45, has_round_review=True)
    text = client.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    assert ">Wed, 24 Dec 2031, 18:30 UTC</local-time>" in text
    assert "at least 45 minutes after the last one was due" in " ".join(text.split())
    assert "The organiser sees each round first" in text
