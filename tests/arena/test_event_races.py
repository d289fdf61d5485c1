"""Changes of follows, seasons, series and assignments that come at the same moment, on a database with connections of
their own."""

from collections import Counter
from datetime import timedelta
from itertools import cycle
from typing import Any

import pytest
from django.utils import timezone

from assignments.errors import AlreadyMarked, NotOpenNow
from assignments.models import Assignment, HandIn, Marking
from assignments.selectors.hand_ins import assignment_time_now
from assignments.services import assignments_tend, hand_in_submit
from leagues.errors import SeasonRunning
from leagues.models import Season, SeasonEntry
from leagues.services import season_end, season_start
from notices import following
from notices.following import TooManyFollows, follow_create, followed_of
from notices.models import Follow, Notice
from series.services import SeriesRefused, series_end
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.assignments.factories import assignment_in
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.groups.factories import member_in
from tests.leagues.factories import open_league
from tests.racing import at_once, on_postgres
from tests.series.factories import finished_cup, series_of
from tests.tournaments.factories import bot_of
from tests.tournaments.rulings.rule import preview
from tournaments.errors import ResultsCounted
from tournaments.models import Publication, Tournament, TournamentState
from tournaments.selectors.rulings.ruling_preview import Proposal
from tournaments.services import ruling_make, tournament_copy, tournament_publish
from tournaments.standings import RulingCode

pytestmark = [on_postgres, pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def test_simultaneous_follows_count_once_and_stay_within_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(following, "FOLLOWS_MOST", 3)
    person, bots = UserFactory.create(), BotFactory.create_batch(8)

    def follow(bot: Any) -> str:
        followed = followed_of(person, "bot", bot.slug)
        assert followed is not None
        try:
            follow_create(person=person, followed=followed)
        except TooManyFollows as refused:
            return refused.code
        return "follows"

    assert at_once(lambda _number: follow(bots[0]), 6) == ["follows"] * 6
    assert Follow.objects.filter(person=person).count() == 1
    assert Counter(at_once(lambda number: follow(bots[number]), 8)) == {"follows": 3, "limit": 5}
    assert Follow.objects.filter(person=person).count() == 3


def test_of_several_simultaneous_starts_of_a_season_one_succeeds_and_notifies_once() -> None:
    league = open_league(bots=6, divisions=2, division_size=3, division_moves=1, players_per_table=2)
    fan = UserFactory.create()
    followed = followed_of(fan, "league", league.slug)
    assert followed is not None
    follow_create(person=fan, followed=followed)
    season_end(league=league)

    def start(_number: int) -> int:
        try:
            return season_start(league=league).number
        except SeasonRunning:
            return 0

    assert sorted(at_once(start, 5)) == [0, 0, 0, 0, 2]
    season = Season.objects.get(league=league, state="running")
    assert SeasonEntry.objects.filter(season=season).count() == 6
    assert Notice.objects.filter(person=fan, kind="league.season", data__state="running", data__season=2).count() == 1


@pytest.mark.parametrize("against", ["reopened", "hidden", "copied"])
def test_a_series_that_ends_counts_what_is_over_and_shown_whatever_happens_to_its_tournaments(against: str) -> None:
    organiser = OrganiserFactory.create()
    cups = [finished_cup(organiser, [bot_of(UserFactory.create()) for _ in range(2)]) for _ in range(2)]
    series = series_of(organiser, *cups)
    last = cups[-1]
    proposal, basis = Proposal(RulingCode.REOPEN), preview(last, "reopen").basis

    def act(number: int) -> str:
        try:
            if number % 2:
                series_end(series=series)
            elif against == "reopened":
                ruling_make(tournament=last, proposal=proposal, reason="Once more.", by=organiser, basis=basis)
            elif against == "hidden":
                tournament_publish(tournament=last, publication=Publication.HIDDEN)
            else:  # puts the copy, which is a draft, into the series
                tournament_copy(tournament=last, name="Once more", days=7)
        except (SeriesRefused, ResultsCounted) as refused:
            return refused.code
        return "ended" if number % 2 else "done"

    outcomes = Counter(at_once(act, 4))
    series.refresh_from_db()
    shown = Tournament.objects.filter(
        series_event__series=series, state=TournamentState.FINISHED, publication=Publication.EVERYONE
    )
    if series.ended_at is None:
        assert outcomes["done"] == 2
        assert outcomes["not_over"] + outcomes["changed"] == 2  # "changed": the copy came while it waited
    else:
        assert shown.count() == series.events.count() == 2
        assert outcomes == {"ended": 2, "done" if against == "copied" else "counted": 2}
    notices = Notice.objects.filter(kind="series.finished").values_list("person", flat=True)
    assert len(notices) == len(set(notices)) == (4 if series.ended_at else 0)


def test_the_bot_that_is_handed_in_last_is_marked_though_the_time_ends_meanwhile() -> None:
    assignment, student = assignment_in(), UserFactory.create()
    member_in(assignment.group, student)
    bots = [BotVersionFactory.create(bot__owner=student).bot for _ in range(2)]
    ends = assignment_time_now() + timedelta(seconds=0.4)
    Assignment.objects.filter(pk=assignment.pk).update(due_at=ends)

    def act(number: int) -> int:
        if number:
            while not Marking.objects.filter(assignment=assignment).exists():
                assignments_tend()
            return 0
        last = 0
        for bot in cycle(bots):
            try:
                hand_in_submit(assignment=assignment, student=student, bot=bot)
            except (NotOpenNow, AlreadyMarked):
                return last
            last = bot.pk
        raise AssertionError

    last = max(at_once(act, 3))
    assert HandIn.objects.get().bot_id == last
    assert HandIn.objects.get().handed_in_at <= ends <= timezone.now()
    assert Marking.objects.get().version.bot_id == last
