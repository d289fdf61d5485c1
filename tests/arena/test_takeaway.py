"""What the site gives its authors to take home works there, without the site."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from arena.site.handbook import house_files
from arena.site.samples import FIRST_BOT
from arena.site.takeaway import peck_file


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
    assert "first: bot " in done.stdout
    assert ", fat-crow " in done.stdout


def test_it_is_the_same_file_every_time() -> None:
    first = peck_file()
    peck_file.cache_clear()
    assert peck_file() == first


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["pickomino/nobody.py", "chess/fat-crow.py", "karteneck/fat-crow.py"])
def test_of_other_files_there_is_none(client: Client, address: str) -> None:
    assert client.get(f"/docs/house/{address}").status_code == 404


def test_no_two_house_bots_of_a_game_share_a_file_and_none_hides_a_module() -> None:
    for _, bots in house_files():
        names = [Path(file).stem for _, file, _ in bots]
        assert len(set(names)) == len(names)
        assert not set(names) & sys.stdlib_module_names
