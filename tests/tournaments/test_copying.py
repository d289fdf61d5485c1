"""A tournament is held again: what its copy has, when it is, and that two clicks make one."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from matches.models import Broadcast
from tests.announcements.test_api import send
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.series.factories import finished_cup, series_of
from tests.tournaments.factories import TournamentFactory, bot_of
from tournaments.copying import CopyForm
from tournaments.errors import CopyRefused
from tournaments.models import Ceremony, Publication, Tournament
from tournaments.services import tournament_copy, tournament_open

pytestmark = pytest.mark.django_db
COPIED = (
    *("description", "ruleset", "options", "limits", "tie_breaks", "tempo", "entrants_most", "entries_per_author"),
    *("keep_apart", "admission", "publication", "has_round_review", "time_zone", "round_minutes", "audience", "group"),
    "new_versions",
    "team_size",
)


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def signed_in(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    return client


def test_a_copy_is_a_draft_with_the_same_settings_and_arbiters_and_without_the_bots() -> None:
    organiser = OrganiserFactory()
    cup = finished_cup(
        organiser,
        [bot_of(UserFactory()) for _ in range(3)],
        name="Friday cup 9",
        description="Hall 3",
        new_versions="between_rounds",
        team_size=3,
    )
    cup.arbiters.add(arbiter := UserFactory())
    made = tournament_copy(tournament=cup, name="Friday cup 10", days=7)
    made.refresh_from_db()
    assert (made.state, made.name, made.organiser, made.started_at) == ("draft", "Friday cup 10", organiser, None)
    assert {field: getattr(made, field) for field in COPIED if field != "options"} == {
        field: getattr(cup, field) for field in COPIED if field != "options"
    }
    stage, before = made.stages.get(), cup.stages.get()
    for field in ("format", "rounds", "players_per_table", "smallest_table", "blocks", "stopping"):
        assert getattr(stage, field) == getattr(before, field)
    assert not made.entries.exists()
    assert list(made.arbiters.all()) == [arbiter]
    assert made.commitment != cup.commitment
    tournament_open(tournament=made)


@pytest.mark.parametrize(
    ("zone", "first", "days", "wanted"),
    [
        ("Europe/Zurich", datetime(2030, 3, 29, 19, tzinfo=UTC), 7, datetime(2030, 4, 5, 18, tzinfo=UTC)),
        ("Europe/Zurich", datetime(2030, 10, 25, 18, tzinfo=UTC), 7, datetime(2030, 11, 1, 19, tzinfo=UTC)),
        ("UTC", datetime(2030, 3, 29, 19, tzinfo=UTC), 7, datetime(2030, 4, 5, 19, tzinfo=UTC)),
        ("America/New_York", datetime(2030, 3, 9, 7, 30, tzinfo=UTC), 1, datetime(2030, 3, 10, 7, 30, tzinfo=UTC)),
    ],
)
def test_times_keep_their_hour_when_the_clocks_change(
    zone: str, first: datetime, days: int, wanted: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.services.copying.timezone.now", lambda: datetime(2030, 3, 1, tzinfo=UTC))
    cup = TournamentFactory(time_zone=zone, first_round_at=first, entries_close_at=first - timedelta(hours=1))
    made = tournament_copy(tournament=cup, name="Again", days=days)
    assert made.first_round_at == wanted
    assert made.entries_close_at == wanted - timedelta(hours=1)


def test_the_times_of_single_rounds_move_too() -> None:
    cup = TournamentFactory(format="swiss", rounds=3)
    starts_at = timezone.now() + timedelta(days=2)
    cup.plans.create(
        stage=1, place=2, starts_at=starts_at, premieres_at=starts_at + timedelta(hours=3), tempo=Broadcast.STORY
    )
    plan = tournament_copy(tournament=cup, name="Again", days=14).plans.get()
    assert (plan.place, plan.starts_at, plan.tempo) == (2, starts_at + timedelta(days=14), Broadcast.STORY)
    assert plan.premieres_at == plan.starts_at + timedelta(hours=3)


def test_two_clicks_make_one_draft_and_the_database_holds_no_second() -> None:
    cup = TournamentFactory()
    client = signed_in(cup.organiser)
    address, sent = reverse("tournaments:copy", args=[cup.slug]), {"name": "Again", "days": 7}
    answers = [client.post(address, sent) for _ in range(2)]
    made = Tournament.objects.exclude(pk=cup.pk).get()
    assert [one["Location"] for one in answers] == [reverse("tournaments:detail", args=[made.slug])] * 2
    with pytest.raises(IntegrityError), transaction.atomic():
        TournamentFactory(state="draft", organiser=cup.organiser, copied_from=cup, copied_days=7)
    tournament_open(tournament=made)
    assert tournament_copy(tournament=cup, name="Again", days=7) != made


def test_a_copy_is_in_the_same_series_and_hides_what_a_ceremony_showed() -> None:
    cup = TournamentFactory()
    Ceremony.objects.create(tournament=cup)
    series = series_of(cup.organiser, cup)
    made = tournament_copy(tournament=cup, name="Again", days=7)
    assert made.series_event.series == series  # type: ignore[attr-defined]
    assert made.publication == Publication.HIDDEN
    assert made.name not in Client().get(reverse("series:detail", args=[series.slug])).content.decode()


def test_a_time_that_would_be_over_is_refused_and_the_form_suggests_one_to_come() -> None:
    cup = TournamentFactory(name="Cup 9", first_round_at=timezone.now() - timedelta(days=17))
    with pytest.raises(CopyRefused, match="more days"):
        tournament_copy(tournament=cup, name="Again", days=14)
    form = CopyForm(tournament=cup)
    assert form.initial == {"name": "Cup 10", "days": 21}
    page = signed_in(cup.organiser).post(reverse("tournaments:copy", args=[cup.slug]), {"name": "Again", "days": 14})
    assert (page.status_code, "days" in page.context["form"].errors) == (422, True)
    assert tournament_copy(tournament=cup, name="Again", days=21).first_round_at > timezone.now()  # type: ignore[operator]


@pytest.mark.parametrize(("who", "status"), [("nobody", 401), ("author", 403), ("arbiter", 403), ("other", 403)])
def test_only_its_organiser_holds_it_again(who: str, status: int) -> None:
    cup = TournamentFactory()
    person = {"nobody": None, "author": UserFactory(), "arbiter": UserFactory(), "other": OrganiserFactory()}[who]
    if who == "arbiter":
        cup.arbiters.add(person)
    address = reverse("api-tournaments:copy", args=[cup.slug])
    assert send(person, "post", address, {"name": "Again", "days": 7}).status_code == status
    assert Tournament.objects.count() == 1


def test_over_the_api_the_same_request_returns_the_same_draft() -> None:
    cup = TournamentFactory()
    address = reverse("api-tournaments:copy", args=[cup.slug])
    first, second = (send(cup.organiser, "post", address, {"name": "Again", "days": 7}) for _ in range(2))
    assert (first.status_code, first.json()["state"]) == (201, "draft")
    assert first["Location"] == second["Location"]
    for data in ({}, {"name": "a"}, {"name": "", "days": 7}, {"name": "a", "days": 0}, {"name": "a", "days": 731}):
        assert send(cup.organiser, "post", address, data).status_code == 400
    assert Tournament.objects.count() == 2
