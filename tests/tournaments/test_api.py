"""Tournaments in the API: visible to readers of their pages, with the same content."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.arena.factories import UserFactory
from tests.arena.openapi import as_described
from tests.bots.test_permissions import token_of
from tests.tournaments.factories import TournamentFactory, bot_of, finish_matches, running_tournament
from tests.tournaments.rulings.rule import fixture_at, rule
from tournaments.models import Entry, Publication, Stage, Tournament
from tournaments.selectors.pages.exports import tournament_standings_rows
from tournaments.selectors.pages.tournament_page import tournament_entries_of
from tournaments.selectors.standings.ratings import tournament_ratings_of
from tournaments.services import tournament_publish

pytestmark = pytest.mark.django_db

READERS = ("anonymous", "outsider", "author", "arbiter", "organiser", "staff")
RULES = ("arbiter", "organiser", "staff")
SHOWN = {
    Publication.EVERYONE: READERS,
    Publication.PARTICIPANTS: ("author", *RULES),
    Publication.HIDDEN: RULES,
}
RESULTS: dict[str, tuple[Any, ...]] = {
    "rounds": (),
    "round": (1,),
    "standings": (),
    "ratings": (),
    "rulings": (),
    "matches": (),
}


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def read(name: str, *args: Any, reader: Any = None, **query: Any) -> Any:
    headers = {"authorization": f"Token {token_of(reader)}"} if reader else {}
    return as_described(Client().get(reverse(f"api-tournaments:{name}", args=args), query, headers=headers))


def results(name: str, *args: Any, **query: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = read(name, *args, **query).json()["results"]
    return found


def people_of(cup: Tournament) -> dict[str, Any]:
    arbiter = UserFactory()
    cup.arbiters.add(arbiter)
    return {
        "anonymous": None,
        "outsider": bot_of(UserFactory()).owner,
        "author": cup.entries.first().bot.owner,  # type: ignore[union-attr]
        "arbiter": arbiter,
        "organiser": cup.organiser,
        "staff": UserFactory(is_staff=True),
    }


@pytest.mark.parametrize("publication", Publication)
def test_results_are_read_by_those_they_are_published_to(publication: Publication) -> None:
    cup = running_tournament(entries=4, format="swiss", rounds=2)
    finish_matches(cup, most=1)
    tournament_publish(tournament=cup, publication=publication)
    Entry.objects.filter(pk=tournament_entries_of(cup)[0].pk).update(is_withdrawn=True, withdrawn_because="forfeits")
    for who, reader in people_of(cup).items():
        shown = who in SHOWN[publication]
        assert [one["slug"] for one in results("list", reader=reader)] == [cup.slug]
        assert read("detail", cup.slug, reader=reader).json()["publication"] == publication
        assert len(results("entries", cup.slug, reader=reader)) == 4
        assert (results("entries", cup.slug, reader=reader)[0]["withdrawn_because"] == "forfeits") == shown
        for name, args in RESULTS.items():
            answer = read(name, cup.slug, *args, reader=reader)
            assert answer.status_code == (200 if shown else 403), (who, name)
            if not shown:
                assert answer.json()["code"] == "permission_denied"
                assert "not published" in answer.json()["detail"]


def test_participants_are_given_the_matches_of_their_own_bots_alone() -> None:
    cup = running_tournament(entries=4, format="swiss", rounds=2)
    tournament_publish(tournament=cup, publication=Publication.PARTICIPANTS)
    fixtures = list(cup.fixtures)
    author = fixtures[0].match.seats.first().version.bot.owner
    assert [one["match"] for one in read("round", cup.slug, 1, reader=author).json()["pairings"]] == [
        fixtures[0].match_id,
        None,
    ]
    assert [one["id"] for one in results("matches", cup.slug, reader=author)] == [fixtures[0].match_id]
    assert len(results("matches", cup.slug, reader=cup.organiser)) == 2


@pytest.mark.parametrize("who", READERS)
def test_a_draft_is_its_organisers(who: str) -> None:
    cup = TournamentFactory(state="draft", entries=1)
    reader = people_of(cup)[who]
    runs = who in ("organiser", "staff")
    assert len(results("list", reader=reader)) == runs
    for name in ("detail", "entries", "rounds", "standings"):
        assert read(name, cup.slug, reader=reader).status_code == (200 if runs else 404), name
    if runs:
        assert read("detail", cup.slug, reader=reader).json()["commitment"] is None


def test_a_round_that_waits_for_the_organiser_is_shown_to_nobody_else() -> None:
    cup = running_tournament(entries=4, format="swiss", rounds=2, has_round_review=True)
    for who, reader in people_of(cup).items():
        runs = who in ("organiser", "staff")
        assert len(results("rounds", cup.slug, reader=reader)) == runs, who
        assert read("round", cup.slug, 1, reader=reader).status_code == (200 if runs else 404), who
        seen = who in RULES  # an arbiter may look at the matches: see ``matches_visible``
        assert len(results("matches", cup.slug, reader=reader)) == 2 * seen, who


def test_a_tournament_shows_its_terms_and_hides_its_secret_until_the_end() -> None:
    cup = running_tournament(entries=4, format="swiss", rounds=2)
    answer = read("detail", cup.slug).json()
    assert (answer["state"], answer["entries"], answer["organiser"]) == ("running", 4, cup.organiser.username)
    assert (answer["commitment"], answer["secret"]) == (cup.commitment, None)
    assert answer["tie_breaks"] == cup.tie_breaks
    (stage,) = answer["stages"]
    assert (stage["format"], stage["rounds"], stage["drawn"], stage["players_per_table"]) == ("swiss", 2, 1, 2)
    Tournament.objects.update(state="finished", finished_at=cup.started_at)
    assert read("detail", cup.slug).json()["secret"] == bytes(cup.luck.secret).hex()


def test_standings_rounds_and_ratings_are_those_of_the_pages() -> None:
    cup = running_tournament(entries=5, format="swiss", rounds=2)
    finish_matches(cup)
    entries = tournament_entries_of(cup)
    page = list(tournament_standings_rows(cup.stage, entries))
    standings = results("standings", cup.slug)
    assert [one["bot"]["name"] for one in standings] == [one["bot"] for one in page]
    for name in page[0].keys() - {"bot", "author"}:
        assert [one[name] for one in standings] == [one[name] for one in page], name
    assert standings[0]["tie_breaks"]
    (line,) = results("rounds", cup.slug, stage=1)
    assert (line["number"], line["tables"], line["finished"]) == (1, 2, 2)
    whole = read("round", cup.slug, 1).json()
    assert whole.items() >= line.items()
    (bye,) = whole["byes"]
    assert bye["points"] == 1
    seats = [seat["entry"] for pairing in whole["pairings"] for seat in pairing["seats"]]
    assert sorted([*seats, bye["entry"]]) == sorted(entry.pk for entry in entries)
    assert all(pairing["counts"] and pairing["reasons"]["chairs"] for pairing in whole["pairings"])
    assert [one["entry"] for one in results("ratings", cup.slug)] == [
        one.entry for one in tournament_ratings_of(cup).lines
    ]


def test_a_ruling_says_what_it_says_on_the_page() -> None:
    cup = running_tournament(entries=4, format="swiss", rounds=2)
    finish_matches(cup, most=1)
    replaced, entry = fixture_at(cup, 1, 1), cup.entries.last()
    seated = [cup.entries.get(version=seat.version).pk for seat in replaced.match.seats.all()]
    rule(cup, "replace", fixture=replaced, scores=dict(zip(seated, (2.0, 0.0), strict=True)), reason="Seen twice.")
    rule(cup, "disqualify", entry=entry)
    last, first = results("rulings", cup.slug)
    assert (last["number"], last["kind"], last["entry"], last["match"]) == (2, "disqualify", entry.pk, None)
    assert (first["match"], first["round"], first["table"], first["reason"]) == (replaced.match_id, 1, 1, "Seen twice.")
    assert first["scores"] == [{"entry": seated[0], "score": 2.0}, {"entry": seated[1], "score": 0.0}]
    assert first["sentence"] == "The match counts with these scores, whatever was played."
    pairing = read("round", cup.slug, 1).json()["pairings"][0]
    assert (pairing["replaced"], [seat["score"] for seat in pairing["seats"]]) == (True, [2.0, 0.0])


@pytest.mark.parametrize(
    "stage",
    [
        {"format": "single_elimination"},
        {"format": "heats", "players_per_table": 3, "smallest_table": 2},
        {"format": "round_robin"},
        {"format": "dutch", "rounds": 2},
    ],
    ids=lambda stage: stage["format"],
)
def test_rounds_of_every_format_say_who_meets_whom(stage: dict[str, Any]) -> None:
    cup = running_tournament(entries=5, **stage)
    finish_matches(cup)
    for line in results("rounds", cup.slug):
        whole = read("round", cup.slug, line["number"]).json()
        assert whole["pairings"]
        assert all(seat["score"] is not None for pairing in whole["pairings"] for seat in pairing["seats"])
        assert all((pairing["reasons"] is None) == (stage["format"] == "round_robin") for pairing in whole["pairings"])
    assert len(results("standings", cup.slug)) == 5


def test_a_stage_or_round_that_is_not_there_is_named() -> None:
    cup = running_tournament(entries=4)
    Stage.objects.create(tournament=cup, number=2, format="single_elimination", entrants=2)
    assert [one["rank"] for one in results("standings", cup.slug, stage=2)] == []
    refused = read("standings", cup.slug, stage=3)
    assert (refused.status_code, refused.json()["field"]) == (404, "stage")
    assert "2" in refused.json()["detail"]
    assert read("round", cup.slug, 99).status_code == 404


def test_the_list_is_chosen_from_by_game_and_state() -> None:
    cup, other = TournamentFactory(), TournamentFactory(ruleset="heckmeck/2", state="locked")
    for query, found in (
        ({}, [other, cup]),
        ({"game": "pickomino"}, [cup]),
        ({"state": "locked"}, [other]),
        ({"game": "pickomino", "state": "locked"}, []),
    ):
        assert [one["slug"] for one in results("list", **query)] == [one.slug for one in found]
    assert read("list", state="asleep").json()["field"] == "state"
