"""Contests stay readable after their organiser or an arbiter has deleted their account."""

from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from announcements.models import Announcement
from announcements.services import due_announcements_publish
from arena.accounts.deletion import account_delete
from bots.deletion import NOBODY
from leagues.models import LeagueState
from tests.announcements.factories import announcement_later
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.leagues.factories import LeagueFactory
from tests.series.factories import finished_cup
from tests.tournaments.factories import bot_of
from tests.tournaments.proof.events import FIRST, LAST, cup_of, play_out
from tests.tournaments.proof.test_verify import proof_file
from tests.tournaments.rulings.rule import fixture_at, rule
from tournaments.proof.verify import proof_verify
from tournaments.services import tournament_start

pytestmark = pytest.mark.django_db


def test_pages_of_a_deleted_organiser_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    organiser = OrganiserFactory()
    cup = finished_cup(organiser, [bot_of(UserFactory()) for _ in range(2)])
    league = LeagueFactory(organiser=organiser, state=LeagueState.CLOSED)
    account_delete(person=organiser)
    for address in (
        reverse("tournaments:detail", args=[cup.slug]),
        reverse("leagues:detail", args=[league.slug]),
    ):
        answer = Client().get(address)
        assert (answer.status_code, NOBODY in answer.content.decode()) == (200, True)


def test_rulings_and_announcements_of_a_deleted_arbiter_stay_without_the_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    arbiter = UserFactory(username="brown-hen")
    cup = cup_of([FIRST, LAST, FIRST], format="round_robin")
    cup.arbiters.add(arbiter)
    tournament_start(tournament=cup)
    rule(cup, "void", fixture=fixture_at(cup, 1, 1), by=arbiter)
    later = announcement_later(cup, title="Lunch")
    Announcement.objects.filter(pk=later.pk).update(author=arbiter)
    account_delete(person=arbiter)
    Announcement.objects.filter(pk=later.pk).update(publish_at=timezone.now())
    assert due_announcements_publish() == 1
    play_out(cup)
    for name in ("tournaments:detail", "tournaments:rulings", "tournaments:fairness"):
        answer = Client().get(reverse(name, args=[cup.slug]))
        assert (answer.status_code, arbiter.username in answer.content.decode()) == (200, False)
    shown = Client().get(reverse("announcements:list", args=["tournament", cup.slug])).content.decode()
    assert "Lunch" in shown
    assert arbiter.username not in shown
    assert proof_verify(proof_file(cup, tmp_path / "proof.zip")).rulings == 1
