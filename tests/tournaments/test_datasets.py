"""Data sets: what is in them plays again, only what is shown is in them, and downloads count for the reader."""

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
import yaml
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from arena.accounts.tokens import token_create
from bots.models import Bot
from games.record import Intervention, Record, RecordError
from games.state import Outcome
from games.untrusted import JSON_BYTES, UntrustedError
from matches.bot_history.selectors import Ruled
from matches.datasets import archive as tables
from matches.datasets import rows
from matches.datasets.archive import JSON_ARCHIVE, dataset_archive, dataset_archive_bibtex, dataset_archive_citation
from matches.models import Game, Match
from matches.proof import dataset
from matches.proof.chain import ProofError
from matches.proof.dataset import RULINGS, dataset_places_follow, dataset_prove, proof_dataset_decisions
from peck.__main__ import main
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.arena.pages import assert_clean_page
from tests.arena.prepared import make_files
from tests.bots.test_permissions import token_of
from tests.groups.factories import GroupFactory, member_in
from tests.tournaments.factories import EntryFactory, TournamentFactory
from tests.tournaments.proof.events import play_out
from tournaments.errors import WrongState
from tournaments.models import Publication, Ruling, Tournament
from tournaments.selectors.pages.exports import DATASET, tournament_dataset_contents
from tournaments.services import tournament_dataset_licence_set
from web.models import PreparedFile

pytestmark = pytest.mark.django_db

HOSTILE = 'Cup}\\input{"%\n#: [x]\N{ROOSTER}\x7f'
FILES = ("dataset.zip", "dataset-parquet.zip")


@pytest.fixture(autouse=True)
def _no_counts() -> None:
    caches["optional"].clear()


def played(bots: int = 3, **fields: Any) -> Tournament:
    cup = TournamentFactory(entries=0, **fields)
    for _ in range(bots):
        EntryFactory(tournament=cup)
    return play_out(cup)


def client_of(person: Any = None) -> Client:
    client = Client()
    if person is not None:
        client.force_login(person)
    return client


def page_and_files(cup: Tournament, person: Any) -> list[int]:
    """The statuses of the page, of two files on it and of the same over the API, once a worker has made them."""
    client = client_of(person)
    paths = [reverse("tournaments:dataset", args=[cup.slug])]
    if person is not None:
        for name in FILES:
            client.post(reverse("tournaments:dataset-file", args=[cup.slug, name]))
        make_files()
    paths += [reverse("tournaments:dataset-file", args=[cup.slug, name]) for name in FILES]
    found = [client.get(path).status_code for path in paths]
    token = {"authorization": f"Token {token_of(person)}"} if person else {}
    return found + [
        Client().get(f"/api/tournaments/{cup.slug}/export/{name}", headers=token).status_code for name in FILES
    ]


def test_it_plays_again_to_the_hashes_and_a_changed_one_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rows, "AT_ONCE", 2)
    cup = tournament_dataset_licence_set(tournament=played(), licence="CC-BY-4.0")
    bot = cup.entries.earliest("pk").bot
    Bot.objects.filter(pk=bot.pk).update(name=HOSTILE)
    path = tmp_path / "dataset.zip"
    address, client = reverse("tournaments:dataset-file", args=[cup.slug, "dataset.zip"]), client_of(UserFactory())
    assert client.post(address).status_code == 302
    make_files()
    answer = client.get(address)
    path.write_bytes(answer.getvalue())
    assert int(answer["Content-Length"]) == path.stat().st_size
    assert main(["verify", str(path)]) == 0
    assert "every game plays to its result" in capsys.readouterr().out
    with ZipFile(path) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    games = [json.loads(line) for line in held["games.jsonl"].splitlines()]
    decisions = [json.loads(line) for line in held["decisions.jsonl"].splitlines()]
    found = dataset_prove(path)
    assert (found.games, found.decisions, found.licence) == (len(games), len(decisions), "CC-BY-4.0")
    assert {bot["entry"] for game in games for bot in game["bots"]} == set(cup.entries.values_list("pk", flat=True))
    assert HOSTILE in {bot["name"] for game in games for bot in game["bots"]}
    assert all(one["action"] in one["view"]["actions"] for one in decisions)
    assert b"SPDX-License-Identifier: CC-BY-4.0" in held["LICENSE.txt"]
    for author in cup.entries.values_list("bot__owner__username", flat=True):
        assert not any(author.encode() in data for data in held.values())
    others: list[dict[str, Any]] = [
        {"places": [one + 1 for one in games[0]["places"]]},  # reversed, those of a tie are the same
        {"points": [one + 1 for one in games[0]["points"]]},
        {"reason": "another"},
        {"tie_break": "another"},
        {"game": 2},
        {"record": "0" * 64},
        {"actions": games[0]["actions"][:-1]},
        {"interventions": [{"at": -1, "seat": 0, "cause": "illegal_action"}]},
        {"ruled": {"kind": "void", "scores": None}},  # not in the other games of its match
        {"ruled": {"kind": "pardoned", "scores": None}},
        {"ruled": {"kind": "replace", "scores": None}},
        {"ruled": {"kind": "replace", "scores": [1]}},
    ]
    changes = {
        "games.jsonl": [games[0] | other for other in others],
        "decisions.jsonl": [{**decisions[0], "action": "another"}],
    }
    for name, changed in changes.items():
        for row in changed:
            rest = held[name].split(b"\n", 1)[1]
            with ZipFile(path, "w", ZIP_DEFLATED) as archive:
                for one, data in {**held, name: json.dumps(row).encode() + b"\n" + rest}.items():
                    archive.writestr(one, data)
            with pytest.raises((ProofError, RecordError)):
                dataset_prove(path)
    with ZipFile(path, "w") as archive:
        for one, data in {**held, "decisions.jsonl": held["decisions.jsonl"] + b"{}\n"}.items():
            archive.writestr(one, data)
    with pytest.raises(ProofError, match="lines after the last game"):
        dataset_prove(path)


def test_games_that_cannot_be_played_are_left_out_and_named_and_the_rest_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = tournament_dataset_licence_set(tournament=played(), licence="CC0-1.0")
    broken = Game.objects.filter(match__fixture__round__tournament=cup).first()
    assert broken is not None
    Game.objects.filter(pk=broken.pk).update(record=bytes(broken.record).replace(b"pickomino", b"pickomine"))
    path = tmp_path / "dataset.zip"
    path.write_bytes(b"".join(dataset_archive(tournament_dataset_contents(cup), JSON_ARCHIVE)))
    left = Game.objects.filter(match__fixture__round__tournament=cup).count() - 1
    assert dataset_prove(path).games == left > 0
    with ZipFile(path) as archive:
        assert f"\n{left} games of" in archive.read("README.txt").decode()
        listed = json.loads(archive.read("dataset.json"))["left_out"]
    assert [(one["match"], one["index"]) for one in listed] == [(broken.match_id, broken.index)]

    calls = 0

    def breaks(*given: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise ZeroDivisionError("of a package's code, in the middle of a game")
        return proof_dataset_decisions(*given)

    monkeypatch.setattr(rows, "proof_dataset_decisions", breaks)
    path.write_bytes(b"".join(dataset_archive(tournament_dataset_contents(cup), JSON_ARCHIVE)))
    with ZipFile(path) as archive:
        index = json.loads(archive.read("dataset.json"))
    assert (index["games"], index["left_out_games"]) == (left - 1, 2)
    assert "ZeroDivisionError" in index["left_out"][1]["reason"]
    assert dataset_prove(path).left_out == 2


def test_a_seat_at_fault_before_acting_may_have_the_last_place() -> None:
    ended = Outcome((5, 3, 1), (1, 2, 3), "over", "")
    record = Record("pickomino/1", 3, {}, bytes(16), (), (), bytes(16))
    assert dataset_places_follow([1, 2, 3], ended, record, acted={0, 1, 2})
    assert not dataset_places_follow([3, 1, 2], ended, record, acted={0, 1, 2})
    assert dataset_places_follow([3, 1, 2], ended, record, acted={1, 2})
    assert not dataset_places_follow([1, 1, 3], ended, record, acted={1, 2})
    taken_over = replace(record, interventions=(Intervention(0, 1, "wall"),))
    assert not dataset_places_follow([1, 2, 3], ended, taken_over, acted={0, 1, 2})
    assert dataset_places_follow([1, 3, 2], ended, taken_over, acted={0, 1, 2})


def test_parquet_has_the_same_rows_and_a_site_without_pyarrow_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(tables, "ROWS", 7)  # several groups
    cup = tournament_dataset_licence_set(tournament=played(2), licence="CC0-1.0")
    client = client_of(UserFactory())
    address = reverse("tournaments:dataset-file", args=[cup.slug, "dataset-parquet.zip"])
    client.post(address)
    make_files()
    with ZipFile(io.BytesIO(client.get(address).getvalue())) as archive:
        found = {name: pq.read_table(io.BytesIO(archive.read(name))).to_pylist() for name in archive.namelist()[:2]}
    with ZipFile(io.BytesIO(b"".join(dataset_archive(tournament_dataset_contents(cup), JSON_ARCHIVE)))) as archive:
        for name in ("games", "decisions"):
            expected = [json.loads(line) for line in archive.read(f"{name}.jsonl").splitlines()]
            columns = {key for key, kind in tables.COLUMNS[name].items() if kind == "json"}
            read = [
                {k: json.loads(v) if k in columns else v for k, v in row.items()} for row in found[f"{name}.parquet"]
            ]
            assert read == expected
    monkeypatch.setattr(tables, "find_spec", lambda _name: None)
    page = client.get(reverse("tournaments:dataset", args=[cup.slug])).content.decode()
    assert "pip install pyarrow" in page
    assert client.get(address).status_code == 404


def test_it_is_there_once_all_is_shown_and_its_organiser_offers_it() -> None:
    cup = played(2)
    visitor, organiser, staff = UserFactory(), cup.organiser, UserFactory(is_staff=True)
    cup.arbiters.add(arbiter := UserFactory())
    owner = cup.entries.earliest("pk").bot.owner
    nothing = [404, 404, 404, 404, 404]
    for person in (visitor, owner, arbiter):
        assert page_and_files(cup, person) == nothing
    assert page_and_files(cup, organiser) == page_and_files(cup, staff) == [200, *nothing[1:]]
    address = reverse("tournaments:dataset", args=[cup.slug])
    for person in (visitor, owner, arbiter):
        assert client_of(person).post(address, {"licence": "CC0-1.0"}).status_code == 403
    assert client_of(organiser).post(address, {"licence": "WTFPL"}).status_code == 404
    token = {"authorization": f"Token {token_of(organiser)}"}
    api = f"/api/tournaments/{cup.slug}/dataset/"
    for licence, status in (("WTFPL", 400), ("CC0-1.0", 200), ("CC0-1.0", 200)):
        response = Client().put(api, {"licence": licence}, content_type="application/json", headers=token)
        assert response.status_code == status
    for person in (visitor, owner, arbiter, organiser, staff):
        assert page_and_files(cup, person) == [200, 200, 200, 200, 200]
    assert page_and_files(cup, None) == [200, 302, 302, 401, 401]
    for person in (None, organiser):
        assert_clean_page(client_of(person).get(address))
    assert PreparedFile.objects.get(kind=DATASET, name="dataset.zip").attempt == 1, "it is made once for all of them"
    Tournament.objects.filter(pk=cup.pk).update(publication=Publication.HIDDEN)
    assert page_and_files(cup, visitor) == [403] * 5
    assert page_and_files(cup, organiser) == [200, *nothing[1:]]
    with pytest.raises(WrongState):
        tournament_dataset_licence_set(tournament=TournamentFactory(), licence="CC0-1.0")


def test_members_get_the_data_set_of_a_group_and_files_are_counted(settings: Any) -> None:
    organiser, member, outsider = OrganiserFactory(), UserFactory(), UserFactory()
    group = GroupFactory(created_by=organiser)
    member_in(group, member)
    cup = played(2)
    Tournament.objects.filter(pk=cup.pk).update(audience="group", group=group)
    cup = tournament_dataset_licence_set(tournament=cup, licence="ODbL-1.0")
    assert page_and_files(cup, outsider) == [404] * 5
    address = reverse("tournaments:dataset-file", args=[cup.slug, "dataset.zip"])
    client, statuses = client_of(member), []
    api, token = (
        f"/api/tournaments/{cup.slug}/export/dataset.zip",
        {"authorization": f"Token {token_create(owner=member, name='reads', scopes=())}"},
    )
    assert client.get(address).status_code == 302
    problem = Client().get(api, headers=token)
    assert (problem.status_code, problem.json()["code"]) == (404, "not_prepared")
    assert not PreparedFile.objects.exists(), "reading orders nothing"
    assert f'action="{address}"' in client.get(reverse("tournaments:dataset", args=[cup.slug])).content.decode()
    for answer in (Client().post(api, headers=token), Client().get(api, headers=token)):
        assert (answer.status_code, answer.json()["state"], answer["Retry-After"]) == (202, "waiting", "3")
    assert client.post(address).status_code == 302
    make_files()
    assert Client().post(api, headers=token).json()["state"] == "ready"
    for _ in range(14):
        answer = client.get(address)
        statuses.append(answer.status_code)
        answer.close()
    assert statuses == [200] * 12 + [429] * 2
    assert page_and_files(cup, member)[3:] == [429, 429]


def test_names_mean_nothing_to_yaml_and_latex() -> None:
    cup = Tournament(name=HOSTILE, slug="cup", organiser=UserFactory(), dataset_licence="CC0-1.0")
    event = tournament_dataset_contents(cup)
    lines = dataset_archive_citation(event).splitlines()
    assert len(lines) == 7
    assert yaml.safe_load("\n".join(lines))["title"] == f"{HOSTILE}: games and decisions"
    text = dataset_archive_bibtex(event)
    assert text.count("{") == text.count("}")
    assert "\\input" not in text


def test_rulings_stand_beside_the_games_and_are_checked(tmp_path: Path) -> None:
    cup = tournament_dataset_licence_set(tournament=played(3), licence="CC0-1.0")
    matches = list(Match.objects.filter(fixture__round__tournament=cup).order_by("pk")[:2])
    by = cup.organiser
    Ruling.objects.create(
        tournament=cup, number=1, kind="void", match=matches[0], reason="A power cut.", by=by, basis="a" * 64
    )
    seats = list(matches[1].seats.order_by("index"))
    entries = {cup.entries.get(version=seat.version_id).pk: place for place, seat in enumerate(seats)}
    scores = {"scores": {str(entry): place for entry, place in entries.items()}}
    Ruling.objects.create(
        tournament=cup,
        number=2,
        kind="replace",
        match=matches[1],
        reason="A wrong seat.",
        by=by,
        basis="b" * 64,
        data=scores,
    )
    path = tmp_path / "dataset.zip"
    path.write_bytes(b"".join(dataset_archive(tournament_dataset_contents(cup), JSON_ARCHIVE)))
    assert dataset_prove(path).games
    with ZipFile(path) as archive:
        games = [json.loads(line) for line in archive.read("games.jsonl").splitlines()]
    for game in games:
        if game["match"] == matches[0].pk:
            assert game["ruled"] == {"kind": "void", "scores": None}
        elif game["match"] == matches[1].pk:
            assert game["ruled"] == {"kind": "replace", "scores": [entries[bot["entry"]] for bot in game["bots"]]}
        else:
            assert game["ruled"] is None
    assert set(RULINGS) == {one.value for one in Ruled}


def test_a_zip_bomb_is_refused_by_what_it_says_and_by_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = {"format": "pecking-order-dataset/2", "name": "x", "licence": "CC0-1.0", "games": 1, "left_out_games": 0}
    path = tmp_path / "dataset.zip"
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("dataset.json", json.dumps({**index, "left_out": [], "site": None}))
        archive.writestr("games.jsonl", b"0" * (JSON_BYTES + 2))
        archive.writestr("decisions.jsonl", b"")
    with pytest.raises(UntrustedError, match="has a line that is longer"):
        dataset_prove(path)
    monkeypatch.setattr(dataset, "DATASET_BYTES", 1000)
    with pytest.raises(UntrustedError, match="more than 1000 bytes, unpacked"):
        dataset_prove(path)
