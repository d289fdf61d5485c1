"""Matches in the API: who may read which, the filters, and that the content is that of the pages."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.record import Record
from matches.models import Audience, Fault, Match, MatchState
from matches.services import match_publish
from matches.visibility import matches_visible
from tests.arena.factories import UserFactory
from tests.arena.openapi import as_described
from tests.bots.factories import BotVersionFactory
from tests.bots.test_permissions import token_of
from tests.groups.factories import GroupFactory, member_in
from tests.matches.factories import CRASHES, FinishedMatchFactory, MatchFactory
from tests.matches.test_visibility import MAY_LOOK, READERS

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    """Finished; the bot in its first seat crashes in each game."""
    return FinishedMatchFactory(seats=[BotVersionFactory(source=CRASHES), BotVersionFactory()], organiser=UserFactory())


def read(name: str, *args: Any, reader: Any = None, **query: Any) -> Any:
    headers = {"authorization": f"Token {token_of(reader)}"} if reader else {}
    return as_described(Client().get(reverse(f"api-matches:{name}", args=args), query, headers=headers))


def reader_of(match: Match, who: str) -> Any:
    people = {
        "nobody": lambda: None,
        "outsider": lambda: BotVersionFactory().bot.owner,
        "author": lambda: match.seats.first().version.bot.owner,  # type: ignore[union-attr]
        "member": lambda: member_in(match.group or GroupFactory()).person,
        "organiser": lambda: match.organiser,
        "staff": lambda: UserFactory(is_staff=True),
    }
    return people[who]()


@pytest.mark.parametrize("audience", Audience)
@pytest.mark.parametrize("who", READERS)
def test_a_match_is_read_by_its_audience_alone(who: str, audience: Audience, match: Match) -> None:
    group = GroupFactory() if audience == Audience.GROUP else None
    everything = matches_visible(UserFactory(is_staff=True))
    match_publish(matches=everything, audience=audience, group_id=group and group.pk)
    match.refresh_from_db()
    reader = reader_of(match, who)
    expected = 200 if who in MAY_LOOK[audience] else 404
    for name, args in (("detail", ()), ("games", ()), ("record", (0,)), ("record-bytes", (0,))):
        assert read(name, match.pk, *args, reader=reader).status_code == expected, name
    listed = [one["id"] for one in read("list", reader=reader).json()["results"]]
    assert listed == ([match.pk] if audience == Audience.EVERYONE else [])  # as on the page of matches


def test_a_match_says_who_sat_where_and_what_came_of_it(match: Match) -> None:
    answer = read("detail", match.pk).json()
    first, second = match.seats.select_related("version__bot__owner")
    assert (answer["game"], answer["ruleset"], answer["state"]) == ("pickomino", "pickomino/1", "finished")
    assert answer["seats"][0] == {
        "seat": 0,
        "bot": {
            "slug": first.version.bot.slug,
            "name": first.version.bot.name,
            "author": first.version.bot.owner.username,
            "is_house": False,
        },
        "version": 1,
        "score": first.score,
        "points": first.points,
        "wins": 0,
        "faulty_games": 2,
        "has_forfeited": first.has_forfeited,
        "slowest_ms": first.slowest_ms,
    }
    assert answer["seats"][1]["score"] == second.score == 2
    assert answer["page"].endswith(reverse("matches:detail", args=[match.pk]))
    assert set(answer["options"]) == set(match.options)


def test_of_a_fault_everyone_reads_only_the_bot_and_the_code(match: Match) -> None:
    Fault.objects.update(exception="a private exception", output="a private print")
    answers = [read("games", match.pk), read("detail", match.pk), read("record", match.pk, 0)]
    assert [game["faults"] for game in answers[0].json()["results"]] == [
        [{"seat": 0, "verdict": "crashed"}],
        [{"seat": 0, "verdict": "forfeited"}],
    ]
    assert [game["order"] for game in answers[0].json()["results"]] == [[0, 1], [1, 0]]
    assert not any(b"private" in answer.content or b"no idea" in answer.content for answer in answers)


def test_a_record_is_the_one_that_the_page_gives(match: Match) -> None:
    address = read("games", match.pk).json()["results"][1]["record"]
    for form in ("json", "bin"):
        page = Client().get(reverse("matches:record", args=[match.pk, 1, form]))
        answer = Client().get(address.replace("json", form))
        assert answer.content == page.content
        assert answer.headers["Content-Disposition"] == f'attachment; filename="match-{match.pk}-game-2.{form}"'
    Record.decode(answer.content).verify()


def test_the_list_is_chosen_from_by_game_state_and_bot(match: Match) -> None:
    running, other = MatchFactory(running=True), MatchFactory(ruleset="heckmeck/2")
    slug = match.seats.get(index=1).version.bot.slug
    ids = {"match": match.pk, "running": running.pk, "other": other.pk}
    for query, found in (
        ({}, ["other", "running", "match"]),
        ({"game": "pickomino"}, ["running", "match"]),
        ({"state": MatchState.RUNNING}, ["running"]),
        ({"bot": slug}, ["match"]),
        ({"bot": slug, "state": "queued"}, []),
        ({"bot": "nobody"}, []),
    ):
        assert [one["id"] for one in read("list", **query).json()["results"]] == [ids[name] for name in found]
    refused = read("list", game="chess").json()
    assert (refused["code"], refused["field"]) == ("invalid_choice", "game")
    assert "pickomino, heckmeck, laghetti, karteneck" in refused["detail"]
    refused = read("list", stat="finished").json()
    assert (refused["code"], refused["field"]) == ("unknown_parameter", "stat")
    assert "game, state, bot, cursor, page_size" in refused["detail"]
