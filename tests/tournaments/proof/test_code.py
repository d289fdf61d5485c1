"""A game that a package brings: matches and proofs name its code, and other code plays and proves nothing unasked."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from games.catalogue import GAMES, PACKAGES
from games.catalogue.code import Code, OtherCode, game_code, game_code_check, game_code_read
from matches.models import Match, MatchState, Seat, WorkerPresence
from matches.proof.archive import FORMAT, WITH_CODE
from matches.proof.chain import ProofError
from matches.queue.leases import PLATFORM_FAULTS_AT_MOST
from matches.queue.worker_status import worker_seen
from matches.services import MatchTerms, match_create, match_release
from matches.worker.playing import worker_play_claim
from peck.__main__ import main
from tests.arena.factories import UserFactory
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.games.sample import pig
from tests.matches.factories import MatchFactory
from tests.matches.in_process import InProcessCage
from tests.tournaments.factories import EntryFactory, TournamentFactory
from tests.tournaments.proof.events import FIRST, LAST, cup_of, play_out
from tests.tournaments.proof.test_verify import proof_file
from tournaments.proof.verify import proof_verify

pytestmark = pytest.mark.django_db
OTHER = str(Code("pecking-order-pig", "0.9", "ab" * 32))


@pytest.fixture(autouse=True)
def _pig(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pig is installed, version 1.0.0 of its package."""
    monkeypatch.setitem(GAMES, "pig", pig.GAME)  # type: ignore[arg-type]
    monkeypatch.setitem(PACKAGES, "pig", ("pecking-order-pig", "1.0.0"))  # type: ignore[arg-type]
    game_code.cache_clear()
    yield
    game_code.cache_clear()


def versions() -> list[Any]:
    return [BotVersionFactory(bot=BotFactory(game="pig"), source=source) for source in (FIRST, LAST)]


@pytest.fixture
def proof(tmp_path: Path) -> Path:
    cup = TournamentFactory(ruleset="pig/1", options={})
    for version in versions():
        EntryFactory(tournament=cup, bot=version.bot)
    return proof_file(play_out(cup), tmp_path / "proof.zip")


def index_of(path: Path) -> dict[str, Any]:
    with ZipFile(path) as archive:
        found: dict[str, Any] = json.loads(archive.read("proof.json"))
    return found


def test_a_digest_is_of_the_modules_and_of_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = game_code("pig")
    assert (here.distribution, here.version, len(here.digest)) == ("pecking-order-pig", "1.0.0", 64)
    assert game_code_read(str(here)) == here
    digests = set()
    for number, name in enumerate(("rules.html", "a.py", "b.py")):
        folder = tmp_path / f"module_{number}"
        folder.mkdir()
        (folder / "__init__.py").write_text("")
        (folder / name).write_text("x = 1\n")
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.setitem(GAMES, "pig", replace(pig.GAME, folder=folder.name))  # type: ignore[arg-type]
        game_code.cache_clear()
        digests.add(game_code("pig").digest)
    assert len(digests) == 3
    (tmp_path / "module_1" / "golden.json").write_text("[]")
    monkeypatch.setitem(GAMES, "pig", replace(pig.GAME, folder="module_1"))  # type: ignore[arg-type]
    game_code.cache_clear()
    assert game_code("pig").digest in digests


@pytest.mark.parametrize("text", ["", "a b", "a b c d", "a  b", "\0 b c"])
def test_what_says_no_code_is_none_and_is_never_refused(text: str) -> None:
    assert game_code_read(text) is None
    game_code_check("pig", text)


def test_the_engines_own_games_are_never_refused_for_another_release() -> None:
    game_code_check("heckmeck", str(Code("pecking-order", "9.9", "0" * 64)))
    with pytest.raises(OtherCode, match=r"the game heckmeck is of a-package 1 .*, and here is pecking-order"):
        game_code_check("heckmeck", "a-package 1 00")


def test_a_worker_with_another_package_leaves_the_match_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("matches.worker.playing.worker_process_cage", InProcessCage)
    match = MatchFactory(ruleset="pig/1", options={}, seats=versions())
    Match.objects.update(code=OTHER)
    assert not worker_play_claim()
    match.refresh_from_db()
    assert (match.state, match.attempt, match.platform_faults) == (MatchState.QUEUED, 0, 0)


def test_a_worker_with_another_package_than_declared_refuses_and_blames_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("matches.worker.playing.worker_process_cage", InProcessCage)
    match = MatchFactory(ruleset="pig/1", options={}, seats=versions())
    Match.objects.update(code=OTHER)
    with monkeypatch.context() as patch:
        patch.setattr("matches.queue.claims.game_codes_installed", lambda: [OTHER])
        for _ in range(PLATFORM_FAULTS_AT_MOST):
            Match.objects.update(dispatch_at=match.created_at)
            assert worker_play_claim()
    match.refresh_from_db()
    assert match.state == MatchState.HELD
    assert "the game pig is of pecking-order-pig 0.9 (abababababab), and here is" in match.last_platform_fault
    assert not Seat.objects.filter(has_forfeited=True).exists()
    assert not match.games.exists()
    # A person who releases it has seen what is installed, and means that.
    assert match_release(matches=Match.objects.all()) == 1
    match.refresh_from_db()
    assert match.code == str(game_code("pig"))
    assert worker_play_claim()
    match.refresh_from_db()
    assert match.state == MatchState.FINISHED


def test_a_new_match_is_of_the_code_that_is_here() -> None:
    terms = MatchTerms("pig/1", options={}, limits={}, blocks=1)
    assert match_create(terms=terms, versions=versions(), secret=bytes(16)).code == str(game_code("pig"))


def test_a_match_without_a_code_is_of_the_release_before_and_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("matches.worker.playing.worker_process_cage", InProcessCage)
    MatchFactory(ruleset="pig/1", options={}, seats=versions())
    Match.objects.update(code="")
    assert worker_play_claim()
    assert Match.objects.get().state == MatchState.FINISHED


def test_operators_see_which_machine_has_another_package(client: Any) -> None:
    worker_seen(name="one@here")
    client.force_login(UserFactory(is_staff=True))
    assert "another package of the game" not in client.get("/operations/").content.decode()
    WorkerPresence.objects.update(games={"pig": OTHER, "chess": "chess 1 ab"})
    page = client.get("/operations/").content.decode()
    assert "pig: pecking-order-pig 0.9 (abababababab)" in page
    assert "chess: chess 1 (ab)" in page
    WorkerPresence.objects.update(games={})
    assert "pig: not installed" in client.get("/operations/").content.decode()
    WorkerPresence.objects.update(games=None)  # a worker of the release before
    assert "another package of the game" not in client.get("/operations/").content.decode()


def test_a_proof_of_a_packages_game_names_its_code_and_holds_by_that_alone(
    proof: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    index = index_of(proof)
    assert (index["format"], index["code"]) == (WITH_CODE, {"pig": [str(game_code("pig"))]})
    assert proof_verify(proof).games == 2
    monkeypatch.setitem(PACKAGES, "pig", ("pecking-order-pig", "1.0.1"))  # type: ignore[arg-type]
    game_code.cache_clear()
    with pytest.raises(ProofError, match=r"is of pecking-order-pig 1\.0\.0 .*, and here is pecking-order-pig 1\.0\.1"):
        proof_verify(proof)
    assert main(["verify", str(proof)]) == 1
    assert "--other-code" in capsys.readouterr().err
    assert main(["verify", str(proof), "--other-code"]) == 0
    monkeypatch.delitem(GAMES, "pig")  # type: ignore[arg-type]
    with pytest.raises(ProofError, match=r"pecking-order-pig 1\.0\.0 .* here it is not installed"):
        proof_verify(proof)


def test_the_proof_of_a_game_of_ours_is_as_it_was(tmp_path: Path) -> None:
    index = index_of(proof_file(play_out(cup_of([FIRST, LAST])), tmp_path / "proof.zip"))
    assert index["format"] == FORMAT
    assert "code" not in index


@pytest.mark.parametrize("code", [{"pig": "x"}, {"pig": [1]}, {"pig": ["two words"]}, {"pig": [["a b c"]]}, []])
def test_a_code_that_is_none_is_refused(proof: Path, tmp_path: Path, code: Any) -> None:
    forged = tmp_path / "forged.zip"
    with ZipFile(proof) as archive, ZipFile(forged, "w") as other:
        for name in archive.namelist():
            data = archive.read(name)
            other.writestr(name, json.dumps(index_of(proof) | {"code": code}) if name == "proof.json" else data)
    with pytest.raises(ProofError, match="code"):
        proof_verify(forged)
