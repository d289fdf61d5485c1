"""What a bot printed and how long it took: its author reads it, nobody else, for a while and within bounds."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arena.accounts.tokens import token_create
from bots.deletion import bot_delete, version_delete
from games.record import Record
from games.state import CHANCE
from matches.airing.services import _void
from matches.bot_history.logs import bot_logs_games_found, bot_logs_of, bot_logs_outputs, bot_logs_timings
from matches.models import Audience, Game, Match, MatchState, SeatLog
from matches.queue.seat_logs import ROW_BYTES
from matches.referee import series_games_play
from matches.retention import retention_apply, retention_logs_drop
from matches.services import match_cancel
from matches.worker.playing import worker_playing_order
from peck.__main__ import main
from tests.arena.factories import UserFactory
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.matches.factories import BRISK, CRASHES, FinishedMatchFactory, MatchFactory, leased, written
from tests.matches.in_process import InProcessCage

pytestmark = pytest.mark.django_db
TALKS = b"""
class Bot:
    def __init__(self, table):
        print("my seat is %d" % table["seat"])

    def act(self, view):
        print("<script>alert(1)</script> at turn %s" % view["turn"] if "turn" in view else "no turn")
        return view["actions"][-1]

    def game_over(self, result):
        print("it is over")
"""


@pytest.fixture
def talker() -> Any:
    return BotVersionFactory(source=TALKS)


def read(person: Any, bot: Any, **query: Any) -> Any:
    client = Client()
    if person:
        client.force_login(person)
    return client.get(reverse("bots:output", args=[bot.slug]), query)


def asked(person: Any, bot: Any, what: str = "output", **query: Any) -> Any:
    headers = {"authorization": f"Token {token_create(owner=person, name='x')}"} if person else {}
    return Client().get(reverse(f"api:{what}", args=[bot.slug]), query, headers=headers)


# Matches of a group: tests/groups and the test of planted words.
@pytest.mark.parametrize("audience", [one for one in Audience.values if one != Audience.GROUP])
def test_it_is_its_authors_and_staffs_alone(talker: Any, audience: str) -> None:
    organiser, staff = UserFactory(is_organiser=True), UserFactory(is_staff=True, is_superuser=True)
    rival = BotVersionFactory()
    FinishedMatchFactory(seats=[talker, rival], audience=audience, organiser=organiser)
    owner, shown = talker.bot.owner, audience in (Audience.EVERYONE, Audience.UNLISTED, Audience.AUTHORS)
    anonymous = (rival.bot.owner, organiser, UserFactory())
    for person in (owner, staff):
        assert ("my seat is 0" in read(person, talker.bot).content.decode()) == shown
        assert bool(asked(person, talker.bot).json()["results"]) == shown
        assert bool(asked(person, talker.bot, "timings").json()["results"]) == shown
    assert {read(person, talker.bot).status_code for person in anonymous} == {404}
    assert {asked(one, talker.bot, what).status_code for one in anonymous for what in ("output", "timings")} == {404}
    assert read(None, talker.bot).status_code == 302
    assert asked(None, talker.bot).status_code == 401
    assert "my seat" not in read(rival.bot.owner, rival.bot).content.decode()


def test_nothing_is_told_before_the_match_is_finished(talker: Any) -> None:
    match = FinishedMatchFactory(seats=[talker, BotVersionFactory()])
    assert bot_logs_games_found(talker.bot)
    for state in ({"state": "queued", "finished_at": None}, {"state": "held", "finished_at": None}):
        Match.objects.filter(pk=match.pk).update(**state)
        assert not bot_logs_games_found(talker.bot)
        assert not bot_logs_timings(talker.bot)


def test_each_print_leads_to_the_step_of_its_action(talker: Any) -> None:
    match = FinishedMatchFactory(seats=[talker, BotVersionFactory()])
    games = bot_logs_outputs(bot_logs_games_found(talker.bot, match=match.pk))
    assert [game.game for game in games] == [0, 1]
    for game in games:
        record = Game.objects.get(match=match, index=game.game)
        steps = list(Record.decode(bytes(record.record)).replay())
        seat = (0 - game.game) % 2  # its position at the table
        own = [n for n, step in enumerate(steps, 1) if step.before.actor == seat]
        *acted, last = game.prints
        assert [one.step for one in acted] == own
        assert acted[0].text.startswith(f"my seat is {seat}\n")
        assert (last.text, last.step) == (
            "it is over\n",
            max(n for n, s in enumerate(steps, 1) if s.before.actor != CHANCE),
        )
        assert game.actions == len(own)


def test_a_game_is_played_again_once_for_all_who_read_it(talker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    match = FinishedMatchFactory(seats=[talker, BotVersionFactory()])
    first = bot_logs_outputs(bot_logs_games_found(talker.bot, match=match.pk))
    assert first[0].prints[0].step is not None
    monkeypatch.delattr(Record, "replay")
    assert bot_logs_outputs(bot_logs_games_found(talker.bot, match=match.pk)) == first


def test_a_game_that_ends_with_a_fault_is_there_with_its_last_words() -> None:
    crasher = BotVersionFactory(source=b"def act(view):\n    print('so far')\n    raise ValueError\n")
    match = FinishedMatchFactory(seats=[crasher, BotVersionFactory()])
    first = bot_logs_outputs(bot_logs_games_found(crasher.bot))[0]
    assert (first.match, [one.text for one in first.prints]) == (match.pk, ["last words"])
    assert first.actions == 1


def test_the_page_shows_prints_as_text_finds_them_and_leads_to_the_replay(talker: Any) -> None:
    match = FinishedMatchFactory(seats=[talker, BotVersionFactory()])
    page = read(talker.bot.owner, talker.bot).content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert f"{reverse('matches:detail', args=[match.pk])}?game=1&amp;step=" in page
    found = read(talker.bot.owner, talker.bot, text="IT IS over").content.decode()
    assert "it is over" in found
    assert "my seat" not in found
    assert "No output fits the filter" in read(talker.bot.owner, talker.bot, text="no such").content.decode()
    for odd in ({"text": "\0"}, {"match": "-1"}, {"match": "9" * 30}, {"version": "x"}, {"text": "x" * 9999}):
        assert read(talker.bot.owner, talker.bot, **odd).status_code == 200
    for wrong in ({"text": "\0"}, {"match": "-1"}, {"version": "x"}, {"text": "x" * 9999}, {"grep": "x"}):
        assert asked(talker.bot.owner, talker.bot, **wrong).status_code == 400


def test_games_without_a_print_are_told_of_where_a_match_is_named() -> None:
    quiet = BotVersionFactory(source=BRISK)
    match = FinishedMatchFactory(seats=[quiet, BotVersionFactory()])
    assert bot_logs_games_found(quiet.bot) == []
    assert [game.actions > 0 for game in bot_logs_outputs(bot_logs_games_found(quiet.bot, match=match.pk))] == [
        True,
        True,
    ]
    assert bot_logs_games_found(quiet.bot, match=match.pk, text="x") == []
    assert bot_logs_games_found(quiet.bot, match=match.pk + 1) == []


def test_times_are_told_by_version_against_the_limit(talker: Any) -> None:
    FinishedMatchFactory(seats=[talker, BotVersionFactory()])
    newer = BotVersionFactory(bot=talker.bot, source=BRISK)
    FinishedMatchFactory(seats=[newer, BotVersionFactory()], blocks=2)
    second, first = bot_logs_timings(talker.bot)
    assert (second.version, first.version, second.limit_ms, second.matches) == (2, 1, 1000, 1)
    for one in (first, second):  # each action takes a millisecond, in these tests
        assert one.max_ms == pytest.approx(1)
        assert one.p50_ms == pytest.approx(1, rel=0.05)
        assert one.p99_ms == pytest.approx(1, rel=0.05)
        assert sum(bar.actions for bar in one.bars) == one.actions == one.bars[0].actions
        assert [bar.holds_limit for bar in one.bars] == [False] * (len(one.bars) - 1) + [True]
        assert one.bars[-2].up_to_ms < 1000 <= one.bars[-1].up_to_ms
    assert [one.version for one in bot_logs_timings(talker.bot, version=1)] == [1]
    data = asked(talker.bot.owner, talker.bot, "timings").json()["results"]
    assert [one["version"] for one in data] == [2, 1]


def test_what_is_too_old_or_too_much_or_deleted_is_dropped_and_twice_is_as_good(settings: Any) -> None:
    bots = [BotFactory() for _ in range(4)]
    versions = [BotVersionFactory(bot=bot, source=TALKS) for bot in bots]
    for version in versions:
        for _ in range(3):
            FinishedMatchFactory(seats=[version, version])
    rows = {bot.pk: list(bot_logs_of(bot)) for bot in bots}
    old, large, gone, kept = bots
    ancient = timezone.now() - timedelta(days=settings.OUTPUT_DAYS, minutes=1)
    SeatLog.objects.filter(pk__in=[row.pk for row in rows[old.pk][2:]]).update(created_at=ancient)
    SeatLog.objects.filter(bot=large).update(size=settings.OUTPUT_BYTES_PER_BOT // 3)
    bot_delete(bot=gone)
    retention_apply()
    left = {bot.pk: [row.pk for row in bot_logs_of(bot)] for bot in bots}
    assert left == {
        old.pk: [row.pk for row in rows[old.pk][:2]],
        large.pk: [row.pk for row in rows[large.pk][:3]],
        gone.pk: [],
        kept.pk: [row.pk for row in rows[kept.pk]],
    }
    assert retention_logs_drop() == 0
    BotVersionFactory(bot=kept)
    version_delete(version=versions[3])
    assert retention_logs_drop() == 6


def test_no_bot_keeps_more_than_it_may(settings: Any, talker: Any) -> None:
    settings.OUTPUT_BYTES_PER_GAME, settings.OUTPUT_BYTES_PER_MATCH = 200, 300
    settings.OUTPUT_BYTES_PER_BOT = 2 * (300 + ROW_BYTES)
    for _ in range(3):
        FinishedMatchFactory(seats=[talker, BotVersionFactory()], blocks=2)
    assert all(row.printed <= 300 for row in bot_logs_of(talker.bot))
    retention_logs_drop()
    assert bot_logs_of(talker.bot).count() == 2
    newest = bot_logs_outputs(bot_logs_games_found(talker.bot))
    assert all(game.cut for game in newest)
    assert "earlier characters were not" in " ".join(read(talker.bot.owner, talker.bot).content.decode().split())


def test_a_match_that_is_played_anew_keeps_nothing_of_before(talker: Any) -> None:
    called_off = MatchFactory(seats=[talker, BotVersionFactory()], blocks=2)
    lease = leased(called_off)
    games = []
    for game in series_games_play(worker_playing_order(called_off), InProcessCage(), lambda index, table: None):
        games.append(game)
        if len(games) == 2:
            break
    assert written(lease, games)
    assert SeatLog.objects.filter(seat__match=called_off).count() == 2
    match_cancel(matches=Match.objects.filter(pk=called_off.pk))
    assert not SeatLog.objects.exists()

    on_air = FinishedMatchFactory(seats=[talker, BotVersionFactory()])
    now = timezone.now()
    Match.objects.filter(pk=on_air.pk).update(
        state=MatchState.ON_AIR, finished_at=None, tempo="every", airs_at=now, air_ends_at=now
    )
    assert not bot_logs_games_found(talker.bot), "it is sealed"
    _void(on_air.pk, "damaged")
    assert not SeatLog.objects.exists()


def test_peck_logs_shows_them(
    live_server: Any, talker: Any, settings: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.OUTPUT_BYTES_PER_MATCH = settings.OUTPUT_BYTES_PER_GAME = 10**6
    monkeypatch.setenv("PECK_SITE", live_server.url)
    monkeypatch.setenv("PECK_TOKEN", token_create(owner=talker.bot.owner, name="x"))
    assert main(["logs", talker.bot.slug]) == 0
    assert capsys.readouterr().out == "no stored output\n"
    match = FinishedMatchFactory(seats=[talker, BotVersionFactory()], blocks=14)
    FinishedMatchFactory(seats=[talker, BotVersionFactory()])
    call = ["logs", talker.bot.slug, "--match", str(match.pk), "--grep", "my SEAT", "--most", "27"]
    assert main(call) == 0
    output = capsys.readouterr().out
    assert output.count(f"match {match.pk}, game ") == 27, "two pages, and no more than was asked for"
    assert "  | my seat is 1" in output
    assert "it is over" not in output
    assert main([*call, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 27
    another = BotFactory().slug
    assert main(["logs", another]) == 4
    assert f"BOT '{another}': you have no such bot at " in capsys.readouterr().err


@pytest.mark.parametrize("told", [{}, {"results": [{}]}, {"results": [{"match": "x"}]}, {"results": 3}, []])
def test_peck_logs_trusts_no_site(told: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("peck.site.Site._answer", lambda *_: (200, json.dumps(told).encode()))
    assert main(["logs", "rooster"]) == 4


def test_a_crash_at_the_start_is_no_action() -> None:
    crasher = BotVersionFactory(source=b"boom\n")
    match = FinishedMatchFactory(seats=[crasher, BotVersionFactory(source=CRASHES)])
    assert [game.actions for game in bot_logs_outputs(bot_logs_games_found(crasher.bot, match=match.pk))] == [0, 0]
    assert bot_logs_timings(crasher.bot) == []
