"""Write golden records of the current version of a game: ``python -m pecking.testing.golden NAME [FILE]``.

Records of earlier versions are kept. The default file is ``golden.json`` of the game's package.

Never run it to make a failing test pass: a golden record that no longer replays means that the rules have changed.
"""

import json
import sys
from pathlib import Path
from typing import Any

from games.catalogue import GAMES
from games.game import CatalogueGame
from games.table import Table
from pecking.testing.random_games import random_game_options_needed, random_game_seed, random_game_table
from pecking.testing.suite import loaded


def golden_entry(table: Table) -> dict[str, Any]:
    """Return the golden record of a finished game."""
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


def golden_entries(game: CatalogueGame) -> list[dict[str, Any]]:
    """Return golden records for each number of players: the stand-in with default options, and random players with
    every option at its last value.
    """
    ruleset, act = game.current, loaded(game.stand_in)
    last = {option: choice.allowed[-1] for option, choice in ruleset.options.items()}
    written = []
    for players in ruleset.seats:
        table = Table(
            ruleset, players, random_game_options_needed(ruleset, players), random_game_seed("golden", players)
        )
        while not table.over:
            table.play(act(table.view(table.actor)))
        written += [golden_entry(table), golden_entry(random_game_table(ruleset, players, last, players))]
    return written


def golden_write(game: CatalogueGame, path: Path) -> None:
    """Write golden records of the current version into the file, and keep those of earlier versions."""
    written = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    earlier = [one for one in written if one["ruleset"] != game.current.id]
    path.write_text(json.dumps([*earlier, *golden_entries(game)], indent=1) + "\n", encoding="utf-8")


def main(name: str, file: str = "") -> None:
    """Write golden records of the installed game ``name``, by default into its folder; print the path."""
    game = GAMES[name]
    path = Path(file or str(game.file("golden.json")))
    golden_write(game, path)
    sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
