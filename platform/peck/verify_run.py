"""Verify a folder of games played at home: records, seeds, and the verdict of each run."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from games.dealer import block_seed
from games.record import Record
from games.state import CHANCE
from games.untrusted import untrusted_field, untrusted_items
from matches.referee import SeriesState, match_series_luck_of_first, stopping_rule_of
from matches.referee.scoring import (
    scoring_block_of_game,
    scoring_by_seat,
    scoring_places_after_forfeits,
    scoring_seats_by_position,
)
from peck import text_counted
from peck.decided_series import ANSWERS
from peck.stored_run import LEDGER, RunError, StoredRun

# A number of blocks that no run reaches. The share of a match in which a bot may fail depends on the largest number of
# blocks, which a run does not store. So here a bot forfeits only by consecutive faults.
MOST: Final = 1_000_000


def verify_run_lines(folder: Path) -> Iterator[str]:
    """Yield a line for each run in ``folder`` or directly below it.

    Raises:
        RunError: there is no run, or a run is invalid.
        OSError: a run cannot be read.
    """
    found = sorted(one.parent for one in (*folder.glob(LEDGER), *folder.glob(f"*/{LEDGER}")))
    if not found:
        raise RunError(f"{folder}: contains no run of peck")
    for one in found:
        try:
            yield f"{one}: {_result_sentence(StoredRun.whole(one))}"
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise RunError(f"{one}: {error}") from error


def _result_sentence(run: StoredRun) -> str:
    names = [untrusted_field(bot, "name", str) for bot in untrusted_items(run.terms, "bots", dict)]
    stopping: dict[str, Any] = run.terms.get("stopping") or {}
    rule = stopping_rule_of(stopping)
    secret = bytes.fromhex(untrusted_field(run.terms, "seed", str))
    if sorted(run.played) != list(range(len(run.played))):
        raise RunError(f"{run.folder}: a block is missing")
    state = SeriesState(len(names), MOST, rule)
    games = 0
    for _, block in sorted(run.played.items()):
        if state.over and games:
            raise RunError(f"{run.folder}: there are blocks after the one that decided the result")
        if len(block.games) != len(names):
            raise RunError(f"{run.folder}: block {block.block + 1} does not have one game for each seat")
        for game in block.games:
            what = f"{run.folder}: game {block.block + 1}.{game.index % len(names) + 1}"
            record, outcome = game.record, game.record.verify()
            if (record.ruleset, record.players) != (run.terms["ruleset"], len(names)):
                raise RunError(f"{what}: the ruleset or the number of players differs from that of the run")
            if record.seed != block_seed(secret, scoring_block_of_game(game.index, len(names))):
                raise RunError(f"{what}: the seed does not follow from that of the run")
            at_fault = {fault.seat for fault in game.faults}
            _require_faults(what, record, scoring_seats_by_position(game.index, len(names)), at_fault)
            places = scoring_places_after_forfeits(scoring_by_seat(outcome.places, game.index), at_fault)
            if (game.points, game.places) != (scoring_by_seat(outcome.points, game.index), places):
                raise RunError(f"{what}: the result differs from that of the record and its faults")
            state.note(replace(game, luck=match_series_luck_of_first(record, game.index, rule)))
            games += 1
    sentence = f"holds: {run.terms['ruleset']}, {' / '.join(names)}, {text_counted(games, 'game')}"
    ending = state.conclusion().ending if games else None
    if ending is None or rule is None:
        return sentence
    return f"{sentence}; {names[1]} is {ANSWERS[ending]} (effect {rule.effect:g}, error {rule.error:g})"


def _require_faults(what: str, record: Record, seat_at: Sequence[int], at_fault: Collection[int]) -> None:
    """Check that a stand-in played for every bot that failed and had to act later in the game, and for no other bot."""
    stood_in = {seat_at[one.seat] for one in record.interventions}
    if not stood_in.issubset(at_fault):
        raise RunError(f"{what}: a stand-in played for a bot without a listed fault")
    if unproved := set(at_fault) - stood_in:
        acting = {seat_at[one.before.actor] for one in record.replay() if one.before.actor != CHANCE}
        if unproved & acting:
            raise RunError(f"{what}: a bot is listed with a fault, but it played on")
