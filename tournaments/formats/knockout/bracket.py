"""The current state of a bracket with single or double elimination: matches, decisions, the next round, and places."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from tournaments.formats.knockout.plan import (
    BracketSlot,
    EliminationType,
    Part,
    SlotSource,
    SourceKind,
    knockout_plan_of,
)


class DecidedBy(StrEnum):
    """The criterion that decided a match.

    A knockout match needs a winner, so the next criterion is applied if the one before finds none.
    """

    FORFEIT = "forfeit"  # the other entrant had too many faults
    SCORE = "score"
    GAME_POINTS = "game_points"
    SEED = "seed"
    WALKOVER = "walkover"  # the other entrant had left


@dataclass(frozen=True, slots=True)
class HeatShare:
    """The result of an entrant in a match.

    It has the number of games won (a draw counts half), the game's own points, the entrant's seed, and whether the
    entrant forfeited the match by its faults.
    """

    entrant: int
    score: float
    game_points: int
    seed: int
    forfeited: bool = False


@dataclass(frozen=True, slots=True)
class BracketDecision:
    winner: int
    loser: int
    by: DecidedBy

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "BracketDecision":
        """Read what ``write`` has returned."""
        return cls(data["winner"], data["loser"], DecidedBy(data["by"]))

    def write(self) -> dict[str, Any]:
        """Return a value for JSON."""
        return asdict(self)


def bracket_decision_of(one: HeatShare, other: HeatShare) -> BracketDecision:
    """Decide a match.

    A forfeit decides first; then more games won; then more of the game's own points; then the better seed.

    Raises:
        ValueError: both have the same seed.
    """
    for by, mine, theirs in (
        (DecidedBy.FORFEIT, not one.forfeited, not other.forfeited),
        (DecidedBy.SCORE, one.score, other.score),
        (DecidedBy.GAME_POINTS, one.game_points, other.game_points),
        (DecidedBy.SEED, other.seed, one.seed),
    ):
        if mine != theirs:
            winner, loser = (one, other) if mine > theirs else (other, one)
            return BracketDecision(winner.entrant, loser.entrant, by)
    raise ValueError(f"entrants {one.entrant} and {other.entrant} share the seed {one.seed}")


@dataclass(frozen=True, slots=True)
class Side:
    """A side of a match, and the source of its player.

    If the side is ``empty``, it will never have a player, and the player of the other side goes on. If it is not empty
    and has no ``entrant``, its player is not known yet.
    """

    feed: SlotSource
    entrant: int | None = None
    seed: int = 0
    empty: bool = False

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Side":
        """Read what ``write`` has returned."""
        return cls(SlotSource.read(data["feed"]), data["entrant"], data["seed"], data["empty"])

    def write(self) -> dict[str, Any]:
        """Return a value for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match of a knockout. ``drawn`` tells whether the site has created the match, which may not be played yet."""

    place: BracketSlot
    level: int
    first: Side
    second: Side
    drawn: bool = False
    verdict: BracketDecision | None = None

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "BracketMatch":
        """Read what ``write`` has returned."""
        verdict = BracketDecision.read(data["verdict"]) if data["verdict"] else None
        sides = Side.read(data["first"]), Side.read(data["second"])
        return cls(BracketSlot.read(data["place"]), data["level"], *sides, data["drawn"], verdict)

    def write(self) -> dict[str, Any]:
        """Return a value for JSON."""
        return asdict(self)

    def of_seat(self, entrant: int) -> dict[str, Any]:
        """Return no cells: exports have no further data about seats in a bracket."""
        return {}

    @property
    def seating(self) -> tuple[int, ...]:
        """The known players, in seat order."""
        return tuple(side.entrant for side in (self.first, self.second) if side.entrant is not None)

    @property
    def empty(self) -> bool:
        """Whether no match will be played in this slot, because at most one entrant comes to it."""
        return self.first.empty or self.second.empty

    @property
    def decided(self) -> bool:
        return self.verdict is not None

    @property
    def goes_on(self) -> tuple[int, ...]:
        """The winner, as a tuple of one; empty while the match is not decided."""
        return (self.verdict.winner,) if self.verdict else ()

    @property
    def by(self) -> DecidedBy | None:
        """The criterion that decided the match."""
        return self.verdict.by if self.verdict else None


@dataclass(frozen=True, slots=True)
class Placing:
    """The place of an entrant.

    Entrants that went out in the same round share a ``rank``. ``out`` is the slot of the match in which the entrant
    went out; None for the winner, and for an entrant that is still in.
    """

    entrant: int
    seed: int
    rank: int
    out: BracketSlot | None


def bracket_placings_of(seeds: Sequence[int], bouts: Sequence[BracketMatch], defeats: int) -> tuple[Placing, ...]:
    """Return a placing for each entrant, the best first. An entrant is out after ``defeats`` defeats.

    A lost match for the third place does not count as a defeat: it only separates the two losers of the semi-finals.
    """
    lost = dict.fromkeys(seeds, 0)
    out: dict[int, BracketMatch] = {}
    for bout in bouts:
        if bout.verdict is not None and bout.place.part is not Part.THIRD:
            loser = bout.verdict.loser
            lost[loser] += 1
            if lost[loser] == defeats:
                out[loser] = bout
    third = next((bout.verdict for bout in bouts if bout.place.part is Part.THIRD and bout.verdict), None)

    def strength(entrant: int) -> tuple[int, int]:
        gone = out.get(entrant)
        return (gone.level, third is not None and third.winner == entrant) if gone else (len(bouts) + 1, 0)

    ordered = sorted(range(len(seeds)), key=lambda place: (*(-part for part in strength(seeds[place])), place))
    ranks: dict[tuple[int, int], int] = {}
    for number, place in enumerate(ordered, start=1):
        ranks.setdefault(strength(seeds[place]), number)
    return tuple(
        Placing(
            entrant=seeds[place],
            seed=place + 1,
            rank=ranks[strength(seeds[place])],
            out=out[seeds[place]].place if seeds[place] in out else None,
        )
        for place in ordered
    )


@dataclass(frozen=True, slots=True)
class Bracket:
    """Every match in the order of play, and the places so far."""

    bouts: tuple[BracketMatch, ...]
    placings: tuple[Placing, ...]

    @property
    def next_round(self) -> tuple[BracketMatch, ...]:
        """The matches to draw now, which are those of the lowest level with undecided matches.

        Empty while a drawn match is undecided, and when all matches are decided.
        """
        open_ = [bout for bout in self.bouts if not bout.empty and bout.verdict is None]
        if any(bout.drawn for bout in open_):
            return ()
        level = min((bout.level for bout in open_), default=0)
        return tuple(bout for bout in open_ if bout.level == level)

    @property
    def finished(self) -> bool:
        return all(bout.empty or bout.verdict is not None for bout in self.bouts)

    @property
    def byes(self) -> tuple[tuple[int, ...], ...]:
        """For each drawn round, the entrants that went on without an opponent."""
        levels = sorted({bout.level for bout in self.bouts if bout.drawn})
        return tuple(
            tuple(entrant for bout in self.bouts if bout.level == level and bout.empty for entrant in bout.seating)
            for level in levels
        )


def bracket_of(
    kind: EliminationType,
    seeds: Sequence[int],
    results: Mapping[BracketSlot, BracketDecision | None],
    gone: Sequence[int] = (),
    third_place: bool = False,
) -> Bracket:
    """Return the bracket of the entrants in ``seeds``, which has the best seed first.

    ``results`` has the decisions of all matches that were drawn so far; the decision is None while a match is being
    played. ``gone`` are the entrants that left, in the order in which they left. They lose each match that was not
    drawn before. If both players of such a match left, the one that left later goes on, because it won the match when
    the other one left.

    Raises:
        EntrantsError: there are fewer than two entrants.
    """
    bouts: dict[BracketSlot, BracketMatch] = {}
    numbers = {entrant: seed for seed, entrant in enumerate(seeds, start=1)}
    left = {entrant: place for place, entrant in enumerate(gone)}
    for node in knockout_plan_of(kind, len(seeds), third_place):
        first, second = (_side(feed, numbers, seeds, bouts) for feed in (node.first, node.second))
        if node.place.is_reset and _spared(first.feed, bouts):
            first, second = Side(first.feed, empty=True), Side(second.feed, empty=True)
        drawn = node.place in results
        verdict = results.get(node.place) if drawn else _walkover(first, second, left)
        bouts[node.place] = BracketMatch(node.place, node.level, first, second, drawn, verdict)
    played = tuple(bouts.values())
    return Bracket(played, bracket_placings_of(seeds, played, 2 if kind is EliminationType.DOUBLE else 1))


def _side(
    feed: SlotSource, numbers: Mapping[int, int], seeds: Sequence[int], bouts: Mapping[BracketSlot, BracketMatch]
) -> Side:
    if feed.place is None:
        nobody = feed.seed > len(seeds)
        return Side(feed, empty=True) if nobody else Side(feed, seeds[feed.seed - 1], feed.seed)
    bout = bouts[feed.place]
    if bout.empty:
        # A match that is not played has no loser, and its winner may not be known yet.
        passes = next((side for side in (bout.first, bout.second) if not side.empty), None)
        if feed.way is SourceKind.LOSER or passes is None:
            return Side(feed, empty=True)
        return Side(feed, passes.entrant, passes.seed)
    if bout.verdict is None:
        return Side(feed)
    entrant = bout.verdict.winner if feed.way is SourceKind.WINNER else bout.verdict.loser
    return Side(feed, entrant, numbers[entrant])


def _spared(feed: SlotSource, bouts: Mapping[BracketSlot, BracketMatch]) -> bool:
    """Return whether the undefeated entrant won the first grand final."""
    assert feed.place is not None  # noqa: S101  a reset follows a match
    final = bouts[feed.place]
    return final.verdict is not None and final.verdict.winner == final.first.entrant


def _walkover(first: Side, second: Side, left: Mapping[int, int]) -> BracketDecision | None:
    one, other = first.entrant, second.entrant
    if one is None or other is None or (one not in left and other not in left):
        return None
    passes = one if left.get(one, len(left)) > left.get(other, len(left)) else other
    return BracketDecision(passes, other if passes == one else one, DecidedBy.WALKOVER)
