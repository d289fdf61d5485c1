"""What a bot saw and did at a step: its author and staff read it, and can ask a bot again up to there."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from arena.accounts.tokens import token_create
from bots.deletion import bot_delete
from games.record import Record
from games.state import CHANCE
from matches.bot_history.decision_bundles import bot_decision_of
from matches.models import Audience, Game, Match, SeatLog
from peck.__main__ import main
from tests.arena.factories import UserFactory
from tests.bots.factories import BotVersionFactory
from tests.matches.factories import CRASHES, FinishedMatchFactory
from tests.tournaments.factories import TournamentFactory

pytestmark = pytest.mark.django_db
TALKS = b"""
class Bot:
    def __init__(self, table):
        self.turns = 0

    def act(self, view):
        self.turns += 1
        print("turn %d" % self.turns)
        return view["actions"][self.turns % len(view["actions"])]
"""


@pytest.fixture
def talker() -> Any:
    return BotVersionFactory(source=TALKS)


def address(bot: Any, match: Match, step: int, *, game: int = 0, seat: int = 0, name: str = "decision") -> str:
    return reverse(f"bots:{name}", args=[bot.slug, match.pk, game, seat, step])


def read(person: Any, where: str) -> Any:
    client = Client()
    if person:
        client.force_login(person)
    return client.get(where)


@pytest.mark.parametrize("audience", [one for one in Audience.values if one != Audience.GROUP])
def test_they_are_its_authors_and_staffs_alone(talker: Any, audience: str) -> None:
    organiser, staff = UserFactory(is_organiser=True), UserFactory(is_staff=True, is_superuser=True)
    rival = BotVersionFactory()
    match = FinishedMatchFactory(seats=[talker, rival], audience=audience, organiser=organiser)
    shown = 200 if audience in (Audience.EVERYONE, Audience.UNLISTED, Audience.AUTHORS) else 404
    people = {talker.bot.owner: shown, staff: shown, rival.bot.owner: 404, organiser: 404, UserFactory(): 404}
    people[None] = 302
    for name in ("decision", "decision-file"):
        assert {one: read(one, address(talker.bot, match, 9, name=name)).status_code for one in people} == people
    assert read(talker.bot.owner, address(talker.bot, match, 9, seat=1)).status_code == 404  # the rival's
    assert read(talker.bot.owner, address(talker.bot, match, 9, game=99)).status_code == 404
    Match.objects.filter(pk=match.pk).update(state="queued", finished_at=None)
    assert read(talker.bot.owner, address(talker.bot, match, 9)).status_code == 404


@pytest.mark.parametrize("game", [0, 1])
def test_each_is_what_the_seat_saw_printed_and_did(talker: Any, game: int) -> None:
    match = FinishedMatchFactory(seats=[talker, BotVersionFactory()])
    record = Record.decode(bytes(Game.objects.get(match=match, index=game).record))
    position = game  # of the first seat, in a game between two
    steps = list(enumerate(record.replay(), 1))
    own = [(n, one) for n, one in steps if one.before.actor == position]
    seen = [bot_decision_of(talker.bot, match.pk, game, 0, n).to_dict() for n, _one in own]
    assert [one["step"] for one in seen] == [n for n, _one in own]
    assert [one["action"] for one in seen] == [one.action for _n, one in own]
    assert [one["view"] for one in seen] == [one.before.view(position) for _n, one in own]
    assert [one["printed"] for one in seen] == [f"turn {number}\n" for number in range(1, len(own) + 1)]
    assert [(one["number"], one["count"]) for one in seen] == [(n, len(own)) for n in range(1, len(own) + 1)]
    assert [one["after"] for one in seen[:-1]] == [one["step"] for one in seen[1:]]
    assert [one["before"] for one in seen[1:]] == [one["step"] for one in seen[:-1]]
    assert (seen[0]["before"], seen[-1]["after"]) == (None, None)
    assert sum(one["slowest_ms"] is not None for one in seen) == 1
    others = [n for n, one in steps if one.before.actor not in (position, CHANCE) and n > own[0][0]]
    between = read(talker.bot.owner, address(talker.bot, match, others[0], game=game)).json()
    assert between["step"] == max(n for n, _one in own if n <= others[0])
    assert read(talker.bot.owner, address(talker.bot, match, 0, game=game)).json() == seen[0]


def test_without_output_the_rest_is_there(talker: Any) -> None:
    match = FinishedMatchFactory(seats=[talker, BotVersionFactory()])
    SeatLog.objects.all().delete()
    found = read(talker.bot.owner, address(talker.bot, match, 5)).json()
    assert (found["printed"], found["slowest_ms"]) == (None, None)
    assert found["view"]["actions"]


def test_where_a_house_bot_decided_it_says_so_and_there_is_no_file() -> None:
    crasher = BotVersionFactory(source=CRASHES)
    match = FinishedMatchFactory(seats=[crasher, BotVersionFactory()])
    assert read(crasher.bot.owner, address(crasher.bot, match, 9)).json()["stood_in"] == "crashed"
    assert read(crasher.bot.owner, address(crasher.bot, match, 9, name="decision-file")).status_code == 404


def test_the_page_of_the_match_leads_its_author_there_and_nobody_else(talker: Any) -> None:
    match = FinishedMatchFactory(seats=[talker, BotVersionFactory()])
    page = reverse("matches:detail", args=[match.pk])
    planted = f"/bots/{talker.bot.slug}/decisions/{match.pk}/{{game}}/0/{{step}}.json"
    assert planted in read(talker.bot.owner, page).content.decode()
    for other in (None, UserFactory()):
        assert "decisions" not in read(other, page).content.decode()
    bot_delete(bot=talker.bot)
    assert "decisions" not in read(talker.bot.owner, page).content.decode()


def test_a_decision_is_made_again_at_home(talker: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = FinishedMatchFactory(seats=[talker, BotVersionFactory()])
    found = read(talker.bot.owner, address(talker.bot, match, 20)).json()
    answer = read(talker.bot.owner, address(talker.bot, match, 20, name="decision-file"))
    assert f'filename="decision-{match.pk}-1-20.zip"' in answer["Content-Disposition"]
    bundle, bot = tmp_path / "decision.zip", tmp_path / "bot.py"
    bundle.write_bytes(answer.content)
    where = f"match {match.pk}, game 1, seat A, on the site: it answered '{found['action']}'"
    outcomes = {
        TALKS: (0, [where, f"the bot answers '{found['action']}' again"]),
        b"def act(view): return view['actions'][0]": (0, [where, "then it was asked as on the site", "the bot "]),
        b"def act(view): return 1 / 0": (3, [where, "the bot fails, decision 1: crashed"]),
    }
    for source, (code, words) in outcomes.items():
        bot.write_bytes(source)
        assert main(["replay", str(bundle), str(bot)]) == code
        output = capsys.readouterr().out
        assert [word for word in words if word not in output] == []


def test_numbers_that_no_database_holds_are_not_found(talker: Any) -> None:
    huge, client = 10**20, Client()
    client.force_login(talker.bot.owner)
    for name in ("decision", "decision-file"):
        for numbers in ([huge, 0, 0, 1], [1, huge, 0, 1], [1, 0, huge, 1], [1, 0, 0, huge]):
            assert client.get(reverse(f"bots:{name}", args=[talker.bot.slug, *numbers])).status_code == 404
    assert client.post(reverse("bots:spar-stop", args=[huge])).status_code == 404
    token = {"authorization": f"Token {token_create(owner=talker.bot.owner, name='x')}"}
    assert Client().delete(reverse("api:sparring", args=[huge]), headers=token).status_code == 404
    tournament = TournamentFactory(organiser=talker.bot.owner)
    assert client.post(reverse("tournaments:dismiss", args=[tournament.slug, huge])).status_code == 302
