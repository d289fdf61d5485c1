"""The proof of a season holds, and an altered one does not."""

import pytest

from leagues.selectors.exports import season_proof_export_of
from leagues.services import leagues_tend, season_end
from matches.models import Match, MatchState
from matches.proof.chain import ProofError
from peck.__main__ import main
from tests.leagues.factories import open_league, worker_up
from tests.tournaments.proof.events import play
from tests.tournaments.proof.forging import Parts, alterations, altered
from tournaments.proof.verify import proof_verify

pytestmark = pytest.mark.django_db
# Nothing that the proof claims follows from these: see ``proof.season``.
FREE = {"link.at", "member.package"}


@pytest.fixture
def proof(tmp_path):
    league = open_league(bots=3)
    worker_up()
    leagues_tend()
    for match in Match.objects.filter(state=MatchState.QUEUED).order_by("pk")[:2]:
        play(match)
    season_end(league=league)
    path = tmp_path / "proof.zip"
    path.write_bytes(b"".join(season_proof_export_of(league.seasons.get())))
    return path


def test_a_season_is_proved_with_its_smaller_claims(proof, capsys):
    assert main(["verify", str(proof)]) == 0
    output = capsys.readouterr().out
    assert "2 matches" in output
    assert "neither who was chosen to meet whom nor the ratings are checked" in output


@pytest.mark.exhaustive
def test_every_alteration_of_a_season_is_found_but_of_what_it_does_not_claim(proof, tmp_path):
    parts = Parts.of(proof)
    every = list(alterations(parts))
    unfound = set()
    for how in every[:: max(1, len(every) // 250)]:
        try:
            proof_verify(altered(parts, how).write(tmp_path / "forged.zip"))
        except ProofError:
            continue
        unfound.add(how.general)
    assert unfound <= FREE
