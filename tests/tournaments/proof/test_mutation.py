"""Every alteration of a proof, one at a time, with all digests made right again: found, or only by a noted head."""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import pytest

from games.record import Record
from matches.proof.chain import ProofError
from tests.tournaments.proof.events import FIRST, LAST, MIDDLE, cup_of
from tests.tournaments.proof.forging import Alteration, Parts, alterations, altered
from tests.tournaments.proof.test_verify import proof_file, ruled
from tournaments.proof.verify import proof_verify

pytestmark = pytest.mark.django_db

# What follows from nothing else: what was announced, as far as nothing of it came about, what people typed, and when.
FREE = {
    "link.at",
    "ruling.reason",
    "terms.entrants_most",
    "terms.entries_per_author",
    "terms.luck_value",
    "terms.pace_ms",
    "terms.stages[].entrants",
    "terms.stages[].rounds",
    "terms.stages[].smallest_table",
    "terms.tie_breaks[]",
}
FREE_BELOW = "terms.limits."
# In some events something follows from these, in others nothing (docs/reference/proofs.md): whom a ruling was about
# that was taken back at once, and which matches it called off or released.
AT_TIMES = {"effects.called_off[]", "effects.restored[]", "ruling.annul", "ruling.entry"}
EVENT = (
    [FIRST, LAST, MIDDLE, LAST, FIRST, MIDDLE, LAST],
    {"format": "swiss", "rounds": 3, "luck_value": "pickomino/1-v1"},
)
SAMPLED = 23  # of so many alterations one is tried in every run


@pytest.fixture
def proof(tmp_path, monkeypatch):
    # A record plays to the same end however often: only what the chain says of it is altered.
    monkeypatch.setattr(Record, "proved", lru_cache(maxsize=None)(Record.proved))
    sources, terms = EVENT
    return proof_file(ruled(cup_of(sources, **terms)), tmp_path / "proof.zip")


def tried(proof: Path, chosen: Iterable[Alteration]) -> tuple[Counter[str], set[str]]:
    """How each was found: "at once", "by the head" alone, or "never"; and where those found by the head alone were."""
    head, parts, forged = proof_verify(proof).head, Parts.of(proof), proof.with_name("forged.zip")
    counts: Counter[str] = Counter()
    free: set[str] = set()
    for how in chosen:
        altered(parts, how).write(forged)
        if holds(forged):
            free.add(how.general)
            assert not holds(forged, noted=head), f"nothing gives it away: {how}"
            counts["by the head"] += 1
        else:
            counts["at once"] += 1
    return counts, free


def holds(path: Path, noted: str | None = None) -> bool:
    text = ""
    try:
        proof_verify(path, noted=noted)
    except ProofError as error:
        text = str(error) or "nothing"
    assert len(text) < 400, text
    return not text


def test_a_sample_of_all_alterations_is_found(proof):
    every = list(alterations(Parts.of(proof)))
    counts, free = tried(proof, every[::SAMPLED])
    print(f"{counts.total()} of {len(every)} alterations: {dict(counts)}")
    assert {one for one in free if not one.startswith(FREE_BELOW)} <= FREE | AT_TIMES
    assert counts["at once"] > 100


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_every_alteration_is_found_and_these_by_a_noted_head_alone(proof):
    counts, free = tried(proof, alterations(Parts.of(proof)))
    print(f"{counts.total()} alterations: {dict(counts)}")
    assert {one for one in free if not one.startswith(FREE_BELOW)} - AT_TIMES == FREE
    assert counts["at once"] > 2500


def test_the_honest_proof_holds_before_and_after_it_was_taken_apart(proof):
    parts = Parts.of(proof)
    assert parts.honest_head
    again = parts.write(proof.with_name("again.zip"))
    assert proof_verify(again) == proof_verify(proof)
