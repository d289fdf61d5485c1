"""An author's own bot bears witness: it chooses again what the record says that it chose."""

import pytest

from peck.__main__ import main
from tests.tournaments.proof.events import CRASHES, FIRST, LAST, MIDDLE, cup_of, play_out
from tests.tournaments.proof.test_verify import proof_file

pytestmark = pytest.mark.django_db
STATEFUL = b"""
class Bot:
    def __init__(self, table):
        self.turn = table["seed"]
    def act(self, view):
        self.turn += 1
        return view["actions"][self.turn % len(view["actions"])]
"""


@pytest.fixture
def cup():
    return play_out(cup_of([STATEFUL, LAST, MIDDLE], blocks=1))


def test_the_bot_that_played_chooses_the_same_on_every_view(cup, tmp_path, capsys):
    proof = proof_file(cup, tmp_path / "proof.zip")
    for entry in cup.entries.select_related("version"):
        (tmp_path / "mine.py").write_bytes(bytes(entry.version.package.content))
        assert main(["verify", str(proof), "--bot", str(tmp_path / "mine.py")]) == 0
        output = capsys.readouterr().out
        assert f"your bot, as entry {entry.pk}, chose the same in all 4 games" in output


def test_another_bot_differs_and_the_first_difference_is_named(cup, tmp_path, capsys):
    proof, entry = proof_file(cup, tmp_path / "proof.zip"), cup.entries.get(bot__name="Bot 2")
    (tmp_path / "other.py").write_bytes(FIRST)
    assert main(["verify", str(proof), "--bot", str(tmp_path / "other.py"), "--entry", str(entry.pk)]) == 1
    errors = capsys.readouterr().err
    assert errors.startswith("your bot differs: round ")
    assert "the record has" in errors


def test_a_bot_that_crashes_here_differs_where_it_crashes(cup, tmp_path, capsys):
    proof, entry = proof_file(cup, tmp_path / "proof.zip"), cup.entries.get(bot__name="Bot 2")
    (tmp_path / "other.py").write_bytes(CRASHES)
    assert main(["verify", str(proof), "--bot", str(tmp_path / "other.py"), "--entry", str(entry.pk)]) == 1
    assert "yours fails: crashed: ZeroDivisionError" in capsys.readouterr().err


def test_a_file_of_no_entrant_requires_the_entry_option(cup, tmp_path, capsys):
    proof = proof_file(cup, tmp_path / "proof.zip")
    (tmp_path / "other.py").write_bytes(MIDDLE)
    assert main(["verify", str(proof), "--bot", str(tmp_path / "other.py")]) == 1
    assert "--entry" in capsys.readouterr().err
