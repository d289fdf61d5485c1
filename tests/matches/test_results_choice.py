"""Results: out of sight until they were watched, or always shown, as the visitor chose. What is sealed stays so."""

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from matches.models import MatchState
from tests.arena.factories import UserFactory
from tests.matches.airing.on_air import match_on_air
from tests.matches.factories import FinishedMatchFactory

pytestmark = pytest.mark.django_db


def page_of(client: Client, match: Any) -> str:
    return client.get(reverse("matches:detail", args=[match.pk])).content.decode()


def player_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script id="replay-data" type="application/json">(.*?)</script>', page)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def words_below(page: str) -> list[str]:
    """What the page shows below the player about the result."""
    result = page.partition('id="match-result"')[2].partition("</live-cells>")[0]
    return re.sub(r"<[^>]*>", " ", result.partition("<section")[0]).replace("Hide results until watched", "").split()


def just_in(client: Client) -> str:
    # The footer has numbers too.
    page = client.get(reverse("watch:all")).content.decode()
    return page.partition('id="just-in-title"')[2].partition("</ul>")[0]


def choose(client: Client, choice: str, back: str = "/watch/") -> Any:
    return client.post(reverse("matches:results"), {"results": choice, "next": back})


def test_results_are_hidden_until_the_visitor_chooses_and_again_when_they_choose_so(client: Client) -> None:
    match = FinishedMatchFactory()
    [score, *_] = [f'class="number">{seat.score:g}' for seat in match.seats.all()]
    for choice, shown in (("", False), ("shown", True), ("hidden", False)):
        if choice:
            assert choose(client, choice).headers["Location"] == "/watch/"
        page = page_of(client, match)
        assert ("data-concealed" in page) is not shown
        assert player_of(page).get("conceal", True) is not shown
        assert (score in just_in(client)) is shown
        assert ("conceal=0" in client.get(reverse("watch:all")).content.decode()) is shown


def test_an_author_sees_the_results_of_their_own_bots_at_once_and_still_chooses_for_others(client: Client) -> None:
    own, other = FinishedMatchFactory(), FinishedMatchFactory()
    for seat in own.seats.select_related("version__bot__owner"):
        client.force_login(seat.version.bot.owner)
        page = page_of(client, own)
        assert "data-concealed" not in page
        assert player_of(page)["conceal"] is False
        assert "Hide results until watched" not in page
        assert "data-concealed" in page_of(client, other)
    client.force_login(UserFactory())
    assert "data-concealed" in page_of(client, own)


def test_a_match_on_air_is_sealed_for_its_author_too(client: Client) -> None:
    match = match_on_air(elapsed=5)
    before = words_below(page_of(client, match))
    client.force_login(match.seats.all()[0].version.bot.owner)
    assert words_below(page_of(client, match)) == before != []


@pytest.mark.parametrize("choice", ["", "yes", "<script>", '"'])
def test_anything_else_is_no_choice(client: Client, choice: str) -> None:
    client.cookies["results"] = choice
    assert "data-concealed" in page_of(client, FinishedMatchFactory())
    assert choose(client, choice, back="//evil.example/").headers["Location"] == "/"


def test_readers_who_always_want_results_get_none_of_a_match_on_air(client: Client) -> None:
    match = match_on_air(elapsed=5)
    frames = reverse("matches:game-frames", args=[match.pk, 0])
    before, aired = page_of(client, match), client.get(frames).json()["beats"]
    choose(client, "shown")
    after = page_of(client, match)
    assert match.state == MatchState.ON_AIR
    assert abs(len(client.get(frames).json()["beats"]) - len(aired)) <= 3  # time goes on meanwhile
    assert words_below(after) == words_below(before) != []


def test_the_list_of_matches_covers_scores_as_the_visitor_chose_and_never_those_of_own_bots(client: Client) -> None:
    own, other = FinishedMatchFactory(), FinishedMatchFactory()
    author = own.seats.first().version.bot.owner

    def result_is_shown(match: Any) -> bool:
        page = client.get("/matches/").content.decode()
        [row] = re.findall(rf'href="/matches/{match.pk}/">.*?</tr>', page, re.DOTALL)
        return all(f'class="number">{seat.score:g}<' in row for seat in match.seats.all())

    assert (result_is_shown(own), result_is_shown(other)) == (False, False)
    assert "Always show results" in client.get("/matches/").content.decode()
    client.force_login(author)
    assert (result_is_shown(own), result_is_shown(other)) == (True, False)
    choose(client, "shown", "/matches/")
    assert (result_is_shown(own), result_is_shown(other)) == (True, True)
