"""Find the luck analyses of all games, including those from packages, and analyse a finished game."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from games.catalogue import GAMES
from games.catalogue.discovery import ENGINES
from games.record import Record, RecordError
from games.replay import Step
from games.state import CHANCE
from luck.game_account import ChanceEvent, DealtGame, Decision, GameAccount, Moment, Unanalysed
from luck.judge import DealMeans, GameLuck, KnownValue, Value
from luck.shares import Shares, shares_of

GROUP: Final = "pecking_order.luck"
OWN: Final = ("pickomino", "heckmeck", "laghetti", "karteneck")
_HERE: Final = __name__.rpartition(".")[0]
ID_MOST: Final = 40  # the most characters in the id of a value


class BrokenLuck(ValueError):
    """The registered object cannot be used."""


def luck_modules_found(registered: Iterable[EntryPoint] | None = None) -> tuple[dict[str, GameLuck], dict[str, str]]:
    """Load the entry points ``registered``, by default those of the environment.

    Return two mappings: the luck of each game by the name of the game, and the errors of modules that cannot be used,
    by their entry points.
    """
    own = [EntryPoint(name, f"{_HERE}.{name}:LUCK", GROUP) for name in OWN]
    games, broken = dict[str, GameLuck](), dict[str, str]()
    for entry in (*own, *_of_others(entry_points(group=GROUP) if registered is None else registered)):
        try:
            if entry.name in games:
                raise BrokenLuck("another package registers the luck of this game")
            luck = entry.load()
            luck_check(entry.name, luck)
        except (Exception, SystemExit) as error:  # imported modules may raise anything
            about = str(error) if isinstance(error, BrokenLuck) else f"{type(error).__name__}: {error}"
            broken[entry.value] = f"{entry.name}: {about}"[:500]
        else:
            games[entry.name] = luck
    return games, broken


def _of_others(registered: Iterable[EntryPoint]) -> Iterator[EntryPoint]:
    for entry in sorted(registered, key=lambda one: (one.name, one.value)):
        if entry.dist is None or entry.dist.name not in ENGINES:
            yield entry


def luck_check(name: str, luck: object) -> None:
    """Validate the object that is registered for the game ``name``.

    Raises:
        BrokenLuck: it is not valid; the text says why.
    """
    if not isinstance(luck, GameLuck):
        raise BrokenLuck(f"expected a GameLuck of this engine, got a {type(luck).__name__}")
    if name not in GAMES:
        raise BrokenLuck(f"no game {name!r} is installed")
    rulesets = {ruleset.id for ruleset in GAMES[name].versions}
    ids = set[str]()
    for one in _named(luck):
        if one.ruleset not in rulesets:
            raise BrokenLuck(f"the value {one.id!r} is for {one.ruleset!r}, which is no version of {name!r}")
        if not one.id.startswith(f"{one.ruleset}-") or len(one.id) > ID_MOST or one.id in ids:
            begins = f"{one.ruleset}-"
            raise BrokenLuck(f"the id {one.id!r} must begin with {begins!r}, be unique and at most {ID_MOST} long")
        ids.add(one.id)


def _named(luck: GameLuck) -> Iterator[DealMeans | Value]:
    yield from (known.value for known in luck.values)
    if luck.deals is not None:
        yield luck.deals


NO_VALUE: Final = "There is no value for %(ruleset)s yet: its luck cannot be told."
NOT_COVERED: Final = "The value %(value)s was not made for this game's %(option)s: its luck cannot be told."
TURN_CAP: Final = "The platform ended this game after too many turns: its luck cannot be told."
UNFINISHED: Final = "This record is cut short: the luck of a game is told from its end."


@cache
def _installed() -> tuple[Mapping[str, GameLuck], Mapping[str, str]]:
    return luck_modules_found()


def broken_luck() -> Mapping[str, str]:
    """Return the errors of modules that cannot be used, by their entry points."""
    return _installed()[1]


@cache
def luck_values_known() -> dict[str, KnownValue]:  # frozen: value of a game's luck
    """Return the values by id. Of the values of a ruleset, the newest is last.

    Values are never removed or changed, because contests continue to use the value that was announced.
    """
    return {known.value.id: known for luck in _installed()[0].values() for known in luck.values}


def _means_of(ruleset: str) -> DealMeans | None:
    luck = _luck_of(ruleset)
    return luck.deals if luck and luck.deals and luck.deals.ruleset == ruleset else None


def _luck_of(ruleset: str) -> GameLuck | None:
    return _installed()[0].get(ruleset.partition("/")[0])


def luck_values_of(ruleset: str) -> tuple[str, ...]:
    """Return the ids of the values of ``ruleset``, such as "pickomino/1-v1", newest last."""
    return tuple(name for name, known in luck_values_known().items() if known.value.ruleset == ruleset)


def luck_value_of(ruleset: str) -> str:
    """Return the id of the newest value of ``ruleset``, which new contests use; "" if there is none."""
    return next(reversed(luck_values_of(ruleset)), "")


def luck_value_announced(ruleset: str, announced: str) -> str:
    """Return the id of the value that a contest uses, given the id that it ``announced``.

    Contests announced "" while ``ruleset`` had at most one value. So "" means the first value of ``ruleset``.
    """
    return announced or next(iter(luck_values_of(ruleset)), "")


def luck_analysed_by(ruleset: str, value: str | None = None) -> str:
    """Return the id of what analyses games of ``ruleset``: the means of its deals, or a value; "" for neither.

    Means take precedence over ``value``. Without ``value``, the newest value is used.
    """
    if means := _means_of(ruleset):
        return means.id
    return luck_value_of(ruleset) if value is None else value


def luck_value_is_known(ruleset: str, value: str) -> bool:
    """Return whether ``value`` is the id of a value, or of means, with which games of ``ruleset`` are analysed here."""
    means = _means_of(ruleset)
    return value == means.id if means else value in luck_values_of(ruleset)


def luck_unknown_reason(ruleset: str) -> Unanalysed:
    """Return the reason why games of ``ruleset`` are not analysed."""
    luck = _luck_of(ruleset)
    if luck and luck.why_none:
        return Unanalysed("too_little", luck.why_none, {})
    return Unanalysed("no_value", NO_VALUE, {"ruleset": ruleset})


def luck_analyse(record: Record, value: str = "") -> GameAccount | DealtGame | Unanalysed:
    """Analyse ``record`` with the value ``value``, by default the newest. Return the reason if this is impossible.

    >>> from games.catalogue import find
    >>> from games.table import Table
    >>> table = Table(find("pickomino/1"), players=2, options={}, seed=bytes(16))
    >>> luck_analyse(table.record()).code
    'unfinished'

    Raises:
        RecordError: the game was not played by the rules, or does not end where the record says.
    """
    steps = list(record.replay())
    if not steps or (outcome := steps[-1].after.outcome()) is None:
        return Unanalysed("unfinished", UNFINISHED)
    if record.sealed(steps[-1].after) != record:
        raise RecordError("digest", "the game does not end where the record says")
    known = luck_values_known().get(value or luck_value_of(record.ruleset))
    if means := _means_of(record.ruleset):
        if missing := means.uncovered(record.options):
            return Unanalysed("options", NOT_COVERED, {"value": means.id, "option": missing})
        return means.dealt(steps)
    if known is None or known.value.ruleset != record.ruleset:
        return luck_unknown_reason(record.ruleset)
    if missing := known.value.covers(record.players, record.options):
        return Unanalysed("options", NOT_COVERED, {"value": known.value.id, "option": missing})
    if outcome.reason == "turn_cap":
        return Unanalysed("turn_cap", TURN_CAP)
    return _accounted(known, steps, shares_of(outcome.places))


def _accounted(known: KnownValue, steps: Sequence[Step], final: Shares) -> GameAccount:
    judge, sums = known.judge(), _SumsBySeat(len(final), known.moment_count)
    shares = [judge.at(steps[0].before)]
    events: list[ChanceEvent] = []
    decisions: list[Decision] = []
    turns: list[Moment] = []
    for number, step in enumerate(steps, 1):
        before, action, after, cause = step
        seat = before.actor
        if cause:
            sums.stop(seat, number)
        led = judge.led(before, after)
        gained = tuple(new - old for new, old in zip(led, shares[-1], strict=True))
        if seat == CHANCE:
            events.append(ChanceEvent(number, judge.roller(before), gained))
            sums.chance(known.moments(before, shares[-1], gained))
        else:
            kind, options = judge.choice(before)
            decisions.append(Decision(number, seat, kind, action, options, bool(cause)))
            sums.decided(seat, gained)
        shares.append(final if number == len(steps) else judge.at(after))
        sums.left_over(tuple(new - old for new, old in zip(shares[-1], led, strict=True)))
        if after.turn != before.turn or number == len(steps):
            turns.append(Moment(before.turn, judge.roller(before) if seat == CHANCE else seat, number, shares[-1]))
    return GameAccount(
        value=known.value.id,
        players=len(final),
        shares=tuple(shares),
        events=tuple(events),
        decisions=tuple(decisions),
        turns=tuple(moment for moment in turns if moment.turn),
        luck_moments=tuple(map(tuple, sums.moments)),
        lost=tuple(sums.lost),
        theirs=tuple(sums.theirs),
        unexplained=tuple(sums.unexplained),
        stopped=tuple(sums.stopped.items()),
    )


class _SumsBySeat:
    """Sums by seat of the table.

    Once a stand-in plays for a seat, the seat is no longer counted. Once only one bot is left, no seat is counted.
    Changes of seats that are not counted are added to ``unexplained``.
    """

    def __init__(self, players: int, moments: int) -> None:
        self.moments = [[0] * players for _ in range(moments)]  # the first moment is luck
        self.lost = [0] * players
        self.theirs = [0] * players
        self.unexplained = [0] * players
        self.stopped: dict[int, int] = {}

    def stop(self, seat: int, step: int) -> None:
        self.stopped.setdefault(seat, step)

    def chance(self, moments: Sequence[Shares]) -> None:
        for sums, moment in zip(self.moments, moments, strict=True):
            for seat in filter(self._counts, range(len(moment))):
                sums[seat] += moment[seat]
        self.left_over(tuple(0 if self._counts(seat) else one for seat, one in enumerate(moments[0])))

    def decided(self, seat: int, gained: Shares) -> None:
        if not self._counts(seat):
            self.left_over(gained)
            return
        self.lost[seat] -= gained[seat]
        for at, one in enumerate(gained):
            if at != seat:
                (self.theirs if self._counts(at) else self.unexplained)[at] += one

    def left_over(self, gained: Shares) -> None:
        self.unexplained = [sum(pair) for pair in zip(self.unexplained, gained, strict=True)]

    def _counts(self, seat: int) -> bool:
        return seat not in self.stopped and len(self.stopped) < len(self.lost) - 1
