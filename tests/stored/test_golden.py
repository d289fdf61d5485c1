"""What releases before this one stored reads as it did; the files in ``golden`` are as they were written then."""

import io
from pathlib import Path
from typing import Any

import pytest

from arena.backup.archive import backup_archive_opened
from bots.similarity import similarity_sketch_of
from games.contest_luck import contest_luck_mixed, entries_digest
from games.explanation import MoveExplanation
from games.protocol import Verdict
from leagues.selectors.exports import LADDER_COLUMNS, MATCH_COLUMNS
from matches.proof.chain import FIRST, Link, chain_canonical_json, chain_name_digest
from matches.proof.dataset import dataset_prove
from matches.queue.seat_logs import LoggedGame, seat_logs_games, seat_logs_notes
from matches.referee.costly_positions import Drill
from matches.referee.failure_bundle import failure_bundle_read
from tournaments.proof.verify import proof_verify
from tournaments.selectors.pages.exports import FIXTURE_COLUMNS, STANDINGS_COLUMNS
from tournaments.selectors.rulings.ruling_log import RULINGS_COLUMNS
from tournaments.selectors.standings.ratings import RATINGS_COLUMNS

GOLDEN = Path(__file__).parent / "golden"
VERDICTS = (
    "crashed killed forbidden_call exited cpu_time wall_time slept off_turn memory malformed oversize unsolicited"
    " protocol not_reading illegal_action no_entry_point import_error forfeited"
)
LESS_LUCK = "less_luck less_luck_low less_luck_high"
COLUMNS: list[tuple[Any, str]] = [
    (STANDINGS_COLUMNS, "stage rank bot version author points played byes won drawn lost game_points"),
    (
        FIXTURE_COLUMNS,
        "stage round table match state counts given seat bot version score game_points forfeited points_before"
        " score_group float rematches_avoided rematches",
    ),
    (
        RULINGS_COLUMNS,
        "number kind created by round table match bot annulled scores replayed_as displaced takes_back holds reason",
    ),
    (
        RATINGS_COLUMNS,
        "rank rank_low rank_high bot version author rating low high error provisional group blocks games faulty_games"
        f" slowest_ms {LESS_LUCK}",
    ),
    (
        LADDER_COLUMNS,
        "rank rank_low rank_high bot version author house rating rating_low rating_high provisional benched matches"
        f" games score forfeits faulty_games slowest_ms {LESS_LUCK} division division_before",
    ),
    (MATCH_COLUMNS, "number match state finished seat bot version score games faulty_games forfeited"),
]


@pytest.mark.parametrize(
    ("name", "matches"), [("tournament-proof.zip", 4), ("season-proof.zip", 2), ("updated-proof.zip", 4)]
)
def test_a_proof_still_holds(name: str, matches: int) -> None:
    assert proof_verify(GOLDEN / name).matches == matches


@pytest.mark.parametrize("name", ["dataset-1.zip", "dataset-2.zip"])
def test_a_data_set_still_plays_again(name: str) -> None:
    found = dataset_prove(GOLDEN / name)
    assert (found.games, found.licence, found.left_out) == (1, "CC-BY-4.0", 0)


def test_a_backup_is_still_read() -> None:
    to = io.BytesIO()
    with backup_archive_opened(GOLDEN / "site.backup") as archive:
        archive.copy("database", to)
        assert archive.manifest.migrations == ["bots.0001_first"]
    assert to.getvalue() == b"eggs" * 5


def test_a_failure_is_still_read() -> None:
    bundle = failure_bundle_read(GOLDEN / "failure.zip")
    assert (bundle.match, bundle.fault["verdict"], len(bundle.seat.turns)) == (7, "illegal_action", 31)


def test_a_decision_is_still_read() -> None:
    bundle = failure_bundle_read(GOLDEN / "decision.zip")
    assert (bundle.match, bundle.fault["verdict"], len(bundle.seat.turns)) == (1, "", 8)
    assert bundle.seat.turns[-1].answer in bundle.seat.turns[-1].view["actions"]


def test_a_drill_is_still_read() -> None:
    drill = Drill.read(GOLDEN / "drill.jsonl")
    assert (drill.value, drill.bot, drill.games, len(drill.positions)) == ("pickomino/1-v1", "greedy", 4, 2)
    assert [len(one.recorded_seat(history=True).turns) for one in drill.positions] == [
        one.number for one in drill.positions
    ]


def test_the_luck_of_a_contest_is_what_it_was() -> None:
    entries = entries_digest({2: "cd" * 32, 1: "ab" * 32})
    assert entries == "379ab84b2b4a57b2781a1e040851cbf706617038f773e953dca75bd3c70416e4"
    mixed = contest_luck_mixed(b"secret", entries, ["Dice", "Würfel"])
    assert mixed.hex() == "03e9156712c34ba9ba68c037bb7cfb71a8ae2014bf68596075b9d42597ea49e0"


def test_a_link_has_the_digest_that_it_had() -> None:
    link = Link(2, "terms", "2026-01-31T23:59:59.000000Z", chain_canonical_json({"ä": 1, "b": [1.5, None]}), FIRST)
    assert link.content == r'{"b":[1.5,null],"\u00e4":1}'
    assert link.digest == "cb67aa659376005127f49c65abc403f5817f49007ea4a9111f6a7318d4e318d0"
    assert chain_name_digest("00ff", "Hähne") == "662d871e26f53f1cadf0a1e5191f0d765d3bc345677381e4d0b993483e2882d1"


def test_a_seat_log_is_still_read() -> None:
    packed = "789c8b8e36d03134d231343530d0318ed58936d4b1d4b100b28d744c75a2a34d7494d28b0eef393c3f264f2916080008d90d42"
    games = [LoggedGame(0, 12, 0.0015, 3), LoggedGame(1, 9, 0.0008, 2, 5, ((4, "grüß\n"),))]
    assert list(seat_logs_games(bytes.fromhex(packed))) == games


def test_seat_notes_are_still_read() -> None:
    packed = (
        "789c8b8e36d0898e36d6514a2f3abce7f07c259d68a592cc9c54052353251da5a2fc9c1ca5581d033d3323d358"
        "9d684b1d25a07cac8ea19e416c2c906f44a44e200000717e1f2f"
    )
    rows = [(3, MoveExplanation("grüß", ("tile 25", "roll"), 0.625)), (9, MoveExplanation(value=1.0))]
    assert list(seat_logs_notes(bytes.fromhex(packed))) == [(0, rows), (2, rows[:1])]


def test_a_program_has_the_sample_that_it_had() -> None:
    sample = similarity_sketch_of({"bot.py": b"def act(view):\n    return view['actions'][0]\n"})
    assert sample.hex() == (
        "151638add9224cf9186de1e0ff163fd23aa20f2c9bae3dbd4c4d0438e5b37f2263dfe4be3a123994959b7f35946af70397cad7b39d0948ad"
        "98a2260f4dc4bfde9ce215ed0c72417dae61beadc5307a5d"
    )


def test_every_verdict_keeps_its_name() -> None:
    assert set(VERDICTS.split()) <= {verdict.value for verdict in Verdict}


@pytest.mark.parametrize(("columns", "promised"), COLUMNS, ids=lambda one: str(one)[:20])
def test_exports_keep_their_columns_and_add_at_the_end(columns: Any, promised: str) -> None:
    assert list(columns)[: len(promised.split())] == promised.split()
