"""Writes golden records for the current version of a game: ``python -m tests.games.write_golden NAME``.

Those of earlier versions stay.

Never run it to make a failing test pass: a golden record that no longer replays means that the rules have changed.
"""

import json
import sys
from pathlib import Path
from typing import Any

from games.catalogue import current, stand_in
from games.table import Table
from tests.games.playing import needed, random_table, seed


def entry(table: Table) -> dict[str, Any]:
    record, outcome = table.record(), table.outcome
    assert outcome is not None
    return {
        "ruleset": record.ruleset,
        "players": record.players,
        "options": dict(record.options),
        "points": outcome.points,
        "places": outcome.places,
        "reason": outcome.reason,
        "tie_break": outcome.tie_break,
        "record": record.encode().hex(),
    }


def entries(name: str) -> list[dict[str, Any]]:
    """For each number of players: the stand-in at the defaults, and random play with every option at its last value."""
    ruleset, act = current(name), stand_in(name)
    last = {option: choice.allowed[-1] for option, choice in ruleset.options.items()}
    written = []
    for players in ruleset.seats:
        table = Table(ruleset, players, needed(ruleset, players), seed("golden", players))
        while not table.over:
            table.play(act(table.view(table.actor)))
        written += [entry(table), entry(random_table(ruleset, players, last, players))]
    return written


def main(name: str) -> None:
    path = Path(__file__).parent / "golden" / f"{name}.json"
    written = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    earlier = [one for one in written if one["ruleset"] != current(name).id]
    path.write_text(json.dumps([*earlier, *entries(name)], indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
