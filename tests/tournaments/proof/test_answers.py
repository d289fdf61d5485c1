"""The answer of a series, in a proof: found again from its games, at the block where the rule gave it."""

from dataclasses import replace
from hashlib import sha256

import pytest

from games.catalogue import catalogue_stand_in, current
from games.dealer import block_seed
from games.table import Table
from matches.proof.chain import ProofError
from matches.proof.match_result import MatchClaim, proof_match_result_replayed
from matches.referee import ThreeAnswers
from matches.referee.scoring import scoring_by_seat

SECRET = bytes(32)
RULE = ThreeAnswers(effect=0.25, error=0.1)
MATCH = MatchClaim("round 1, table 1", (1, 2), "pickomino/1", {}, 50, RULE.to_dict(), SECRET)


def played_by_one_bot_against_itself(blocks):
    """The games as a chain records them, and their records; every block is split."""
    choose, games, records = catalogue_stand_in("pickomino"), [], []
    for index in range(2 * blocks):
        table = Table(current("pickomino"), 2, current("pickomino").validate(2, {}), block_seed(SECRET, index // 2))
        while not table.over:
            table.play(choose(table.view(table.actor)))
        records.append(table.record().encode())
        points, places = scoring_by_seat(table.outcome.points, index), scoring_by_seat(table.outcome.places, index)
        record = sha256(records[-1]).hexdigest()
        games.append({"record": record, "points": list(points), "places": list(places), "faults": []})
    return games, records


def judged(games, records, match=MATCH, **changes):
    content = {"seats": [1, 2], "blocks": len(games) // 2, "ending": "too_close", "forfeited": [False, False]}
    return proof_match_result_replayed(match, {**content, "games": games, **changes}, iter(records))


@pytest.fixture(scope="module")
def played():
    return played_by_one_bot_against_itself(9)


def test_a_series_that_is_too_close_to_call_is_proven_so(played):
    games, records = (one[:16] for one in played)
    found = judged(games, records)
    assert (found.blocks, [seat.score for seat in found.totals]) == (8, [8.0, 8.0])


@pytest.mark.parametrize("ending", ["first_better", "second_better", "undecided", "forfeited", ""])
def test_no_other_answer_passes(played, ending):
    games, records = (one[:16] for one in played)
    with pytest.raises(ProofError, match=r"the ending: .* is listed"):
        judged(games, records, ending=ending)


@pytest.mark.parametrize(("games", "sentence"), [(14, "do not end the series"), (18, "was over after 16 games")])
def test_it_ends_with_the_block_that_gives_the_answer(played, games, sentence):
    with pytest.raises(ProofError, match=sentence):
        judged(*(one[:games] for one in played))


def test_a_series_decided_less_its_luck_is_proven_by_the_value_that_was_announced(played):
    less = RULE.to_dict() | {"rule": "gsprt/3", "value": "pickomino/1-v1"}
    games, records = (one[:16] for one in played)
    assert judged(games, records, match=replace(MATCH, stopping=less)).blocks == 8
    with pytest.raises(ProofError, match="pickomino/1-v0"):
        judged(games, records, match=replace(MATCH, stopping=less | {"value": "pickomino/1-v0"}))


def test_another_rule_gives_another_answer(played):
    before = replace(MATCH, blocks=9, stopping=RULE.to_dict() | {"rule": "gsprt/1"})
    with pytest.raises(ProofError, match="the ending: 'too_close' is listed, but 'undecided' follows"):
        judged(*played, match=before)
