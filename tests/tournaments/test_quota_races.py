"""Tournaments and templates that are created at once share their organiser's quota all the same."""

import pytest

from tests.arena.factories import OrganiserFactory
from tests.racing import at_once, on_postgres
from tournaments.errors import TemplateRefused, TooMuchWork
from tournaments.models import Tournament, TournamentTemplate
from tournaments.services import StagePlan, tournament_create, tournament_template_create

pytestmark = [on_postgres, pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def test_concurrent_creations_do_not_exceed_the_quota(settings, monkeypatch):
    settings.WORKER_HOURS_MOST = 12  # each takes 5.6
    monkeypatch.setattr("tournaments.workload.workload_game_seconds", lambda _ruleset: 100.0)
    organiser = OrganiserFactory()

    def create(number):
        try:
            tournament_create(
                organiser=organiser,
                name=f"Cup {number}",
                ruleset="pickomino",
                stages=[StagePlan(blocks=10)],
                entrants_most=5,
            )
        except TooMuchWork:
            return False
        return True

    assert sorted(at_once(create, 6)) == [False] * 4 + [True] * 2
    assert Tournament.objects.count() == 2


def test_concurrent_templates_do_not_exceed_the_limit(monkeypatch):
    monkeypatch.setattr("tournaments.services.copying.TEMPLATES_MOST", 2)
    organiser = OrganiserFactory()

    def save(number):
        try:
            tournament_template_create(name=f"Number {number}", by=organiser, fields={})
        except TemplateRefused:
            return False
        return True

    assert sorted(at_once(save, 6)) == [False] * 4 + [True] * 2
    assert TournamentTemplate.objects.count() == 2
