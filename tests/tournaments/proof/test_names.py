"""The names in a proof: as of the head that was noted, distinct from each other, and typed like every other field."""

import pytest

from bots.models import Bot
from matches.proof.chain import chain_name_digest
from peck.__main__ import main
from tests.tournaments.proof.events import FIRST, LAST, MIDDLE, cup_of, play_out
from tests.tournaments.proof.forging import Parts
from tests.tournaments.proof.test_verify import proof_file
from tournaments.proof.verify import proof_verify

pytestmark = pytest.mark.django_db

MADE: dict[str, bytes] = {}  # played once: what is checked needs no database
SALT = "ab" * 16


@pytest.fixture
def proof(tmp_path):
    path = tmp_path / "proof.zip"
    if "proof" not in MADE:
        MADE["proof"] = proof_file(play_out(cup_of([FIRST, LAST, MIDDLE])), path).read_bytes()
    path.write_bytes(MADE["proof"])
    return path


def entries(parts):
    return sorted(whose for whose in parts.names if whose.startswith("entry/"))


def renamed(parts, whose, name, salt=SALT):
    """Append what a site appends when pages show another name."""
    parts.names[whose] = {"salt": salt, "name": name}
    parts.links.append({**parts.links[-1], "kind": "renamed"})
    parts.links[-1]["content"] = {"whose": whose, "name": chain_name_digest(salt, name)}


def test_names_swapped_after_the_head_was_noted_are_reported_as_changed(proof, tmp_path, capsys):
    head, parts = proof_verify(proof).head, Parts.of(proof)
    one, other, third = entries(parts)
    first, second = parts.names[one]["name"], parts.names[other]["name"]
    renamed(parts, one, second)
    renamed(parts, other, first, salt="cd" * 16)
    forged = parts.write(tmp_path / "forged.zip")
    assert main(["verify", str(forged), "--head", head]) == 0
    output = capsys.readouterr().out
    assert "does not cover the links after it: 2 renamed" in output
    for whose, name in ((one, second), (other, first)):
        assert f"{whose} had another name when the head was noted: it is now called {name!r}" in output
        assert f"{whose} (had another name when the head was noted; now {name!r})" in output
        assert f": {name}\n" not in output
    assert parts.names[third]["name"] in output
    assert f"{third} was named" not in output


def test_a_restored_name_reports_only_the_links(proof, tmp_path):
    head, parts = proof_verify(proof).head, Parts.of(proof)
    one = entries(parts)[0]
    was = dict(parts.names[one])
    renamed(parts, one, "Other")
    renamed(parts, one, was["name"], salt=was["salt"])
    proved = proof_verify(parts.write(tmp_path / "forged.zip"), noted=head)
    assert (proved.renamed, proved.later) == ((), (("renamed", 2),))


def test_names_recorded_only_after_the_head_are_reported(proof, tmp_path):
    parts = Parts.of(proof)
    parts.links = parts.links[:1]
    early = parts.write(tmp_path / "early.zip")
    assert [link["kind"] for link in parts.links] == ["terms"]
    proved = proof_verify(proof, noted=Parts.of(early).honest_head["digest"])
    assert proved.noted == 1
    assert all(name.endswith("(not in the chain when the head was noted)") for _, name in proved.places)


@pytest.mark.parametrize("name", ["{}", "{} ", "\u0421{[1:]}", "{}\u200b", "\x1b[2K{}", "{}\n", "", "  "])
def test_names_that_are_equal_look_alike_or_cannot_be_read_do_not_hold(proof, tmp_path, capsys, name):
    parts = Parts.of(proof)
    one, other, _ = entries(parts)
    renamed(parts, other, "Crow")
    renamed(parts, one, name.replace("{[1:]}", "row").replace("{}", "Crow"), salt="cd" * 16)
    assert main(["verify", str(parts.write(tmp_path / "forged.zip"))]) == 1
    printed = capsys.readouterr()
    assert not printed.out
    assert "names.json: the name of " in printed.err
    assert "\x1b" not in printed.err
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize(
    "at", ["9999-99-99T00:00:00.000000Z", "2999-02-30T00:00:00.000000Z", "9999-99-99", "z", "2999-01-01\x1b[2K", ""]
)
def test_times_that_are_none_do_not_hold(proof, tmp_path, capsys, at):
    parts = Parts.of(proof)
    parts.links[-1]["at"] = at
    assert main(["verify", str(parts.write(tmp_path / "forged.zip"))]) == 1
    errors = capsys.readouterr().err
    assert "the time when it happened is not a time" in errors
    assert "\x1b" not in errors


@pytest.mark.parametrize(
    "terms",
    [{"limits": {"act_cpu": "much"}}, {"limits": {"sleep": 1}}, {"limits": {"memory": True}}, {"pace_ms": -1}],
    ids=str,
)
def test_terms_of_other_kinds_do_not_hold(proof, tmp_path, capsys, terms):
    parts = Parts.of(proof)
    parts.find("terms").update(terms)
    assert main(["verify", str(parts.write(tmp_path / "forged.zip"))]) == 1
    assert "the terms: " in capsys.readouterr().err


def test_a_salt_is_written_in_hexadecimal(proof, tmp_path, capsys):
    parts = Parts.of(proof)
    renamed(parts, entries(parts)[0], "Crow", salt="pepper")
    assert main(["verify", str(parts.write(tmp_path / "forged.zip"))]) == 1
    assert "the salt of entry/" in capsys.readouterr().err


def test_bots_of_two_authors_with_equal_names_are_distinguished_in_the_proof(tmp_path):
    cup = play_out(cup_of([FIRST, LAST, MIDDLE]))
    one, other, third = cup.entries.order_by("pk")
    names = {one: "Crow", other: "\u0421row", third: f"Crow (entry {one.pk})"}
    for entry, name in names.items():
        Bot.objects.filter(pk=entry.bot_id).update(name=name)
    proved = proof_verify(proof_file(cup, tmp_path / "proof.zip"))
    assert {name for _, name in proved.places} == {
        f"Crow (entry {one.pk}) (entry {one.pk})",
        f"\u0421row (entry {other.pk})",
        f"Crow (entry {one.pk}) (entry {third.pk})",
    }
