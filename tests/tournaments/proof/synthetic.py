"""Proofs made by the pure functions alone, for tournaments larger than a site would play in a test."""

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from games.catalogue import catalogue_stand_in, current
from games.dealer import block_seed
from games.table import Table
from matches.proof.archive import CHAIN, INDEX, NAMES, RECORDS, proof_archive_index_text, proof_archive_line_of
from matches.proof.chain import FIRST, Link, chain_canonical_json, chain_name_digest
from matches.referee.scoring import scoring_by_seat
from tournaments.formats.draw_position import draw_position_next_rounds
from tournaments.proof.computed import proof_computed_position, proof_computed_standings
from tournaments.proof.replay import HANDLERS, proof_replay_result
from tournaments.proof.state import ChainState

SECRET = bytes(range(32))
STAGE = {
    "number": 1,
    "format": "swiss",
    "entrants": 0,
    "players_per_table": 2,
    "smallest_table": 2,
    "blocks": 1,
    "stopping": {},
    "third_place": False,
}
TERMS = {
    "name": "Large",
    "ruleset": "pickomino/1",
    "limits": {},
    "pace_ms": 0,
    "tie_breaks": ["buchholz", "wins"],
    "entrants_most": 100,
    "entries_per_author": 1,
}


class Writer:
    """Folds each link as it is written, so that what follows can be drawn from it."""

    def __init__(self) -> None:
        self.state, self.lines, self.records = ChainState(), [], []
        self.last = Link(0, "", "", "", "")

    def link(self, kind: str, content: dict, records: Iterable[bytes] = ()) -> None:
        previous = self.last.digest if self.last.number else FIRST
        self.last = Link(
            self.last.number + 1, kind, "2026-01-01T00:00:00.000000Z", chain_canonical_json(content), previous
        )
        self.lines.append(proof_archive_line_of(self.last) + "\n")
        if kind == "result":
            proof_replay_result(self.state, self.last.number, content, iter(records))
            return
        HANDLERS[kind](self.state, self.last.number, content)
        if kind == "secret":
            self.state.lucks[-1].secret = SECRET


def swiss(path: Path, *, entrants: int, rounds: int) -> Path:
    """The proof of a Swiss for two, every match one seed from both seats."""
    writer = Writer()
    options = current("pickomino").validate(2, {})
    writer.link("terms", TERMS | {"options": options, "stages": [STAGE | {"rounds": rounds}]})
    writer.link("secret", {"luck": 1, "commitment": sha256(SECRET).hexdigest()})
    names = {f"entry/{one}": {"salt": f"{one:032x}", "name": f"Bot {one}"} for one in range(1, entrants + 1)}
    entries = [
        {"entry": one, "package": sha256(b"%d" % one).hexdigest(), "name": chain_name_digest(**names[f"entry/{one}"])}
        for one in range(1, entrants + 1)
    ]
    writer.link("frozen", {"luck": 1, "entries": entries})
    writer.link("stage", {"stage": 1, "seeds": []})
    for number in range(1, rounds + 1):
        (drawn,) = draw_position_next_rounds(proof_computed_position(writer.state, 1))
        tables = [
            {"table": at, "attempt": 1, "seats": list(one.seating), "reasons": one.reasons}
            for at, one in enumerate(drawn.tables, start=1)
        ]
        byes = [{"entry": bye.entry, "points": 1, "reasons": bye.reasons} for bye in drawn.byes]
        claimed = {"round": number, "stage": 1, "luck": 1, "waits": False, "tables": tables, "byes": byes}
        writer.link("round", claimed)
        luck = writer.state.luck
        for table in tables:
            _play(writer, block_seed(luck, "match", number, table["table"]), number, table, options)
    # The replay has to see the end as the verifier does: number first, then the rows.
    playing = writer.state.playing[1]
    playing.finished = writer.last.number + 1
    rows = [row._asdict() for row in proof_computed_standings(writer.state, 1)]
    playing.finished = None
    writer.link("stage_end", {"stage": 1, "standings": rows})
    writer.link("end", {})
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr(INDEX, proof_archive_index_text("Large", writer.last, [SECRET]))
        archive.writestr(CHAIN, "".join(writer.lines))
        archive.writestr(NAMES, chain_canonical_json(names))
        archive.writestr(RECORDS, b"".join(b64encode(one) + b"\n" for one in writer.records))
    return path


def _play(writer: Writer, secret: bytes, number: int, table: dict, options: dict) -> None:
    choose, games, records = catalogue_stand_in("pickomino"), [], []
    for index in range(2):
        played = Table(current("pickomino"), 2, options, block_seed(secret, 0))
        while not played.over:
            view = played.view(played.actor)
            better = (played.actor + index) % 2 == (table["seats"][0] > table["seats"][1])
            played.play(choose(view) if better else view["actions"][-1])
        records.append(played.record().encode())
        points, places = scoring_by_seat(played.outcome.points, index), scoring_by_seat(played.outcome.places, index)
        record = sha256(records[-1]).hexdigest()
        games.append({"record": record, "points": list(points), "places": list(places), "faults": []})
    writer.records += records
    claimed = {"seats": table["seats"], "blocks": 1, "ending": "", "forfeited": [False, False], "games": games}
    where = {"round": number, "table": table["table"], "attempt": 1}
    writer.link("result", where | claimed, records)
