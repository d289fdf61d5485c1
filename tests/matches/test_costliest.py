"""The decisions that cost a bot most, for its author: as a page, and as the file that ``peck drill`` reads."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.record import Record
from luck import GameAccount, luck_analyse
from matches.analysis import services
from matches.analysis.selectors import analysis_of
from matches.bot_history import costliest
from matches.bot_history.costliest import costliest_of
from matches.models import Analysis, Audience, Match
from matches.referee.costly_positions import Drill
from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page
from tests.bots.factories import BotVersionFactory
from tests.matches.analysis.test_services import CAREFUL, STEADY
from tests.matches.factories import FinishedMatchFactory
from web.prepared.services import prepared_file_make_next

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


@pytest.fixture
def match() -> Match:
    match: Match = FinishedMatchFactory(seats=[BotVersionFactory(source=source) for source in (STEADY, CAREFUL)])
    for game in match.games.all():
        row = services.analysis_request(game=game, value=analysis_of(match), user_id=None)
        services.analysis_make(analysis_id=row.pk)
    return match


@pytest.fixture
def bot(match: Match) -> Any:
    return match.seats.get(index=0).version.bot


def losses(match: Match) -> list[float]:
    """What the first bot's decisions lost, in points, the most first."""
    accounts = [luck_analyse(Record.decode(bytes(game.record))) for game in match.games.all()]
    own = [
        100 * one.lost / 10**9
        for index, account in enumerate(accounts)
        if isinstance(account, GameAccount)
        for one in account.decisions
        if one.seat == index and one.lost  # in game 1 it sits second
    ]
    return sorted(own, reverse=True)


def page_of(bot: Any, person: Any = None) -> Any:
    client = Client()
    client.force_login(person or bot.owner)
    return client.get(reverse("bots:costliest", args=[bot.slug]))


def test_the_page_lists_what_lost_most_with_what_pays(bot: Any, match: Match) -> None:
    found = costliest_of(bot)
    assert [row.lost for row in found.rows] == pytest.approx(losses(match)[: costliest.SHOWN])
    assert found.games == 2
    assert found.lost == pytest.approx(sum(losses(match)))
    first = found.rows[0]
    assert first.best.share - first.played.share == pytest.approx(first.lost)
    answer = page_of(bot)
    assert_clean_page(answer)
    html = answer.content.decode()
    assert f"{reverse('matches:detail', args=[first.match])}?game={first.game}&amp;step={first.step}" in html
    assert (
        reverse("bots:costliest", args=[bot.slug])
        in _own(bot).get(reverse("bots:detail", args=[bot.slug])).content.decode()
    )


def test_a_sentence_about_an_action_appears_once_and_all_but_ten_decisions_are_folded(
    bot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [one for one in costliest_of(bot).rows if one.best and one.best.meaning]
    html = page_of(bot).content.decode()
    assert rows
    for row in rows:
        assert html.count(f"<dd>{row.best.meaning}</dd>") == html.count(row.best.meaning) == 1
    many = [*costliest_of(bot).rows] * 20
    monkeypatch.setattr(costliest, "costliest_rows", lambda *_args: many[:50])
    html = page_of(bot).content.decode()
    shown, _, folded = html.partition("more decisions</summary>")
    assert (shown.count('<th scope="row" class="main">'), folded.count('<th scope="row" class="main">')) == (10, 40)


def _own(bot: Any) -> Client:
    client = Client()
    client.force_login(bot.owner)
    return client


def test_where_the_text_of_an_analysis_is_dropped_the_loss_and_the_replay_are_left(bot: Any, match: Match) -> None:
    Analysis.objects.update(told=None, is_kept=False)
    rows = costliest_of(bot).rows
    assert len(rows) == 2  # the costliest of each game
    assert rows[0].lost == pytest.approx(losses(match)[0])
    assert rows[0].played is None
    assert_clean_page(page_of(bot))


def test_games_that_authors_may_not_look_at_are_left_out(bot: Any) -> None:
    for audience, games in ((Audience.UNLISTED, 0), (Audience.AUTHORS, 0), (Audience.ORGANISER, 0)):
        Match.objects.update(audience=audience)  # of no contest: sparring has its own list
        assert costliest_of(bot).games == games
    assert "Nothing to show yet" in page_of(bot).content.decode()


def test_only_its_author_and_staff_read_it(client: Client, bot: Any, match: Match) -> None:
    rival = match.seats.get(index=1).version.bot.owner
    for name in ("costliest", "drill"):
        address = reverse(f"bots:{name}", args=[bot.slug])
        assert client.get(address)["Location"].startswith(reverse("account_login"))
        for person, status in ((rival, 404), (UserFactory(is_staff=True), 200 if name == "costliest" else 302)):
            other = Client()
            other.force_login(person)
            assert other.get(address).status_code == status
    assert (
        'href="' + reverse("bots:costliest", args=[bot.slug])
        not in client.get(reverse("bots:detail", args=[bot.slug])).content.decode()
    )


def test_a_worker_makes_the_drill_that_peck_reads(bot: Any, match: Match, tmp_path: Path) -> None:
    client, address = _own(bot), reverse("bots:drill", args=[bot.slug])
    assert client.post(address)["Location"] == reverse("bots:costliest", args=[bot.slug])
    assert "Being prepared" in page_of(bot).content.decode()
    assert prepared_file_make_next(stopping=lambda: False)
    answer = client.get(address)
    assert (answer["Content-Type"], answer["Content-Disposition"]) == (
        "application/x-ndjson",
        f'attachment; filename="{bot.slug}-drill.jsonl"',
    )
    (path := tmp_path / "drill.jsonl").write_bytes(answer.getvalue())
    drill = Drill.read(path)
    found = costliest_of(bot)
    assert (drill.bot, drill.games, drill.decisions) == (bot.slug, found.games, found.decisions)
    assert drill.lost == pytest.approx(found.lost * 10**7, abs=1)
    assert drill.positions[0].lost(drill.positions[0].action) == pytest.approx(found.rows[0].lost * 10**7)
    assert len(drill.positions) == len(found.rows), "as many as on the page"
    assert drill.positions[0].best == found.rows[0].best.action
    for position in drill.positions[:3]:
        assert position.recorded_seat(history=False).turns[-1].view["actions"]


def test_a_drill_is_of_a_day_and_of_whose_games_its_author_may_see(bot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    before = costliest._revision(bot.pk)
    assert costliest._revision(bot.pk) == before
    BotVersionFactory(bot=bot)
    of_version = costliest._revision(bot.pk)
    monkeypatch.setattr(costliest.timezone, "now", lambda: datetime(2030, 1, 1, tzinfo=UTC))
    assert len({before, of_version, costliest._revision(bot.pk)}) == 3
    assert costliest._revision(0) is None
