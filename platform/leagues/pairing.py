"""Choose the next tables of a league, so that their games add the most information to the ratings.

The information of a game between two bots is the variance of the difference of their strengths, times p(1-p), where p
is the probability that the first one wins. It is largest for bots with uncertain ratings and equal strength.

Each table starts with the bot whose rating is most uncertain. A bot that loses to everybody would stay uncertain, and
lead most tables. So the uncertainty of a bot counts less if even against its closest rival, nine games in ten have the
same winner. The other seats are then filled one by one, each with the bot whose games against those already seated have
the most information.

Three rules limit repetition and abuse:

- A pair that met recently counts less. If one of two bots met the other in both of its last two matches, the pair
  waits as long as games of other pairs have enough information.
- A fair share is the number of recent seats divided by the number of authors. The bots of an author with more than a
  fair share count less. An author with twice the fair share waits as long as games of others have enough information.
  So an author who uploads a new version every minute does not block the workers.
- An author has at most one bot at a table.

Bots of different divisions never meet. ``Recent`` has the recent tables that these rules need.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import combinations, groupby, islice
from math import exp, inf
from operator import itemgetter
from typing import Any, Final, Self, TypeVar

IN_A_ROW: Final = 2  # matches in a row that a bot may play against the same opponent


@dataclass(frozen=True, slots=True)
class Recent:
    """The recent tables.

    They are stored as the number of seats of each author, how often two entries met, and the opponents of each entry in
    its last two matches.
    """

    seats: Mapping[int, int] = field(default_factory=dict)
    meetings: Mapping[frozenset[int], int] = field(default_factory=dict)
    last: Mapping[int, tuple[frozenset[int], ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, tables: Iterable[Sequence[int]], authors: Mapping[int, int]) -> Self:
        """Create the object from tables of entries, oldest first, and a mapping from entries to authors.

        Entries that are not in ``authors`` are left out.
        """
        recent = cls()
        for table in tables:
            recent = recent.and_table([one for one in table if one in authors], authors)
        return recent

    def and_table(self, table: Sequence[int], authors: Mapping[int, int]) -> Self:
        """Return a copy to which one table is added."""
        seats, meetings, last = dict(self.seats), dict(self.meetings), dict(self.last)
        for place, one in enumerate(table):
            seats[authors[one]] = seats.get(authors[one], 0) + 1
            last[one] = (*last.get(one, ()), frozenset(table) - {one})[-IN_A_ROW:]
            for other in table[:place]:
                pair = frozenset((one, other))
                meetings[pair] = meetings.get(pair, 0) + 1
        return replace(self, seats=seats, meetings=meetings, last=last)

    def in_a_row(self, one: int, other: int) -> bool:
        """Return whether the last two matches of one of the two were both against the other."""
        return any(
            len(last) == IN_A_ROW and all(them in table for table in last)
            for last, them in [(self.last.get(one, ()), other), (self.last.get(other, ()), one)]
        )

    def share(self, author: int, authors: int) -> float:
        """Return the seats of ``author`` as a multiple of the fair share; ``authors`` is the number of authors."""
        return self.shares([author], authors)[author]

    def shares(self, of: Iterable[int], authors: int) -> dict[int, float]:
        """Return ``share`` for each author in ``of``."""
        total = sum(self.seats.values())
        return {author: self.seats.get(author, 0) * authors / total if total else 0.0 for author in of}


OVERLOAD: Final = 4.0  # for each fair share of seats beyond the first, the weight of an author's bots is divided by it
MOST_SHARE: Final = 2.0  # fair shares of the seats; the bots of an author with so many wait for the others
KNOWN: Final = 0.06  # logits, about 10 points; two equal bots with smaller standard errors need no more games
EVEN_GAME: Final = 0.25  # p(1-p) of a game between equals, which is also assumed for pending games
REST: Final = 2 * KNOWN**2 * EVEN_GAME  # information below which a game is not worth playing
DECIDED: Final = 0.09  # p(1-p) of a game that is won nine times in ten
RIVALS_MOST: Final = 5
Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entry that can be seated.

    ``mean`` and ``se`` are its rating and its standard error, in logits. ``pending`` is the number of its queued games.
    ``author`` is a number. Two candidates at a table never have the same author, and always have the same division.
    """

    id: int
    author: int
    mean: float
    se: float
    pending: int = 0
    division: int = 1

    @property
    def variance(self) -> float:
        """The variance of ``mean`` that is expected after the pending games, in logits squared."""
        return 1 / (1 / self.se**2 + self.pending * EVEN_GAME)


@dataclass(frozen=True, slots=True)
class SeasonSeat:
    """An entry, and its rating when it was seated.

    ``share`` is the author's number of recent seats, in fair shares: 1 is fair.
    """

    entry: int
    mean: float
    se: float
    pending: int
    share: float


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entries of a table.

    ``difference`` is the difference of their strengths in logits, and ``sd`` its standard deviation. ``expected`` is
    the probability that ``one`` finishes before ``other``. ``met`` is how often they met recently.
    """

    one: int
    other: int
    difference: float
    sd: float
    expected: float
    information: float
    met: int


@dataclass(frozen=True, slots=True)
class Rival:
    """A candidate for the second seat. ``worth`` is its score. The first of ``Choice.rivals`` was seated."""

    entry: int
    information: float
    worth: float


@dataclass(frozen=True, slots=True)
class Choice:
    """A table, and the numbers that explain it.

    ``chairs`` are in seat order. ``lead`` is the entry that was chosen first.
    """

    lead: int
    chairs: tuple[SeasonSeat, ...]
    pairs: tuple[Pair, ...]
    rivals: tuple[Rival, ...]

    @property
    def seating(self) -> tuple[int, ...]:
        """The entries in seat order."""
        return tuple(chair.entry for chair in self.chairs)

    def write(self) -> dict[str, Any]:
        """Return the choice as a value for JSON. Each dataclass becomes the list of the values of its fields."""
        return {
            "lead": self.lead,
            "chairs": [_row(chair) for chair in self.chairs],
            "pairs": [_row(pair) for pair in self.pairs],
            "rivals": [_row(rival) for rival in self.rivals],
        }

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """Return the choice that ``write`` wrote."""
        return cls(
            data["lead"],
            tuple(SeasonSeat(*row) for row in data["chairs"]),
            tuple(Pair(*row) for row in data["pairs"]),
            tuple(Rival(*row) for row in data["rivals"]),
        )


def pairing_win_probability(difference: float) -> float:
    """Return the probability that a bot finishes before another that is ``difference`` logits weaker."""
    return 1 / (1 + exp(-difference))


def pairing_game_information(one: Candidate, other: Candidate) -> float:
    """Return the information of a game between two candidates: the variance of their difference, times p(1-p)."""
    chance = pairing_win_probability(one.mean - other.mean)
    return (one.variance + other.variance) * chance * (1 - chance)


def league_tables_choose(
    candidates: Sequence[Candidate],
    *,
    seats: int,
    count: int,
    games: int,
    recent: Recent,
    lot: Callable[[int, int], bytes],
) -> list[Choice]:
    """Return at most ``count`` tables with ``seats`` seats.

    When a table is chosen, the games of the tables before it count as pending. ``games`` is the number of games at a
    table. For the n-th table, the values of ``lot(n, entry)`` break ties and determine the order of the seats. The
    order of ``candidates`` does not matter.

    There are fewer than ``count`` tables, or none, if no further game has enough information, or if no division has as
    many authors as a table has seats.
    """
    known = {candidate.id: candidate for candidate in candidates}
    authors = {candidate.id: candidate.author for candidate in candidates}
    choices: list[Choice] = []
    for number in range(count):

        def drawn(candidate: Candidate, number: int = number) -> bytes:
            return lot(number, candidate.id)

        choosing = _Choosing(list(known.values()), seats, recent, drawn)
        choice = choosing.in_turn().choice() or choosing.unweighed().choice()
        if choice is None:
            break
        choices.append(choice)
        recent = recent.and_table(choice.seating, authors)
        for entry in choice.seating:
            known[entry] = replace(known[entry], pending=known[entry].pending + games * (seats - 1))
    return choices


class _Choosing:
    """The choice of one table. Lots break ties; they are drawn only if there is a tie."""

    def __init__(
        self, candidates: Sequence[Candidate], seats: int, recent: Recent, drawn: Callable[[Candidate], bytes]
    ) -> None:
        self.candidates = candidates
        self.seats = seats
        self.recent = recent
        self.drawn = drawn
        authors = {candidate.author for candidate in candidates}
        self.shares = recent.shares(authors, len(authors))
        self.weights: dict[int, float] = {
            author: OVERLOAD ** min(1 - share, 0) for author, share in self.shares.items()
        }

    def in_turn(self) -> Self:
        """Return a copy without the candidates whose authors had ``MOST_SHARE`` fair shares of the recent seats.

        If there are fewer recent seats than authors, all candidates stay.
        """
        choosing = copy(self)
        if sum(self.recent.seats.values()) >= len(self.shares):
            choosing.candidates = [one for one in self.candidates if self.shares[one.author] < MOST_SHARE]
        return choosing

    def unweighed(self) -> Self:
        """Return a copy in which the weights of all authors are 1.

        It is used if no game between the candidates of ``in_turn`` has enough information.
        """
        choosing = copy(self)
        choosing.weights = dict.fromkeys(self.weights, 1.0)
        return choosing

    def choice(self) -> Choice | None:
        """Return the best table; None if no game has enough information, or if there are too few authors."""
        choosing = copy(self)
        choosing.candidates = self._enough()
        lead = next(filter(choosing._learns, choosing._by_need()), None)
        return None if lead is None else choosing._among(lead)

    def _enough(self) -> list[Candidate]:
        """Return the candidates of divisions that have as many authors as a table has seats."""
        authors = defaultdict[int, set[int]](set)
        for one in self.candidates:
            authors[one.division].add(one.author)
        return [one for one in self.candidates if len(authors[one.division]) >= self.seats]

    def _among(self, lead: Candidate) -> Choice:
        """Return the best table that ``lead`` leads."""
        rivals = self._rivals([lead], RIVALS_MOST)
        table = [lead, rivals[0][1]]
        while len(table) < self.seats:
            table.append(self._rivals(table, 1)[0][1])
        seated = sorted(table, key=self.drawn)
        return Choice(
            lead=lead.id,
            chairs=tuple(
                SeasonSeat(one.id, one.mean, one.se, one.pending, round(self.shares[one.author], 3)) for one in seated
            ),
            pairs=tuple(self._pair(one, other) for one, other in combinations(seated, 2)),
            rivals=tuple(Rival(one.id, pairing_game_information(lead, one), worth) for worth, one in rivals),
        )

    def _by_need(self) -> Iterator[Candidate]:
        """Yield the candidates in the order of their need for games, highest first.

        The need is the product of three numbers: the variance, the openness, and the weight of the author.
        """
        open_to = self._openness()
        needs = [(-one.variance * open_to[one.id] * self.weights[one.author], one) for one in self.candidates]
        return (one for _need, one in self._in_order(needs))

    def _openness(self) -> dict[int, float]:
        """Return for each entry how open a game against its closest rival is, from 0 to 1.

        The value is less than 1 if the stronger of the two wins more than nine games in ten. It is 0 if there is no
        rival. The closest rival is the candidate of another author, in the same division, with the closest mean. It is
        found in one pass over the sorted candidates in each direction.
        """
        gaps: dict[int, float] = {}
        ordered = sorted(self.candidates, key=lambda one: (one.division, one.mean, one.author))
        for row in (ordered, ordered[::-1]):
            last = other = None  # the previous candidate, and the previous one by another author
            for one in row:
                if last is not None and last.division != one.division:
                    last = other = None
                if last is not None and last.author != one.author:
                    other = last
                last = one
                if other is not None:
                    gaps[one.id] = min(gaps.get(one.id, inf), abs(one.mean - other.mean))
        chances = {entry: pairing_win_probability(gap) for entry, gap in gaps.items()}
        gained = {entry: chance * (1 - chance) / DECIDED for entry, chance in chances.items()}
        return {one.id: min(1.0, gained.get(one.id, 0.0)) for one in self.candidates}

    def _learns(self, one: Candidate) -> bool:
        """Return whether any game of the candidate has enough information.

        The variance of a candidate that always wins or always loses may stay large. Without this check, such a
        candidate would lead every table.
        """
        return any(
            other.author != one.author
            and other.division == one.division
            and pairing_game_information(one, other) >= REST
            for other in self.candidates
        )

    def _rivals(self, table: Sequence[Candidate], most: int) -> list[tuple[float, Candidate]]:
        """Return at most ``most`` candidates who may join the table, each with its worth, best first.

        Candidates who would meet somebody at the table for a third time in a row come after the others. Candidates
        whose games against everybody at the table have too little information come last.
        """
        taken = {one.author for one in table}
        worths = []
        for one in self.candidates:
            if one.author in taken or one.division != table[0].division:
                continue
            known = [pairing_game_information(one, other) for other in table]
            met = [self._met(one, other) for other in table]
            worth = self.weights[one.author] * sum(each / (1 + times) for each, times in zip(known, met, strict=True))
            if max(known) < REST:
                waits = 2
            else:
                waits = int(max(met) >= IN_A_ROW and any(self.recent.in_a_row(one.id, other.id) for other in table))
            worths.append(((waits, -worth), one))
        return [(-key[1], one) for key, one in islice(self._in_order(worths), most)]

    def _in_order(self, keyed: list[tuple[Key, Candidate]]) -> Iterator[tuple[Key, Candidate]]:
        """Yield the pairs sorted by key, and pairs with equal keys in the order of the candidates' lots."""
        keyed.sort(key=itemgetter(0))
        for _key, equals in groupby(keyed, key=itemgetter(0)):
            group = list(equals)
            yield from group if len(group) == 1 else sorted(group, key=lambda pair: self.drawn(pair[1]))

    def _met(self, one: Candidate, other: Candidate) -> int:
        return self.recent.meetings.get(frozenset((one.id, other.id)), 0)

    def _pair(self, one: Candidate, other: Candidate) -> Pair:
        difference = one.mean - other.mean
        return Pair(
            one=one.id,
            other=other.id,
            difference=difference,
            sd=(one.variance + other.variance) ** 0.5,
            expected=pairing_win_probability(difference),
            information=pairing_game_information(one, other),
            met=self._met(one, other),
        )


def _row(value: SeasonSeat | Pair | Rival) -> list[float]:
    return [round(number, 6) for name in value.__slots__ if isinstance(number := getattr(value, name), int | float)]
