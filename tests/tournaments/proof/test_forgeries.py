"""The twelve forgeries that format 1 certified, each by its name; and files that are no whole proof."""

import copy
import json
import re
import subprocess
import sys
import zipfile
from hashlib import sha256

import pytest

from games.catalogue import catalogue_stand_in, current
from games.dealer import block_seed
from games.table import Table
from matches.proof.archive import CHAIN, INDEX, NAMES, RECORDS
from peck.__main__ import main
from tests.tournaments.proof.events import CRASHES, FIRST, LAST, MIDDLE, cup_of, play_out
from tests.tournaments.proof.forging import Parts
from tests.tournaments.proof.test_verify import proof_file
from tournaments.proof.verify import proof_verify

pytestmark = pytest.mark.django_db


MADE: dict[str, bytes] = {}  # played once: what is checked needs no database


@pytest.fixture
def proof(tmp_path):
    """Three sound bots and one that crashes play a round robin of two blocks a match."""
    path = tmp_path / "proof.zip"
    if "proof" not in MADE:
        MADE["proof"] = proof_file(play_out(cup_of([FIRST, LAST, MIDDLE, CRASHES], blocks=2)), path).read_bytes()
        MADE["other"] = proof_file(play_out(cup_of([LAST, FIRST, LAST], name="Other")), path).read_bytes()
    path.write_bytes(MADE["proof"])
    return path


def results(parts):
    return [link["content"] for link in parts.links if link["kind"] == "result"]


def sound(parts):
    """A result in which nobody was at fault, and the number of its first record."""
    at = 0
    for content in results(parts):
        if not any(game["faults"] for game in content["games"]):
            return content, at
        at += len(content["games"])
    raise AssertionError("every match has a fault")


def faulty(parts):
    return next(content for content in results(parts) if content["games"][0]["faults"])


def drop(parts, content):
    at = sum(len(one["games"]) for one in results(parts)[: results(parts).index(content)])
    del parts.records[at : at + len(content["games"])]
    parts.links = [link for link in parts.links if link["content"] is not content]


def a_match_dropped(parts):
    drop(parts, results(parts)[2])


def all_matches_dropped(parts):
    for content in list(results(parts)):
        drop(parts, content)


def a_series_cut_short(parts):
    content, at = sound(parts)
    content["blocks"] = 1
    del content["games"][2:], parts.records[at + 2 : at + 4]


def the_winner_called_at_fault_in_every_game(parts):
    content, _ = sound(parts)
    for game in content["games"]:
        game["faults"] = [{"seat": 0, "verdict": "crashed", "action": 0, "said": "0" * 64}]
        game["places"] = [2, 1]
    content["forfeited"][0] = True


def invented_games(parts):
    content, at = sound(parts)
    content["games"].append(copy.deepcopy(content["games"][0]))
    parts.records.insert(at + 4, record(bytes(16)))


def the_attempt_ground_until_the_luck_suits(parts):
    for link in parts.links:
        if link["kind"] == "round" and link["content"]["round"] == 1:
            link["content"]["tables"][0]["attempt"] = 7
    results(parts)[0]["attempt"] = 7


def names_of_seats_swapped(parts):
    one, other = sorted(parts.names)[:2]
    parts.names[one]["name"], parts.names[other]["name"] = parts.names[other]["name"], parts.names[one]["name"]


def names_of_seats_blanked(parts):
    for author in parts.names.values():
        author["name"] = ""


def one_match_listed_three_times(parts):
    at = next(at for at, link in enumerate(parts.links) if link["kind"] == "result")
    games = len(parts.links[at]["content"]["games"])
    for _ in range(2):
        parts.links.insert(at, copy.deepcopy(parts.links[at]))
        parts.records[:0] = parts.records[:games]


def records_of_another_game(parts):
    content, at = sound(parts)
    table = Table(current("karteneck"), 2, {}, block_seed(b"x", 0))
    choose = catalogue_stand_in("karteneck")
    while not table.over:
        table.play(choose(table.view(table.actor)))
    parts.records[at] = table.record().encode()
    content["games"][0]["record"] = digest(parts.records[at])


def records_of_another_version_of_the_rules(parts):
    parts.find("terms")["ruleset"] = "pickomino/99"


def nine_thousand_points_for_a_faulty_seat(parts):
    game = faulty(parts)["games"][0]
    game["points"][game["faults"][0]["seat"]] = 9999


FORGERIES = {
    a_match_dropped: "is missing|ends although",
    all_matches_dropped: "for forfeits, but has too few",
    a_series_cut_short: "a game is missing",
    the_winner_called_at_fault_in_every_game: "listed with a fault, but its bot played on",
    invented_games: "seed is not the one|another SHA-256 than the chain says",
    the_attempt_ground_until_the_luck_suits: "not the one that follows",
    names_of_seats_swapped: "differs from that in the chain",
    names_of_seats_blanked: "differs from that in the chain",
    one_match_listed_three_times: "listed twice",
    records_of_another_game: "its record is of karteneck",
    records_of_another_version_of_the_rules: "the terms",
    nine_thousand_points_for_a_faulty_seat: "the points differ",
}


def digest(data):
    return sha256(data).hexdigest()


def record(seed):
    table = Table(current("pickomino"), 2, {}, seed)
    choose = catalogue_stand_in("pickomino")
    while not table.over:
        table.play(choose(table.view(table.actor)))
    return table.record().encode()


def error_of(path, capsys):
    """What ``peck verify`` says of a proof that does not hold: one line, and exit code 1."""
    assert main(["verify", str(path)]) == 1
    output = capsys.readouterr()
    assert not output.out
    assert output.err.count("\n") == 1
    return output.err


def test_the_twelve_forgeries_are_each_named(proof, tmp_path, capsys):
    assert main(["verify", str(proof)]) == 0
    assert "no file can prove" in capsys.readouterr().out
    assert len(FORGERIES) == 12
    for number, (forge, pattern) in enumerate(FORGERIES.items()):
        parts = Parts.of(proof)
        assert parts.honest_head
        forge(parts)
        error = error_of(parts.write(tmp_path / f"{number}.zip"), capsys)
        assert error.startswith("does not hold: ")
        assert re.search(pattern, error), (forge.__name__, error)


@pytest.mark.parametrize(
    ("terms", "error"),
    [
        ({"format": "swiss"}, "swiss needs a number of rounds"),
        ({"third_place": True}, "round_robin has no match for the third place"),
        ({"format": "heats"}, "heats is not played at tables of 2"),
    ],
)
def test_terms_that_their_format_does_not_allow_do_not_hold(proof, tmp_path, capsys, terms, error):
    parts = Parts.of(proof)
    parts.find("terms")["stages"][0].update(terms)
    assert error in error_of(parts.write(tmp_path / "altered.zip"), capsys)


def members(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(path, parts):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return path


@pytest.mark.parametrize("part", [INDEX, CHAIN, NAMES, RECORDS])
def test_two_proofs_mixed_do_not_hold(proof, tmp_path, capsys, part):
    path = tmp_path / "other.zip"
    path.write_bytes(MADE["other"])
    other = members(path)
    error_of(packed(tmp_path / "mixed.zip", members(proof) | {part: other[part]}), capsys)


@pytest.mark.parametrize("part", [INDEX, CHAIN, NAMES, RECORDS])
def test_a_missing_part_is_named(proof, tmp_path, capsys, part):
    rest = {name: data for name, data in members(proof).items() if name != part}
    assert f"{part} is missing" in error_of(packed(tmp_path / "less.zip", rest), capsys)


def test_a_foreign_part_is_named(proof, tmp_path, capsys):
    error = error_of(packed(tmp_path / "more.zip", members(proof) | {"notes.txt": b"hello"}), capsys)
    assert "notes.txt is foreign" in error


@pytest.mark.parametrize("share", [0.01, 0.3, 0.7, 0.99])
def test_a_truncated_file_does_not_hold(proof, tmp_path, capsys, share):
    data = proof.read_bytes()
    path = tmp_path / "cut.zip"
    path.write_bytes(data[: int(len(data) * share)])
    error_of(path, capsys)


def test_a_truncated_part_does_not_hold(proof, tmp_path, capsys):
    whole = members(proof)
    for part in (CHAIN, RECORDS):
        for cut in (whole[part][:-1], whole[part][:-30], whole[part].rpartition(b"\n")[0].rpartition(b"\n")[0] + b"\n"):
            error_of(packed(tmp_path / "cut.zip", whole | {part: cut}), capsys)


def test_a_proof_taken_while_the_tournament_was_under_way_says_so(proof, tmp_path, capsys):
    parts = Parts.of(proof)
    assert parts.honest_head
    parts.links = [link for link in parts.links if link["kind"] not in ("stage_end", "end")]
    assert "had not ended when this proof was taken" in error_of(parts.write(tmp_path / "early.zip"), capsys)


def test_a_head_that_was_noted_is_found_or_the_change_is(proof, capsys):
    head = proof_verify(proof).head
    assert main(["verify", str(proof), "--head", head]) == 0
    assert "nothing up to it was changed" in capsys.readouterr().out
    assert main(["verify", str(proof), "--head", "0" * 64]) == 1
    assert "a link before it was changed" in capsys.readouterr().err


def test_format_1_is_named_as_superseded(tmp_path, capsys):
    index = {"format": "pecking-order-proof/1", "name": "Cup", "commitment": "", "secret": "", "matches": []}
    assert "superseded" in error_of(packed(tmp_path / "old.zip", {INDEX: json.dumps(index).encode()}), capsys)


BOUNDED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (700 * 2**20, 700 * 2**20))
from peck.__main__ import main
sys.exit(main(["verify", sys.argv[1]]))
"""


FILLINGS = {"one line": b"0", "nested": b"[", "short lines": b"{}\n"}
BOMBS = [(part, filling) for part in (INDEX, CHAIN, NAMES, RECORDS) for filling in FILLINGS]


# `make test` tries the first.
@pytest.mark.parametrize(
    ("part", "filling"),
    [
        pytest.param(part, filling, marks=pytest.mark.exhaustive if number else ())
        for number, (part, filling) in enumerate(BOMBS)
    ],
)
def test_a_zip_bomb_is_refused_in_bounded_memory(proof, tmp_path, part, filling):
    whole = members(proof)
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in whole.items():
            if name != part:
                archive.writestr(name, data)
        with archive.open(part, "w") as file:
            for _ in range(64):
                file.write(FILLINGS[filling] * (2**20 // len(FILLINGS[filling])))
    ran = subprocess.run([sys.executable, "-c", BOUNDED, str(path)], capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith("does not hold: ")
    assert ran.stderr.count("\n") == 1
