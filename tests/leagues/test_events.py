"""Owners are notified once a day when their bot is overtaken on the ladder by a bot with another rank."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from groups.services import group_member_leave
from leagues.hook_events import OVERTAKEN, ladder_event_overtakings
from leagues.models import Rating, RatingSnapshot, SeasonEntry
from leagues.selectors.fitting import fitted_ladder
from leagues.services import season_refit
from notices.models import Notice
from notices.selectors import Channels, notice_line_of
from notices.services import notice_channels_set
from tests.arena.factories import UserFactory
from tests.groups.factories import GroupFactory, member_in
from tests.leagues.factories import member_of, open_league, season_of
from tests.teams.factories import team_of
from tests.tournaments.factories import bot_of

pytestmark = pytest.mark.django_db


class Ladder:
    """Of two bots, in the order that a test says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, first: Any, second: Any, **fields: Any) -> None:
        self.league = open_league(**fields)
        for owner in (first, second):
            member_of(self.league, bot=bot_of(owner))
        self.season = season_of(self.league)
        self.ranks: list[int] = []
        monkeypatch.setattr("leagues.services.ladders.fitted_ladder", self.fitted)
        self.entries = list(SeasonEntry.objects.filter(season=self.season).order_by("pk"))
        self.names = [entry.version.bot.name for entry in self.entries]

    def fitted(self, season: Any, near: Any) -> list[Any]:
        lines = {line.entry: line for line in fitted_ladder(season, near)}
        ranked = [
            replace(lines[entry.pk], standing=replace(lines[entry.pk].standing, rank=rank, rank_low=1, rank_high=2))
            for entry, rank in zip(self.entries, self.ranks, strict=True)
        ]
        return sorted(ranked, key=lambda line: line.standing.rank)

    def refit(self, *ranks: int) -> None:
        """With these ranks of the two, in the order in which they have joined."""
        self.ranks = list(ranks)
        RatingSnapshot.objects.filter(season=self.season).update(matches=99)  # so that it is due
        assert season_refit(season_id=self.season.pk)


def wants(person: Any) -> Any:
    notice_channels_set(person=person, channels={OVERTAKEN: Channels(True, "never")})
    return person


def test_an_overtaken_owner_is_notified_once_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = wants(UserFactory()), wants(UserFactory())
    ladder = Ladder(monkeypatch, first, second)
    ladder.refit(1, 2)
    assert not Notice.objects.exists()
    ladder.refit(2, 1)
    [notice] = Notice.objects.all()
    assert notice.person_id == first.pk
    assert notice_line_of(notice).text == f"{ladder.names[1]} has overtaken {ladder.names[0]} in {ladder.league.name}."
    ladder.refit(1, 2)
    ladder.refit(2, 1)
    assert [one.person_id for one in Notice.objects.order_by("pk")] == [first.pk, second.pk]
    tomorrow = timezone.now() + timedelta(days=1)
    monkeypatch.setattr("leagues.hook_events.timezone.now", lambda: tomorrow)
    ladder.refit(1, 2)
    assert Notice.objects.filter(person=second).count() == 2


def test_only_owners_who_opted_in_are_notified(monkeypatch: pytest.MonkeyPatch) -> None:
    ladder = Ladder(monkeypatch, UserFactory(), UserFactory())
    ladder.refit(1, 2)
    ladder.refit(2, 1)
    assert Rating.objects.count() == 4
    assert not Notice.objects.exists()


def test_bots_of_equal_rank_overtake_nobody() -> None:
    assert ladder_event_overtakings({1: (1, 1), 2: (2, 1)}, {2: (1, 1), 1: (2, 1)}) == []
    assert ladder_event_overtakings({1: (1, 1), 2: (2, 2)}, {2: (1, 1), 1: (2, 1)}) == []
    assert ladder_event_overtakings({1: (1, 1)}, {2: (1, 1), 1: (2, 2)}) == [], "a newcomer"
    assert ladder_event_overtakings({1: (1, 1), 2: (2, 2), 3: (3, 3)}, {3: (1, 1), 2: (2, 2), 1: (3, 3)}) == [(1, 2)]


def test_each_member_of_a_team_is_notified(monkeypatch: pytest.MonkeyPatch) -> None:
    captain = wants(UserFactory())
    ladder = Ladder(monkeypatch, team_of(captain).account, UserFactory())
    ladder.refit(1, 2)
    ladder.refit(2, 1)
    assert [one.person_id for one in Notice.objects.all()] == [captain.pk]


def test_a_league_of_a_group_notifies_only_members(monkeypatch: pytest.MonkeyPatch) -> None:
    group, person = GroupFactory(), wants(UserFactory())
    member_in(group, person)
    ladder = Ladder(monkeypatch, person, group.created_by, audience="group", group=group, organiser=group.created_by)
    ladder.refit(1, 2)
    group_member_leave(group=group, person=person)
    ladder.entries = ladder.entries[1:]
    ladder.refit(1)
    assert not Notice.objects.exists()
