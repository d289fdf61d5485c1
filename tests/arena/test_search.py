"""The search: what it finds, for whom, and what it costs."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from arena.search import selectors
from leagues.models import LeagueState
from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page
from tests.bots.factories import BotVersionFactory
from tests.leagues.factories import LeagueFactory
from tests.teams.factories import team_of
from tests.tournaments.factories import TournamentFactory
from tournaments.models import TournamentState

pytestmark = pytest.mark.django_db


def found(client: Client, query: str) -> str:
    response = client.get(reverse("search") + query)
    assert_clean_page(response)
    return response.content.decode().partition("<main")[2]


def test_everything_with_the_word_in_its_name_is_found_whatever_the_case(client: Client) -> None:
    bot = BotVersionFactory(bot__name="Red Kite", bot__owner__username="kitefan").bot
    cup = TournamentFactory(name="Kite Cup", state=TournamentState.OPEN)
    league = LeagueFactory(name="KITES", state=LeagueState.OPEN)
    team = team_of(bot.owner, name="Kite Flyers")
    html = found(client, "?q=kITe")
    for address in (
        reverse("bots:detail", args=[bot.slug]),
        reverse("tournaments:detail", args=[cup.slug]),
        reverse("leagues:detail", args=[league.slug]),
        reverse("accounts:profile", args=["kitefan"]),
        reverse("teams:detail", args=[team.slug]),
    ):
        assert f'href="{address}"' in html
    kinds = [one.partition("<")[0].strip() for one in html.split('<span class="muted small">')[1:]]
    assert {"Author", "Team"} <= set(kinds)
    assert f'href="{reverse("watch:channel", args=["pickomino"])}"' in found(client, "?q=komino")


def test_a_bot_is_found_with_its_bird_and_a_tournament_with_the_colour_of_its_game(client: Client) -> None:
    BotVersionFactory(bot__name="Red Kite")
    TournamentFactory(name="Kite Cup", state=TournamentState.OPEN)
    html = found(client, "?q=kite")
    assert html.count('<svg class="bird"') == 1
    assert 'data-colour="ember"' in html


def test_names_and_sections_with_a_word_that_begins_so_come_first(client: Client) -> None:
    for name in ("Growler", "Night Owl", "Owlet", "A Bowl"):
        BotVersionFactory(bot__name=name)
    html = found(client, "?q=owl")
    assert sorted(("Growler", "Night Owl", "Owlet", "A Bowl"), key=html.index) == [
        "Owlet",
        "Night Owl",
        "A Bowl",
        "Growler",
    ]
    marked = re.findall(r"([^\W_]*)<mark>(\w+)</mark>", found(client, "?q=low&kind=docs"))
    assert {before for before, _word in marked} == {""}


def test_drafts_and_deleted_bots_are_found_by_nobody_else(client: Client) -> None:
    TournamentFactory(name="Secret Draft", state=TournamentState.DRAFT)
    version = BotVersionFactory(bot__name="Secret Bot")
    type(version.bot).objects.update(current=None, deleted_at=timezone.now())
    html = found(client, "?q=secret")
    assert "Secret Draft" not in html
    assert "Secret Bot" not in html
    client.force_login(UserFactory(is_staff=True))
    assert "Secret Draft" in found(client, "?q=secret")


@pytest.mark.parametrize(
    "query", ["", "?q=", "?q=a", "?q=%00ab", f"?q={'x' * 999}", "?q=zz&kind=<b>&page=Ω", "?q=%25%25"]
)
def test_nonsense_is_answered_with_a_page(client: Client, query: str) -> None:
    BotVersionFactory(bot__name="Abacus")
    assert "Abacus" not in found(client, query)


def test_signs_of_patterns_are_letters_like_any_other(client: Client) -> None:
    BotVersionFactory(bot__name="100% sure_")
    BotVersionFactory(bot__name="Abacus")
    assert "100% sure_" in found(client, "?q=0%25")
    assert "Abacus" not in found(client, "?q=_a")


def test_names_are_never_markup(client: Client) -> None:
    BotVersionFactory(bot__name="<b>bold</b>")
    html = found(client, "?q=<b>bold")
    assert "<b>bold" not in html
    assert "&lt;b&gt;bold" in html


def test_many_are_parted_into_pages_and_cost_no_more_than_few(client: Client) -> None:
    counts = []
    for number in range(45):
        BotVersionFactory(bot__name=f"Sparrow {number:02}")
        if number in (1, 44):
            with CaptureQueriesContext(connection) as queries:
                html = found(client, "?q=sparrow")
            counts.append(len(queries))
    assert html.count('href="/bots/') == 6
    assert '<span class="muted small">45</span>' in html
    assert counts[1] <= counts[0] + 1 <= 12  # one more to count them
    assert found(client, "?q=sparrow&kind=bots").count('href="/bots/') == 20
    assert found(client, "?q=sparrow&kind=bots&page=3").count('href="/bots/') == 5


def test_the_handbook_is_found_by_its_words_and_shown_in_the_language_of_the_reader(client: Client) -> None:
    rules, bots = reverse("docs-rules", args=["pickomino"]), reverse("docs-bots")
    html = found(client, "?q=stolen+tile")
    assert f'href="{rules}' in html
    assert "Handbook" in html
    assert "<mark>tile</mark>" in html
    assert "<mark>" not in found(client, "?q=%3Cscript%3E")
    assert f'href="{bots}#limits"' in found(client, "?q=LIMITS&kind=docs")
    glossary = found(client, "?q=tie-break&kind=docs")
    assert f'href="{reverse("docs-glossary")}#' in glossary
    german = client.get(reverse("search") + "?q=W%C3%BCrfel&kind=docs", headers={"accept-language": "de"})
    assert f'href="{rules}' in german.content.decode()
    assert "Nothing found" in found(client, "?q=zzxxyy&kind=docs")
    for page in ("docs-bots", "docs-glossary", "docs-rules-index"):
        assert 'name="kind" value="docs"' in client.get(reverse(page)).content.decode()


def test_rules_that_cannot_be_shown_do_not_break_the_search(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_given: object, **_more: object) -> None:
        raise ValueError

    monkeypatch.setattr(selectors, "_cached", {})
    monkeypatch.setattr("arena.site.views.docs_rules_view", broken)
    assert f'href="{reverse("docs-bots")}#limits"' in found(client, "?q=LIMITS&kind=docs")
    assert "the search cannot read the sections of" in caplog.text
