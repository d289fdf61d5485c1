"""What an author reads to do next, from sign-up to the first results."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from bots.models import BotVersion
from leagues.models import League, Season, SeasonState
from leagues.services import league_bot_join, league_bot_leave, season_schedule
from matches.models import Match, Seat
from matches.sparring.services import sparring_create
from tests.arena.factories import UserFactory
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.leagues.factories import member_of, open_league, season_of, worker_up
from tests.matches.factories import FinishedMatchFactory
from tests.tournaments.factories import EntryFactory, TournamentFactory
from tournaments.panels import FEW, panel_next_step_of_bot, panel_next_step_of_bots

pytestmark = pytest.mark.django_db
CODES = {
    "upload": "upload a file",
    "wait": "is being checked",
    "mend": "was refused",
    "join": "plays nowhere yet",
    "first": "appears on",
    "results": "are in",
}


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def read(bot: Any) -> str:
    """The step as the author's pages show it: the same on both."""
    client = Client()
    client.force_login(bot.owner)
    pages = [client.get(reverse("bots:list")), client.get(reverse("bots:detail", args=[bot.slug]))]
    found = []
    for page in pages:
        _before, _mark, notice = page.content.decode().partition('id="next-step"')
        text = " ".join(notice.partition("</div>")[0].split())
        found.append(next((code for code, words in CODES.items() if words in text), ""))
    assert found[0] == found[1]
    return found[0]


def test_a_new_author_is_asked_to_upload_a_bot(client: Client) -> None:
    form = {
        "username": "rosa",
        "email": "rosa@example.org",
        "password1": "roast-worms-42!",
        "password2": "roast-worms-42!",
    }
    answer = client.post(reverse("account_signup"), form)
    assert answer["Location"] == reverse("bots:list")
    page = client.get(answer["Location"]).content.decode()
    assert "No bots yet" in page
    assert reverse("bots:create") in page


def test_each_stage_has_its_step() -> None:
    bot = BotFactory()
    assert read(bot) == "upload"
    version = BotVersionFactory(bot=bot, open=True)
    assert read(bot) == "wait"
    BotVersion.objects.filter(pk=version.pk).update(state="refused", checked_at=timezone.now())
    assert read(bot) == "mend"
    accepted = BotVersionFactory(bot=bot)
    bot.refresh_from_db()
    assert read(bot) == "join"
    member = member_of(open_league(), bot)
    assert read(bot) == "first"
    league_bot_leave(membership=member, by=bot.owner)
    assert read(bot) == "join"
    EntryFactory(tournament=TournamentFactory(), bot=bot)
    assert read(bot) == "first"
    own = sparring_create(author=bot.owner, version=accepted, opponent=accepted, blocks=1)
    type(own.match).objects.filter(pk=own.pk).update(state="finished", finished_at=timezone.now())
    assert read(bot) == "first", "sparring is no result"
    FinishedMatchFactory(seats=[accepted, BotVersionFactory()])
    assert read(bot) == "results"
    for _ in range(FEW):
        match = FinishedMatchFactory()
        Seat.objects.filter(match=match, index=0).update(version=accepted)
    assert read(bot) == ""


def test_the_newest_bot_with_a_step_comes_first_and_nobody_else_reads_it(django_assert_max_num_queries: Any) -> None:
    old = BotVersionFactory().bot
    newer = BotFactory(owner=old.owner)
    with django_assert_max_num_queries(3):
        step = panel_next_step_of_bots([newer, old])
    assert step is not None
    assert (step.bot, step.code) == (newer, "upload")
    assert panel_next_step_of_bots([]) is None
    next_step = panel_next_step_of_bot(old)
    assert next_step is not None
    assert next_step.code == "join"
    for person in (UserFactory(), UserFactory(is_staff=True)):
        client = Client()
        client.force_login(person)
        assert "next-step" not in client.get(reverse("bots:detail", args=[newer.slug])).content.decode()


def test_the_page_of_an_accepted_version_says_in_which_league_it_plays(client: Client) -> None:
    league = open_league()
    member = member_of(league)
    version = member.bot.current
    client.force_login(version.bot.owner)
    address = reverse("bots:version", args=[version.bot.slug, version.number])
    page = client.get(address).content.decode()
    assert f'<a href="{reverse("leagues:bot", args=[league.slug, version.bot.slug])}">{league.name}</a>' in page
    assert "join a league" not in page
    league_bot_leave(membership=member, by=version.bot.owner)
    assert "join a league" in client.get(address).content.decode()


def test_an_author_who_joined_a_league_sees_where_to_watch_the_first_match(client: Client) -> None:
    league = open_league(bots=1)
    bot = member_of(league).bot
    client.force_login(bot.owner)

    def shown() -> str:
        pages = (reverse("bots:detail", args=[bot.slug]), reverse("leagues:detail", args=[league.slug]))
        one, other = (client.get(page).content.decode().partition('id="next-step"')[2] for page in pages)
        assert one.partition("</div>")[0] == other.partition("</div>")[0]
        return " ".join(one.partition("</div>")[0].split())

    assert f"{bot.name} is in {league.name}. Its first match is queued within a minute" in shown()
    for other in league.memberships.exclude(bot=bot):
        league_bot_leave(membership=other, by=other.bot.owner)
        assert "within a minute" not in shown(), "it is alone"
        league_bot_join(league=league, bot=other.bot, by=other.bot.owner)
    Season.objects.update(state=SeasonState.FINISHED, finished_at=timezone.now())
    assert "within a minute" not in shown(), "no season is running"
    Season.objects.update(state=SeasonState.RUNNING, finished_at=None)
    worker_up()
    assert season_schedule(season_id=season_of(league).pk)
    [match] = Match.objects.filter(seats__version__bot=bot)[:1]
    address = reverse("matches:detail", args=[match.pk])
    assert f'in {league.name} is queued: <a href="{address}">watch it</a>' in shown()
    assert client.get(address).status_code == 200
    now = timezone.now()
    lease = {"worker": "here:1", "attempt": 1, "started_at": now, "lease_expires_at": now + timedelta(minutes=1)}
    Match.objects.filter(pk=match.pk).update(state="running", **lease)
    assert f'is playing its first match in {league.name}: <a href="{address}">watch it live</a>' in shown()
    League.objects.filter(pk=league.pk).update(paused_at=now)
    assert "within a minute" not in shown()
    assert address not in shown()
