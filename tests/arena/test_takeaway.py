"""Downloads for authors work at home, without the site."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from arena.site.author_kit import kit_peck_file
from arena.site.docs_context import docs_house_bot_files
from arena.site.samples import FIRST_BOT
from tests.tournaments.proof.events import FIRST, LAST, cup_of, play_out
from tournaments.selectors.pages.proof_and_luck import tournament_proof_of


@pytest.mark.processes
def test_the_command_plays_the_first_bot_against_a_house_bot_with_python_alone(client: Client, tmp_path: Path) -> None:
    for name, address in (("peck.pyz", reverse("peck")), ("fat-crow.py", "/docs/house/pickomino/fat-crow.py")):
        answer = client.get(address)
        assert answer["Content-Disposition"] == f'attachment; filename="{name}"'
        (tmp_path / name).write_bytes(answer.content)
    (tmp_path / "bot.py").write_text(FIRST_BOT)
    command = ["peck.pyz", "play", "pickomino", "bot.py", "fat-crow.py"]
    done = subprocess.run(
        [sys.executable, "-I", "-S", *command], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "\nbot " in done.stdout
    assert ", fat-crow " in done.stdout


def test_it_is_the_same_file_every_time() -> None:
    first = kit_peck_file()
    kit_peck_file.cache_clear()
    assert kit_peck_file() == first


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["pickomino/nobody.py", "chess/fat-crow.py", "karteneck/fat-crow.py"])
def test_other_files_are_404(client: Client, address: str) -> None:
    assert client.get(f"/docs/house/{address}").status_code == 404


def test_no_two_house_bots_of_a_game_share_a_file_and_none_hides_a_module() -> None:
    for _, bots in docs_house_bot_files():
        names = [Path(file).stem for _, file, _ in bots]
        assert len(set(names)) == len(names)
        assert not set(names) & sys.stdlib_module_names


@pytest.mark.processes
@pytest.mark.django_db
def test_the_file_verifies_a_proof_with_python_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    cup = play_out(cup_of([FIRST, LAST, LAST], format="swiss", rounds=2))
    (tmp_path / "peck.pyz").write_bytes(kit_peck_file())
    (tmp_path / "proof.zip").write_bytes(b"".join(tournament_proof_of(cup)))
    command = [sys.executable, "-I", "-S", "peck.pyz", "verify", "proof.zip"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "holds: 3 entries, 2 rounds" in done.stdout
