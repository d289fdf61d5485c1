"""``peck play``, ``peck gate`` and ``peck replay``: results go to standard output, everything else to standard error.

Exit codes: 0 fine, 1 it does not hold or is not better, 2 a wrong call, 3 a bot's fault, 130 interrupted.
"""

import argparse
import json
import math
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from games.catalogue import GAMES, UnknownRuleset, find_or_current
from games.cli import Commands, complain, options_of, positive, say
from games.encoding import LONGEST
from games.protocol import LimitError, Limits, PlatformFault
from games.record import Record, RecordError
from games.ruleset import OptionError, SeatError
from games.untrusted import UntrustedError, parse_json, quoted_lines, read_file
from kit.bots import HomeBot, NoBotError, home_bots
from kit.box import HomeCage
from matches.home.again import BotAnswer, answered, asked_again, seat_at_fault
from matches.home.less_luck import less_luck
from matches.home.playing import Played, Series, blocks_played
from matches.home.tally import as_json, table, tally
from matches.referee import GameResult, SeatFault, SeriesState, StoppingError, StopReason, games_played, rule_of
from matches.referee.rotation import seats_by_position

OK, NOT_SO, USAGE, FAULT, INTERRUPTED = 0, 1, 2, 3, 130
WRONG: Final = (UnknownRuleset, OptionError, SeatError, NoBotError, LimitError, StoppingError)


def add_commands(commands: Commands) -> None:
    """Add the commands to the parser of ``peck``."""
    play = commands.add_parser("play", help="let bots play each other on this machine, under the site's limits")
    _add_series(play, "BOT", "+", "a .py file, a .zip or a folder with bot.py, one for each seat; one may sit twice")
    play.add_argument(
        "--blocks", type=positive, default=10, help="seeds; each is played in every rotation of the seats"
    )
    play.add_argument("-j", dest="processes", type=positive, default=1, metavar="N", help="blocks played at a time")
    play.add_argument("--records", type=Path, metavar="DIR", help="where to write every game's record")
    play.add_argument(
        "--luck", action="store_true", help="the shares with the luck taken off, and the games that saves"
    )
    play.add_argument("-q", "--quiet", action="store_true", help="no line for each game")
    play.set_defaults(run=run_play)

    gate = commands.add_parser("gate", help="is the second bot better than the first? Play until it is known")
    _add_series(gate, "BOT", 2, "the bot as it was, then as it is now")
    gate.add_argument("--effect", type=float, default=0.1, help="the least difference in share of wins that matters")
    gate.add_argument("--error", type=float, default=0.05, help="how often a wrong answer may be given")
    gate.add_argument("--blocks", type=positive, default=500, help="at most so many")
    gate.set_defaults(run=run_gate)

    replay = commands.add_parser("replay", help="give a bot one saved view again, or all of its seat in a record")
    replay.add_argument("bot", type=Path, metavar="BOT")
    replay.add_argument("file", type=Path, metavar="FILE", help="a view (JSON), or a record of a match or of --records")
    replay.add_argument("--seat", type=int, help="of a record, from 0; without it the one whose bot failed")
    replay.add_argument("--seed", type=int, default=0, help="of the bot's chance, with a view: a record has its own")
    replay.add_argument("--limit", action="append", default=[], metavar="NAME=VALUE", help="such as act_cpu=0.5")
    replay.set_defaults(run=run_replay)


def run_play(given: argparse.Namespace) -> int:
    """Play the blocks, and say what each bot made of them."""
    played: list[Played] = []
    with _series(given) as series:
        if series is None:
            return USAGE
        bots = [bot.name for bot in series.bots]
        code = OK
        try:
            if given.records:
                given.records.mkdir(parents=True, exist_ok=True)
            for one in blocks_played(series, given.blocks, given.processes):
                played.append(one)
                _tell_block(one, series, given)
                _progress(len(played), given.blocks)
        except KeyboardInterrupt:
            complain(f"interrupted after {len(played)} of {given.blocks} blocks")
            code = INTERRUPTED
        except BrokenPipeError:
            raise
        except (OSError, PlatformFault) as error:
            complain(error)
            return NOT_SO
    games = [game for one in played for game in one.games]
    if not games:
        return code
    times: dict[str, list[float]] = {}
    for one in played:
        for name, spent in one.times.items():
            times.setdefault(name, []).extend(spent)
    lines = tally(bots, games, times)
    luck = less_luck(games) if given.luck else None
    if given.json:
        told = {"blocks": len(played), "bots": [as_json(line) for line in lines]}
        print(json.dumps(told | ({"luck": luck.to_dict()} if luck else {}), default=_finite))
    else:
        say(*table(lines), *(luck.lines(bots) if luck else ()))
    _tell_beside(played, series)
    return code or (FAULT if any(game.faults for game in games) else OK)


def run_gate(given: argparse.Namespace) -> int:
    """Play two bots until one is better, or they are too close to call."""
    with _series(given) as series:
        if series is None:
            return USAGE
        try:
            rule = rule_of({"effect": given.effect, "error": given.error})
        except StoppingError as error:
            complain(error)
            return USAGE
        order = replace(series.spec(given.blocks), stopping=rule)
        state = SeriesState(2, given.blocks, rule)
        games: list[GameResult] = []
        try:
            with HomeCage() as cage:
                for game in games_played(order, cage, lambda index, table: None):
                    games.append(game)
                    state.note(game)
                    _progress(len(games) // 2, given.blocks)
        except KeyboardInterrupt:
            complain(f"interrupted after {len(games) // 2} blocks: nothing is known")
            return INTERRUPTED
        end = state.conclusion()
        lines = tally([bot.name for bot in series.bots], games, {})
    answer = {
        StopReason.SECOND: "better",
        StopReason.FIRST: "worse",
        StopReason.FORFEITED: "forfeited",
    }.get(end.ending or StopReason.UNDECIDED, "too close to call")
    if given.json:
        told = {"answer": answer, "ending": end.ending, "blocks": end.blocks, "bots": [as_json(one) for one in lines]}
        print(json.dumps(told, default=_finite))
    else:
        say(*table(lines), f"{series.bots[1].name} is {answer} ({end.blocks} blocks)")
    if any(game.faults for game in games):
        return FAULT
    return OK if answer == "better" else NOT_SO


def run_replay(given: argparse.Namespace) -> int:
    """Give a bot a view again, or all views of its seat in a record, and say where it does otherwise or fails."""
    try:
        data = read_file(given.file, LONGEST)
        view = parse_json(data) if data.lstrip()[:1] in (b"{", b"[") else None
        limits = _limits(given.limit)
        with home_bots([given.bot]) as (bot,), HomeCage() as cage:
            if view is not None:
                return _tell_answer(answered(view, given.seed, bot, cage, limits))
            return _replay_record(Record.decode(data), given.seat, bot, cage, limits)
    except (OSError, RecordError, UntrustedError, ValueError, *WRONG) as error:
        complain(f"{given.file}: {error}")
        return USAGE


def _replay_record(record: Record, asked: int | None, bot: HomeBot, cage: HomeCage, limits: Limits) -> int:
    seat = seat_at_fault(record) if asked is None else asked
    if seat not in range(record.players):
        raise ValueError(f"--seat: {seat} is not allowed; allowed: 0 to {record.players - 1}")
    found = asked_again(record, seat, bot, cage, limits)
    where = f"seat {seat}, action {found.at}"
    if found.fault is not None:
        return _tell_fault(where, found.fault)
    if found.cause:
        say(f"{where}: it failed there ({found.cause}), and now answers {found.answer!r}")
    elif found.differs:
        say(f"{where}: the record has {found.recorded!r}, yours answers {found.answer!r}")
    else:
        say(f"seat {seat}: the same {found.asked} answers as recorded")
        return OK
    return NOT_SO


def _tell_answer(answer: BotAnswer) -> int:
    if answer.fault is not None:
        return _tell_fault("failed", answer.fault)
    say(f"{answer.action!r}: legal; {answer.cpu:.3f} s of processor time")
    return OK


def _tell_fault(where: str, fault: SeatFault) -> int:
    say(f"{where}: {_named(fault)}")
    _quote(fault)
    return FAULT


def _add_series(parser: argparse.ArgumentParser, name: str, count: Any, said: str) -> None:
    parser.add_argument("game", help=", ".join(GAMES))
    parser.add_argument("bots", nargs=count, type=Path, metavar=name, help=said)
    parser.add_argument("--seed", default="peck", help="any text; the same text gives the same games")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="of the game")
    parser.add_argument("--limit", action="append", default=[], metavar="NAME=VALUE", help="such as act_cpu=0.5")
    parser.add_argument("--json", action="store_true", help="the result for programs")


@contextmanager
def _series(given: argparse.Namespace) -> Iterator[Series | None]:
    """What the call asks for; None, and the reason on standard error, if it makes no sense."""
    with ExitStack() as stack:
        series = None
        try:
            ruleset = find_or_current(given.game)
            options = options_of(ruleset, given.option)
            ruleset.validate(len(given.bots), options)
            bots = tuple(stack.enter_context(home_bots(given.bots)))
            series = Series(ruleset.id, options, _limits(given.limit), given.seed.encode() or b"peck", bots)
        except WRONG as error:
            complain(error)
        yield series


def _limits(pairs: Sequence[str]) -> Limits:
    """Return the site's limits but for those that are given.

    Raises:
        LimitError: one that does not exist, or a value it does not allow.
    """
    told: dict[str, Any] = {}
    for pair in pairs:
        name, _, text = pair.partition("=")
        try:
            told[name] = float(text) if "." in text or name.endswith(("cpu", "wall")) else int(text)
        except ValueError:
            raise LimitError(name, text, "a number") from None
    return Limits.from_dict(told)


def _tell_block(one: Played, series: Series, given: argparse.Namespace) -> None:
    """Say how each game ended, keep its record, and say on standard error who failed in it."""
    seats = len(series.bots)
    for rotation, game in enumerate(one.games):
        number = f"{one.block + 1}.{rotation + 1}"
        order = list(seats_by_position(game.index, seats))
        if given.records:
            (given.records / f"game-{number}.peck").write_bytes(game.record.encode())
        if not (given.quiet or given.json):
            how = game.reason + (f", {game.tie_break}" if game.tie_break else "")
            each = ", ".join(
                f"{series.bots[seat].name} {game.points[seat]} (place {game.places[seat]})" for seat in order
            )
            say(f"game {number}: {each}; {how}")
        for fault in game.faults:
            complain(
                f"game {number}: {series.bots[fault.seat].name}, seat {order.index(fault.seat)}, "
                f"action {fault.action_index}: {_named(fault)}"
            )
            _quote(fault, sys.stderr)


def _named(fault: SeatFault) -> str:
    where = f", line {fault.line}" if fault.line else ""
    return f"{fault.verdict.value}{where}: {fault.said}"


def _quote(fault: SeatFault, file: Any = None) -> None:
    for text in (fault.detail, fault.output):
        if text.strip() and (text is fault.output or "\n" in text.strip()):
            print("\n".join(quoted_lines(text)), file=file or sys.stdout)


def _tell_beside(played: Sequence[Played], series: Series) -> None:
    for bot in series.bots:
        beside: set[str] = set()
        for one in played:
            beside.update(one.beside.get(bot.name, ()))
        if beside and bot.file != "bot.py":
            complain(f"note: {bot.file} imports {', '.join(sorted(beside))} beside it: upload a zip that holds them")


def _progress(done: int, of: int) -> None:
    if sys.stderr.isatty():
        end = "\n" if done == of else ""
        print(f"\r{done} of {of} blocks", end=end, file=sys.stderr, flush=True)


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else str(value)
