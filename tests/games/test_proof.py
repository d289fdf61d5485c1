"""``peck verify`` of a whole tournament: what holds, and every way in which it may not."""

import json
import zipfile
from hashlib import sha256

import pytest

from bots.house import stand_in
from games.cli import main
from games.dealer import block_seed
from games.proof import FORMAT, ProofError, prove
from games.rulesets import find
from games.table import Table

SECRET = bytes(range(32))
KEY = ["match", 1, 1]


def record_of(seed, *, absent=()):
    """A game of two stand-ins; the first action of each seat in ``absent`` is an intervention."""
    table = Table(find("pickomino"), 2, {}, seed)
    choose, seen = stand_in("pickomino"), set()
    while not table.over:
        first = table.actor in absent and table.actor not in seen
        seen.add(table.actor)
        table.play(choose(table.view(table.actor)), intervention="crashed" if first else None)
    return table.record(), table.outcome


def archive(path, *, change=lambda index, files: None):
    """A match of one block, two games; the bot of seat 1 was at fault in the second."""
    files, games = {}, []
    for number in range(2):
        faulty = [1] if number == 1 else []
        at_table = [(seat - number) % 2 for seat in range(2)]  # the position of each seat
        record, outcome = record_of(block_seed(block_seed(SECRET, *KEY), 0), absent=[at_table[seat] for seat in faulty])
        file = f"game-{number}.bin"
        files[file] = record.encode()
        places = [1, 2] if faulty else [outcome.places[at] for at in at_table]
        points = [outcome.points[at] for at in at_table]
        games.append({"file": file, "points": points, "places": places, "faulty": faulty})
    index = {
        "format": FORMAT,
        "name": "Backyard Cup",
        "commitment": sha256(SECRET).hexdigest(),
        "secret": SECRET.hex(),
        "matches": [{"title": "round 1, table 1", "key": KEY, "seats": ["Hen", "Fox"], "blocks": 1, "games": games}],
    }
    change(index, files)
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("proof.json", json.dumps(index))
        for name, data in files.items():
            packed.writestr(name, data)
    return path


def test_a_tournament_that_was_played_as_published_holds(tmp_path, capsys):
    path = archive(tmp_path / "proof.zip")
    proved = prove(path)
    assert (proved.name, proved.matches, proved.games) == ("Backyard Cup", 1, 2)
    assert main(["verify", str(path)]) == 0
    assert proved.commitment in capsys.readouterr().out


def other_seed(index, files):
    files["game-0.bin"] = record_of(bytes(16))[0].encode()


def first_match(index):
    return index["matches"][0]


CHANGES = {
    "does not have the hash": lambda index, files: index.update(secret=bytes(32).hex()),
    "not of the format": lambda index, files: index.update(format="proof"),
    "not the one that follows from the secret": other_seed,
    "seat 0 made": lambda index, files: first_match(index)["games"][0]["points"].__setitem__(0, 99),
    "a stand-in played for a bot": lambda index, files: first_match(index)["games"][1].update(faulty=[]),
    "does not share the last place": lambda index, files: first_match(index)["games"][1].update(places=[1, 1]),
    "1 games, not 1 blocks of 2": lambda index, files: first_match(index)["games"].pop(),
    "game-1.bin is missing": lambda index, files: files.pop("game-1.bin"),
    "round 1, table 1, game 2": lambda index, files: files.update({"game-1.bin": b"\0" * 40}),
    "'seats' is missing": lambda index, files: first_match(index).pop("seats"),
    "of the kind int, not list": lambda index, files: index.update(matches=7),
}


@pytest.mark.parametrize("said", CHANGES)
def test_whatever_does_not_hold_is_named(tmp_path, said, capsys):
    path = archive(tmp_path / "proof.zip", change=CHANGES[said])
    with pytest.raises(ProofError, match=said):
        prove(path)
    assert main(["verify", str(path)]) == 1
    assert said in capsys.readouterr().err


def test_a_place_that_was_not_reached_is_named(tmp_path):
    def swap(index, files):
        game = first_match(index)["games"][0]
        game["places"] = [3 - place for place in game["places"]]

    with pytest.raises(ProofError, match="place"):
        prove(archive(tmp_path / "proof.zip", change=swap))
