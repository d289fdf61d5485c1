"""Verify a match result: derive the seeds, replay the records, and apply the stopping rule."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final, Protocol

from games.catalogue import find
from games.dealer import block_seed
from games.protocol import Verdict
from games.record import Record, RecordError
from games.ruleset import Ruleset
from matches.proof.chain import Fields, ProofError, chain_digest_read, chain_fields_read, chain_numbers_read
from matches.referee.bot_fault import SeatFault
from matches.referee.match_series import SeriesState, match_series_luck_of_first
from matches.referee.scoring import (
    GameResult,
    SeatTotal,
    scoring_by_seat,
    scoring_places_after_forfeits,
    scoring_seat_totals,
    scoring_seats_by_position,
)
from matches.referee.stopping import Sequential, StoppingError
from matches.referee.stopping_rules import stopping_rule_of

RESULT: Final[Fields] = {
    "seats": list,
    "blocks": int,
    "ending": str,
    "forfeited": list,
    "games": list,
}
GAME: Final = {"record": str, "points": list, "places": list, "faults": list}
FAULT: Final = {"seat": int, "verdict": str, "action": int, "said": str}
GAMES_MOST: Final = 100_000  # limit for a match


class Watcher(Protocol):
    """An observer of every verified record."""

    def look(
        self, label: str, seating: Sequence[int], packages: Mapping[int, str], index: int, record: Record
    ) -> None: ...


@dataclass(frozen=True, slots=True)
class MatchClaim:
    """What was to be played: the seats, and everything that determines the games.

    ``may_bar`` has the seats that may have forfeited before the match began. ``watch`` is called with each verified
    record.
    """

    label: str
    seating: tuple[int, ...]
    ruleset: str
    options: Mapping[str, Any]
    blocks: int
    stopping: Mapping[str, Any]
    secret: bytes
    may_bar: Collection[int] = ()
    watch: Callable[[int, Record], None] | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """The verified result. ``totals`` and ``forfeited`` are by seat.

    ``own_faults`` are the entrants whose bots were at fault themselves. Faults of bots that were not started because
    they had forfeited are not included.
    """

    totals: Sequence[SeatTotal]
    forfeited: Sequence[bool]
    blocks: int
    games: int
    own_faults: frozenset[int]


def proof_match_result_replayed(match: MatchClaim, found: Mapping[str, Any], records: Iterator[bytes]) -> Judged:
    """Return the result of a match, after replaying its games and applying its stopping rule.

    Raises:
        ProofError: a claimed value differs from the computed one.
    """
    label = match.label
    if chain_numbers_read(found["seats"], f"{label}: seats") != list(match.seating):
        raise ProofError(f"{label}: the seats differ from those that were drawn")
    try:
        rule = stopping_rule_of(match.stopping)
    except StoppingError as error:
        raise ProofError(f"{label}: {error}") from None
    games = _games(match, found["games"], records, rule)
    barred = [seat for seat in range(len(match.seating)) if _barred(games, seat)]
    for seat in barred:
        # An entry that is drawn has not forfeited. It forfeits before the match only if it was excluded after the draw.
        if seat not in match.may_bar:
            raise ProofError(f"{label}: entry {match.seating[seat]} did not play from the start, without a reason")
    series = SeriesState(len(match.seating), match.blocks, rule, barred)
    for index, game in enumerate(games):
        if series.over:
            raise ProofError(f"{label}: the match was over after {index} games, but there are {len(games)}")
        _check_forfeited(label, game, series.forfeited)
        series.note(game)
    if not games or not series.over:
        raise ProofError(f"{label}: a game is missing: its {len(games)} games do not end the series")
    end = series.conclusion()
    _same(label, "the blocks", found["blocks"], end.blocks)
    _same(label, "the ending", found["ending"], end.ending.value if end.ending else "")
    _same(label, "who forfeited", found["forfeited"], list(end.forfeited))
    own = [fault.seat for game in games for fault in game.faults if fault.verdict != Verdict.FORFEITED]
    return Judged(
        scoring_seat_totals(games),
        end.forfeited,
        end.blocks,
        len(games),
        frozenset(match.seating[seat] for seat in own),
    )


def _games(
    match: MatchClaim, claimed: Sequence[object], records: Iterator[bytes], rule: Sequential | None
) -> list[GameResult]:
    seats, rules = len(match.seating), find(match.ruleset)
    if len(claimed) > GAMES_MOST:
        raise ProofError(f"{match.label}: more games than any match has")
    options = rules.validate(seats, match.options)
    games = []
    for index, one in enumerate(claimed):
        try:
            seed = block_seed(match.secret, index // seats)
            game = _game(rules, options, seats, index, seed, one, next(records, b""))
            if match.watch is not None:
                match.watch(index, game.record)
            # Drop the actions of the record, because the score does not need them.
            luck = match_series_luck_of_first(game.record, index, rule)
            games.append(replace(game, luck=luck, record=replace(game.record, actions=())))
        except (ProofError, RecordError, StoppingError) as error:
            raise ProofError(f"{match.label}, game {index + 1}: {error}") from None
    return games


def _game(
    rules: Ruleset, options: Mapping[str, Any], seats: int, index: int, seed: bytes, claimed: object, data: bytes
) -> GameResult:
    found = chain_fields_read(claimed, GAME, "a game")
    if not data:
        raise ProofError("its record is missing")
    if sha256(data).hexdigest() != chain_digest_read(found["record"], "a record's digest"):
        raise ProofError("its record has another SHA-256 than the chain says")
    record, outcome, actors = Record.proved(data)
    if record.ruleset != rules.id:
        raise ProofError(f"its record is of {record.ruleset}, the tournament plays {rules.id}")
    if record.players != seats or dict(record.options) != dict(options):
        raise ProofError("its record is of other players or options than the tournament's")
    if record.seed != seed:
        raise ProofError("its seed is not the one that follows from the secret")
    first = {seat: at for at, seat in reversed(list(enumerate(actors)))}
    faults = _faults(found["faults"], record, first, index)
    faulty = {fault.seat for fault in faults}
    points, places = scoring_by_seat(outcome.points, index), scoring_by_seat(outcome.places, index)
    places = scoring_places_after_forfeits(places, faulty)
    if found["points"] != list(points):
        raise ProofError(f"the points differ from those of its record, {list(points)}")
    if found["places"] != list(places):
        raise ProofError(f"the places differ from those of its record and faults, {list(places)}")
    nothing = (0.0,) * seats
    return GameResult(
        index, record, points, places, outcome.reason, outcome.tie_break, faults, nothing, nothing, ("",) * seats
    )


def _faults(claimed: Sequence[object], record: Record, first: Mapping[int, int], index: int) -> tuple[SeatFault, ...]:
    """Return the claimed faults after checking each of them.

    If a stand-in played, its cause must be the claimed fault. A bot that did not start, or was not started, must be at
    fault before its first action.
    """
    position = {seat: at for at, seat in enumerate(scoring_seats_by_position(index, record.players))}
    substitutes = {one.seat: one for one in record.interventions}
    faults: list[SeatFault] = []
    for one in claimed:
        found = chain_fields_read(one, FAULT, "a fault")
        chain_digest_read(found["said"], "what is kept of a fault")
        try:
            verdict = Verdict(found["verdict"])
        except ValueError:
            raise ProofError(f"{found['verdict']!r:.60} is not a verdict") from None
        seat, action = found["seat"], found["action"]
        if seat not in position or (faults and seat <= faults[-1].seat):
            raise ProofError("a fault is listed twice, out of order, or for no seat")
        since = substitutes.pop(position[seat], None)
        if since is None and (position[seat] in first or action):
            raise ProofError(f"seat {seat} is listed with a fault, but its bot played on")
        if since is not None:
            if since.cause != verdict.value:
                raise ProofError(f"seat {seat}: its fault was {since.cause}, not {verdict.value}")
            if action != since.at and (action or since.at != first[position[seat]]):
                raise ProofError(f"seat {seat}: its fault was at action {since.at}, not {action}")
        faults.append(SeatFault(seat=seat, verdict=verdict, action_index=action, view=None))
    if substitutes:
        raise ProofError("a stand-in played for a bot without a listed fault")
    return tuple(faults)


def _check_forfeited(label: str, game: GameResult, forfeited: Sequence[bool]) -> None:
    """Check that all bots that have forfeited the match are not started, and that all others are."""
    for fault in game.faults:
        if (fault.verdict == Verdict.FORFEITED) != forfeited[fault.seat]:
            had = "had" if forfeited[fault.seat] else "had not"
            raise ProofError(f"{label}, game {game.index + 1}: seat {fault.seat} {had} forfeited the match")
    claimed = {fault.seat for fault in game.faults}
    if any(out and seat not in claimed for seat, out in enumerate(forfeited)):
        raise ProofError(f"{label}, game {game.index + 1}: a bot played that had forfeited the match")


def _barred(games: Collection[GameResult], seat: int) -> bool:
    first = next(iter(games), None)
    return first is not None and any(
        fault.seat == seat and fault.verdict == Verdict.FORFEITED for fault in first.faults
    )


def _same(label: str, what: str, claimed: object, found: object) -> None:
    if claimed != found or type(claimed) is not type(found):
        raise ProofError(f"{label}: {what}: {claimed!r:.80} is listed, but {found!r:.80} follows from the games")
