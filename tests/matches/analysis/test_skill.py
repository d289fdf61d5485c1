"""What a bot's decisions lost, on its page."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.record import Record
from luck import UNIT, GameAccount, luck_analyse
from matches.analysis import services
from matches.analysis.selectors import analysis_of
from matches.bot_history.skill import bot_skill_of
from matches.models import Analysis, Audience, Match
from tests.bots.factories import BotVersionFactory
from tests.matches.analysis.test_services import CAREFUL, STEADY
from tests.matches.factories import FinishedMatchFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    match: Match = FinishedMatchFactory(seats=[BotVersionFactory(source=source) for source in (STEADY, CAREFUL)])
    for game in match.games.all():
        row = services.analysis_request(game=game, value=analysis_of(match), user_id=None)
        services.analysis_make(analysis_id=row.pk)
    return match


def test_the_page_shows_what_its_versions_lost_and_where(client: Client, match: Match) -> None:
    bot = match.seats.get(index=0).version.bot
    skill = bot_skill_of(bot)
    accounts = [luck_analyse(Record.decode(bytes(game.record))) for game in match.games.all()]
    own = [(account, index) for index, account in enumerate(accounts) if isinstance(account, GameAccount)]
    lost = [account.lost[index] for account, index in own]  # in game 1 the bot sits second
    (one,) = skill.versions
    assert (one.version, one.games, one.half) == (1, 2, None)
    assert one.lost == pytest.approx(100 * sum(lost) / 2 / UNIT)
    assert sum(points for _, points in one.kinds) == pytest.approx(one.lost)
    assert one.luck == pytest.approx(100 * sum(account.luck[index] for account, index in own) / UNIT)
    most = max(decision.lost for account, index in own for decision in account.decisions if decision.seat == index)
    assert skill.costliest[0].lost == pytest.approx(100 * most / UNIT)
    page = client.get(reverse("bots:detail", args=[bot.slug])).content.decode()
    first = skill.costliest[0]
    assert f"?game={first.game}&amp;step={first.step}" in page
    assert first.played is not None
    assert first.best is not None
    assert first.best.share - first.played.share == pytest.approx(first.lost)
    assert f"<code>{first.played.action}</code> instead of <code>{first.best.action}</code>" in " ".join(page.split())
    rival = match.seats.get(index=1).version.bot
    assert {other.slug for one in skill.costliest for other in one.opponents} == {rival.slug}
    costliest = page[page.index('id="costliest"') :]
    assert f'<a href="{reverse("bots:detail", args=[rival.slug])}">{rival.name}</a>' in costliest
    assert costliest.count(first.best.meaning) <= 1


def test_seats_are_read_only_where_they_are_unknown(match: Match, django_assert_num_queries: Any) -> None:
    bot = match.seats.get(index=0).version.bot
    with django_assert_num_queries(3):  # games, texts, who sat there
        skill = bot_skill_of(bot)
    with django_assert_num_queries(2):
        assert bot_skill_of(bot, {match.pk: skill.costliest[0].opponents}).costliest[0].opponents


def test_games_that_not_everyone_may_see_and_those_without_figures_are_left_out(match: Match) -> None:
    bot = match.seats.get(index=0).version.bot
    sums: dict[str, Any] = Analysis.objects.get(game__index=0).sums
    Analysis.objects.filter(game__index=0).update(sums=None)
    assert [one.games for one in bot_skill_of(bot).versions] == [1]
    Analysis.objects.filter(game__index=0).update(sums=sums | {"decisions": [0, 0]})
    assert [one.games for one in bot_skill_of(bot).versions] == [1]
    Match.objects.update(audience=Audience.ORGANISER)
    assert bot_skill_of(bot).versions == ()


def test_a_bot_without_analysed_games_has_no_such_part(client: Client) -> None:
    bot = BotVersionFactory().bot
    assert 'id="luck"' not in client.get(reverse("bots:detail", args=[bot.slug])).content.decode()
