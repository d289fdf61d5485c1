"""A client that openapi-python-client makes of the site's schema does what the site's people do."""

import json
import re
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from celery import current_app

from games.catalogue import GAMES
from games.record import Record
from leagues.services import season_schedule
from matches.worker.process import worker_process_close
from tests.arena.factories import UserFactory
from tests.arena.generated_client import Caller, generate
from tests.arena.openapi import description
from tests.bots.test_permissions import token_of
from tests.hooks.receivers import is_genuine, receiving
from tests.leagues.factories import open_league, season_of, worker_up
from tests.tournaments.factories import bot_of
from tournaments.proof.verify import proof_verify

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture(scope="module", autouse=True)
def _client(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[None]:
    generate(tmp_path_factory.mktemp("generated"))
    yield
    worker_process_close()


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, settings: Any, django_capture_on_commit_callbacks: Any
) -> Callable[[Callable[[], Any]], Any]:
    """Makes a call, and then everything that the workers would do after it."""
    settings.LEASE_SECONDS = 3600  # a heartbeat has a connection of its own, which does not see what is not committed
    current_app.loader.import_default_modules()
    waiting: deque[tuple[str, Any]] = deque()
    monkeypatch.setattr("matches.queue.dispatch._messages_waiting", lambda: waiting.count(("matches.play", ())))
    monkeypatch.setattr("celery.Celery.send_task", lambda _, name, args=(), **__: waiting.append((name, args)))

    def run_call(call: Callable[[], Any]) -> Any:
        with django_capture_on_commit_callbacks(execute=True):
            answer = call()
        while waiting:
            name, args = waiting.popleft()
            if name == "leagues.match_finished":  # a league never ends: it would have its next matches played
                continue
            with django_capture_on_commit_callbacks(execute=True):
                current_app.tasks[name](*args)
        return answer

    return run_call


def test_every_operation_has_a_name_and_its_request_an_example() -> None:
    names = []
    for path, methods in description()["paths"].items():
        for operation in methods.values():
            names.append(operation["operationId"])
            for kind, content in operation.get("requestBody", {}).get("content", {}).items():
                assert "$ref" in content["schema"], path
                assert kind == "multipart/form-data" or content["examples"], path
    assert len(set(names)) == len(names)
    assert [name for name in names if not re.fullmatch(r"[a-z]+(_[a-z]+)*", name)] == []


def test_an_author_creates_a_bot_uploads_joins_plays_and_verifies(run: Callable[[Callable[[], Any]], Any]) -> None:
    league = open_league(bots=1, name="Yard")
    author = UserFactory(username="ada")
    call = Caller(token_of(author), run)
    assert call("me_retrieve").username == "ada"

    bot = call("bots_create", body={"name": "Rooster", "game": "pickomino", "blurb": "Stops early."})
    assert bot.slug == "rooster"
    assert bot.current is None
    source = GAMES["pickomino"].house_bots[0].source()
    assert call.upload(bot.slug, source).number == 1
    version = call("bots_versions_retrieve", bot.slug, 1)
    assert (str(version.state), version.is_current) == ("accepted", True)
    assert version.report["games"] > 0

    assert str(call("leagues_members_create", league.slug, body={"bot": bot.slug}).state) == "active"
    worker_up()
    run(lambda: season_schedule(season_id=season_of(league).pk))
    (result, *_) = call("bots_results_list", bot.slug).results
    match = call("matches_retrieve", result.match)
    assert {seat.bot.slug for seat in match.seats} == {bot.slug, result.opponents[0].slug}
    game = call("matches_games_list", match.id).results[0]
    data = call("matches_games_record_retrieve", match.id, game.index)
    record = Record.decode(call("matches_games_record_bytes_retrieve", match.id, game.index).payload.read())
    assert record.digest.hex() == data.digest
    seats = [game.order.index(seat) for seat in range(len(game.order))]
    assert [record.verify().points[place] for place in seats] == game.points
    assert str(call("leagues_members_destroy", league.slug, bot.slug).state) == "left"


def test_an_author_gets_a_verdict_by_webhook(run: Callable[[Callable[[], Any]], Any], settings: Any) -> None:
    settings.HOOKS_ANYWHERE = True
    author = UserFactory(username="ada")
    call = Caller(token_of(author), run)
    with receiving() as server:
        made = call("hooks_create", body={"url": server.url, "kinds": ["version.verdict"]})
        (listed,) = call("hooks_list").results
        assert (listed.id, listed.url, listed.kinds) == (made.id, server.url, ["version.verdict"])
        test = call("hooks_test_create", made.id)
        assert (test.kind, str(test.state)) == ("hook.test", "waiting")  # it is sent after the answer
        bot = call("bots_create", body={"name": "Rooster", "game": "pickomino"})
        call.upload(bot.slug, GAMES["pickomino"].house_bots[0].source())
        verdict, tested = call("hooks_deliveries_list", made.id).results
        assert (tested.message, str(tested.state), tested.status_code) == (test.message, "delivered", 204)
        assert verdict.event["data"]["state"] == "accepted"
        call("hooks_destroy", made.id)
        assert call("hooks_list").count == 0
        call.upload(bot.slug, b"def act(view):\n    return view['actions'][-1]\n")
    assert len(server.received) == 2  # nothing more is sent once it is deleted
    for (_path, headers, body), sent in zip(server.received, (tested, verdict), strict=True):
        assert is_genuine(made.secret, headers, body)
        assert (headers["webhook-id"], json.loads(body)) == (sent.message, sent.event.to_dict())


def test_an_organiser_runs_a_whole_tournament(run: Callable[[Callable[[], Any]], Any], tmp_path: Path) -> None:
    organiser = Caller(token_of(UserFactory(username="grace", is_organiser=True)), run)
    authors = [bot_of(UserFactory(), slug=f"bird-{number}") for number in range(5)]
    UserFactory(username="judge")

    wanted = {"name": "Harvest Cup", "game": "pickomino", "format": "swiss", "rounds": 2, "blocks": 1}
    wanted |= {"limits": {"act_cpu": 0.5}, "options": {"steal": "mandatory"}, "has_round_review": True}
    cup = organiser("tournaments_create", body={**wanted, "publication": "hidden"}).slug
    settings = organiser("tournaments_settings_retrieve", cup)
    assert (settings.rounds, settings.limits.act_cpu, settings.options["steal"]) == (2, 0.5, "mandatory")
    tag = organiser.headers["ETag"]
    changed = organiser("tournaments_settings_partial_update", cup, body={"tie_breaks": ["wins"]}, if_match=tag)
    assert [str(one) for one in changed.tie_breaks] == ["wins"]

    assert str(organiser("tournaments_open", cup).state) == "open"
    assert str(organiser("tournaments_open", cup).state) == "open"  # twice is once
    for bot in authors:
        Caller(token_of(bot.owner), run)("tournaments_entries_create", cup, body={"bot": bot.slug})
    organiser("tournaments_entries_destroy", cup, "bird-4")
    assert organiser("tournaments_arbiters_create", cup, body={"username": "judge"}).username == "judge"
    assert organiser("tournaments_arbiters_list", cup).count == 1
    organiser("tournaments_arbiters_destroy", cup, "judge")
    pair = organiser("tournaments_forbidden_pairs_create", cup, body={"one": "bird-0", "other": "bird-1"})
    organiser("tournaments_lock", cup)
    assert organiser("tournaments_luck_create", cup, body={"text": "dice: 3 1 6"}).by == "grace"
    organiser("tournaments_start", cup)

    tables = organiser("tournaments_rounds_retrieve", cup, 1).pairings
    one, other = tables[0].seats[0].bot.slug, tables[1].seats[0].bot.slug
    organiser("tournaments_forbidden_pairs_destroy", cup, pair.id)  # else the exchange may break it
    organiser("tournaments_rounds_swap", cup, 1, body={"one": one, "other": other, "despite": []})
    organiser("tournaments_rounds_start", cup, 1)
    organiser("tournaments_pause", cup)
    organiser("tournaments_resume", cup)
    organiser("tournaments_release", cup)

    ruling = {"kind": "void", "round": 1, "table": 1}
    follows = organiser("tournaments_rulings_preview", cup, body=ruling)
    assert follows.changes[0].rows
    made = organiser("tournaments_rulings_create", cup, body={**ruling, "reason": "Noise.", "basis": follows.basis})
    assert (str(made.kind), made.holds) == ("void", True)
    back = {"kind": "take_back", "ruling": made.number}
    basis = organiser("tournaments_rulings_preview", cup, body=back).basis
    organiser("tournaments_rulings_create", cup, body={**back, "reason": "It was none.", "basis": basis})

    organiser("tournaments_rounds_start", cup, 2)
    over = organiser("tournaments_publication_update", cup, body={"publication": "everyone"})
    assert (str(over.state), str(over.publication)) == ("finished", "everyone")
    assert next(row.rank for row in organiser("tournaments_standings_list", cup).results) == 1
    for name in ("tournament_json", "standings_csv", "fixtures_csv", "rulings_csv", "ratings_csv", "ratings_json"):
        assert organiser(f"tournaments_export_{name}", cup), name
    assert organiser("tournaments_export_report", cup, 1).startswith("012 Harvest Cup")
    file = tmp_path / "proof.zip"
    file.write_bytes(organiser("tournaments_export_proof_zip", cup).payload.read())
    assert proof_verify(file).matches == 4
    unwanted = organiser("tournaments_create", body=wanted).slug
    assert str(organiser("tournaments_cancel", unwanted).state) == "cancelled"
