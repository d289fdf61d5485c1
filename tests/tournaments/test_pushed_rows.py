"""Rows of large boards go over the sockets: what changed, to whom it may be shown, and with it pages are up to date."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from django.core.cache import caches

from matches.models import MatchState
from tests.tournaments.factories import finish_matches, running_tournament
from tests.tournaments.snapshot_worker import refresh_snapshots_at_once
from tournaments import pushed_rows, services
from tournaments.models import Publication, Tournament
from tournaments.pushed_rows import has_tournament_pushed_rows
from tournaments.selectors.rounds.fixtures import _pairing_row, fixture_pairings_of, fixture_tables_snapshot_part
from tournaments.selectors.standings.ranking import standings_of, standings_snapshot_part
from tournaments.selectors.standings.ratings import tournament_ratings_snapshot_part
from web import boards, snapshots
from web.snapshots import StoredPart

pytestmark = pytest.mark.django_db
ENTRIES = 8


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[Mapping[str, Any]]:
    """What is announced, as pages receive it. Boards are large from seven entries on."""
    refresh_snapshots_at_once(monkeypatch)
    caches["optional"].clear()
    messages: list[Mapping[str, Any]] = []

    def announce(*topics: str, **data: Any) -> None:
        messages.extend(json.loads(json.dumps({"topic": topic, **data})) for topic in topics)

    for module in ("tournaments.pushed_rows", "tournaments.services.transitions"):
        monkeypatch.setattr(f"{module}.hub_announce", announce)
    monkeypatch.setattr(boards, "BOARD_ROWS", 5)
    monkeypatch.setattr(pushed_rows, "ENTRIES_AT_ONCE", ENTRIES - 1)
    monkeypatch.setattr(snapshots, "REFRESH_EVERY", 0)
    monkeypatch.setattr("tournaments.selectors.standings.ranking.REFRESH_RATIO", 0)
    monkeypatch.setattr("tournaments.selectors.rounds.fixtures.REFRESH_RATIO", 0)
    return messages


class Page:
    """What a page shows of one part, as ``live-rows.js`` keeps it."""

    def __init__(self, part: str, revision: int, rows: Mapping[int, Any]) -> None:
        self.part, self.revision, self.rows = part, revision, dict(rows)
        self.reloads = 0

    def take(self, message: Mapping[str, Any]) -> None:
        if message.get("reload"):
            self.reloads += 1
        elif message.get("part") == self.part and message["revision"] >= self.revision:
            if message["since"] > self.revision:
                self.reloads += 1
            else:
                self.rows |= {row[0]: row for row in message["rows"]}
                self.revision = message["revision"]


def rows_now(cup: Tournament) -> dict[int, Any]:
    """The rows of the standings as they are computed for a proof."""
    codes = [code for code in cup.tie_breaks if code != "shared"]
    found = pushed_rows._standings(standings_of(cup.stage), codes)
    return {key: json.loads(json.dumps(row)) for key, row in found.items()}


def result(cup: Tournament, capture: Any) -> None:
    with capture(execute=True):
        finish_matches(cup, most=1)
        services.tournament_chain_results_append(tournament_id=cup.pk)
        services.tournament_chain_results_publish(tournament_id=cup.pk)
    cup.refresh_from_db()


def opened(cup: Tournament) -> Page:
    stored = standings_snapshot_part(cup.stage).read(lambda _rows: True)
    return Page(f"standings.{cup.stage.pk}", stored.revision, rows_now(cup))


def test_a_result_is_sent_as_rows_that_make_the_page_what_it_would_be(
    sent: list[Mapping[str, Any]], django_capture_on_commit_callbacks: Any
) -> None:
    cup = running_tournament(ENTRIES, format="swiss", rounds=3)
    result(cup, django_capture_on_commit_callbacks)
    page = opened(cup)
    tables = fixture_tables_snapshot_part(cup.stage)
    stored = tables.read(lambda _rows: True)
    board = Page(tables.key.part, stored.value.through, {row[0]: row for row in stored.value.rows})
    sent.clear()
    result(cup, django_capture_on_commit_callbacks)
    for message in sent:
        page.take(message)
        board.take(message)
    assert page.rows == rows_now(cup)
    assert page.revision == board.revision == cup.revision
    [changed] = [one for one in sent if one.get("part") == board.part]
    assert [(row[1], len(row[2])) for row in changed["rows"]] == [("finished", 2)]
    assert page.reloads == board.reloads == 0
    assert sent[0] == {"topic": f"tournament.{cup.pk}", "revision": cup.revision}, "for pages that are sent no rows"


@pytest.mark.parametrize("publication", [one for one in Publication.values if one != Publication.EVERYONE])
def test_rows_that_are_not_for_everyone_are_never_sent(
    publication: str, sent: list[Mapping[str, Any]], django_capture_on_commit_callbacks: Any
) -> None:
    cup = running_tournament(ENTRIES, format="swiss", rounds=3)
    result(cup, django_capture_on_commit_callbacks)
    assert any("rows" in one for one in sent) or any(one.get("reload") for one in sent)
    Tournament.objects.filter(pk=cup.pk).update(publication=publication)
    cup.refresh_from_db()
    sent.clear()
    result(cup, django_capture_on_commit_callbacks)
    stored = standings_snapshot_part(cup.stage).recompute()
    public = Tournament.objects.get(pk=cup.pk)
    public.publication = Publication.EVERYONE  # as a worker read it before that was changed
    pushed_rows.tournament_standings_push(public.stages.get(), None, stored)
    assert not any("rows" in one or "part" in one for one in sent)
    assert not has_tournament_pushed_rows(cup.stage, ENTRIES)


@pytest.mark.parametrize(
    ("changed", "state"),
    [
        ({}, "finished"),
        ({"state": MatchState.RUNNING}, "running"),
        ({"state": MatchState.ON_AIR}, "on_air"),
        ({"state": MatchState.QUEUED}, ""),
        ({"state": MatchState.HELD}, ""),
        ({"state": MatchState.RUNNING, "airs_later": True}, ""),
        ({"state": MatchState.ON_AIR, "airs_later": True}, ""),
        ({"void": True}, ""),
        ({"replaced": True}, ""),
    ],
)
def test_a_match_that_is_broadcast_later_or_ruled_on_is_no_plain_row(changed: dict[str, Any], state: str) -> None:
    cup = running_tournament(2, format="swiss", rounds=1)
    finish_matches(cup)
    [pairing] = fixture_pairings_of(cup.stage)
    seats = [(one.score, one.first, one.forfeited) for one in pairing.sittings]
    assert _pairing_row(replace(pairing, **changed)) == (pairing.fixture_id, state, seats if state else [])


def test_new_ratings_of_a_large_tournament_have_its_pages_reload(sent: list[Mapping[str, Any]]) -> None:
    for entries in (ENTRIES - 1, ENTRIES):
        cup = running_tournament(entries, format="swiss", rounds=3)
        finish_matches(cup, most=1)
        sent.clear()
        stored = tournament_ratings_snapshot_part(cup).recompute()
        pushed_rows.tournament_pushed_rows_reload(cup.pk, None, stored)
        reload = [{"topic": f"tournament.{cup.pk}", "revision": stored.revision, "reload": True}]
        assert sent == (reload if entries == ENTRIES else [])


def test_pages_reload_where_the_rows_before_are_not_known_or_others_than_now(sent: list[Mapping[str, Any]]) -> None:
    cup = running_tournament(ENTRIES, format="swiss", rounds=3)
    now = standings_snapshot_part(cup.stage).recompute()
    fewer: StoredPart[Any] = StoredPart(now.value[1:], now.revision, now.made_at, now.refresh_at)
    for replaced in (None, fewer):
        sent.clear()
        pushed_rows.tournament_standings_push(cup.stage, replaced, now)
        assert sent == [{"topic": f"tournament.{cup.pk}", "revision": now.revision, "reload": True}]
    sent.clear()
    pushed_rows.tournament_standings_push(cup.stage, now, now)
    [message] = sent
    assert (message["since"], message["revision"], message["rows"]) == (now.revision, now.revision, [])


def test_a_bracket_a_small_board_and_one_that_is_over_are_sent_no_rows(sent: list[Mapping[str, Any]]) -> None:
    cup = running_tournament(ENTRIES, format="swiss", rounds=3)
    assert has_tournament_pushed_rows(cup.stage, ENTRIES)
    assert not has_tournament_pushed_rows(cup.stage, ENTRIES - 1)
    knockout = running_tournament(ENTRIES, format="single_elimination")
    assert not has_tournament_pushed_rows(knockout.stage, ENTRIES)
    services.tournament_cancel(tournament=cup)
    cup.refresh_from_db()
    assert not has_tournament_pushed_rows(cup.stage, ENTRIES)
