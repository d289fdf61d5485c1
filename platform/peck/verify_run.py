"""What ``peck verify`` says of a folder of games played at home: records, seeds, and the verdict of each run."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from games.dealer import block_seed
from games.untrusted import field, items
from matches.referee import SeriesState, luck_of_first, rule_of
from matches.referee.rotation import block_of, by_seat
from matches.referee.scoring import places_after_forfeits
from peck import counted
from peck.decided import ANSWERS
from peck.stored_run import LEDGER, RunError, StoredRun


def run_lines(folder: Path) -> Iterator[str]:
    """Yield a line for each run in ``folder`` or directly below it.

    Raises:
        RunError: there is none, or one does not hold.
        OSError: one cannot be read.
    """
    found = sorted(one.parent for one in (*folder.glob(LEDGER), *folder.glob(f"*/{LEDGER}")))
    if not found:
        raise RunError(f"{folder}: holds no run of peck's")
    for one in found:
        try:
            yield f"{one}: {_told(StoredRun.whole(one))}"
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise RunError(f"{one}: {error}") from error


def _told(run: StoredRun) -> str:
    names = [field(bot, "name", str) for bot in items(run.terms, "bots", dict)]
    stopping: dict[str, Any] = run.terms.get("stopping") or {}
    rule = rule_of(stopping)
    secret = bytes.fromhex(field(run.terms, "seed", str))
    if sorted(run.played) != list(range(len(run.played))):
        raise RunError(f"{run.folder}: a block is missing")
    state = SeriesState(len(names), max(1, len(run.played)), rule)
    games = 0
    for _, block in sorted(run.played.items()):
        if state.over and games:
            raise RunError(f"{run.folder}: blocks were played after it was decided")
        if len(block.games) != len(names):
            raise RunError(f"{run.folder}: block {block.block + 1} has not one game for each seat")
        for game in block.games:
            what = f"{run.folder}: game {block.block + 1}.{game.index % len(names) + 1}"
            record, outcome = game.record, game.record.verify()
            if (record.ruleset, record.players) != (run.terms["ruleset"], len(names)):
                raise RunError(f"{what} is of another table than the run")
            if record.seed != block_seed(secret, block_of(game.index, len(names))):
                raise RunError(f"{what} has another seed than the run gives it")
            at_fault = {fault.seat for fault in game.faults}
            places = places_after_forfeits(by_seat(outcome.places, game.index), at_fault)
            if (game.points, game.places) != (by_seat(outcome.points, game.index), places):
                raise RunError(f"{what} ended otherwise than the run says")
            state.note(replace(game, luck=luck_of_first(record, game.index, rule)))
            games += 1
    told = f"holds: {run.terms['ruleset']}, {' / '.join(names)}, {counted(games, 'game')}"
    ending = state.conclusion().ending if games else None
    if ending is None or rule is None:
        return told
    return f"{told}; {names[1]} is {ANSWERS[ending]} (effect {rule.effect:g}, error {rule.error:g})"
