"""Test whether 50 selected positions order bots better than drawn ones, for bots that the selection has not seen.

The bots are those of ``benchmarks.drill_field`` and the ten of ``benchmarks.drill``. All pairs play blocks, which give
their strengths. All bots decide at positions from games of other bots of the same kinds. 50 positions are selected by
the losses and strengths of some bots, the training bots. Then groups of ten of the other bots are ordered by their
losses at these positions.

``python -m benchmarks.drill_selected [BLOCKS] [POSITIONS]``: blocks of each pair (1), positions of each kind (900).
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.drill import GAME, HOUSE, Act, field, house, played, tau
from benchmarks.drill_field import KINDS, drawn
from games.catalogue import ruleset_find_or_current
from games.dealer import block_seed
from luck import UNIT, luck_value_of
from luck.analysis import luck_values_known
from matches.referee.costly_positions import MOST
from matches.referee.scoring import scoring_shares_beaten

Floats: TypeAlias = NDArray[np.float64]
Numbers: TypeAlias = NDArray[np.intp]
Selected: TypeAlias = tuple[Numbers, Floats]  # positions, and the weight of each
BOTS: Final = {"threshold": 30, "planner": 16, "thief": 20, "lookahead": 24, "linear": 30, "simple": 16, "lookup": 14}
TEN: Final = "house"  # the kind of the ten bots of benchmarks.drill
OF_HOUSE: Final = (TEN, "lookup")
OF_A_GAME: Final = 12  # positions from a game, at most
LEAST: Final = UNIT // 500  # least difference between the best and the worst action of a position
SPLITS: Final = 12
TENS: Final = 50  # groups of ten for each split
SHRINK: Final = 2.0  # added variance of a sum of losses, as a multiple of that of its parts
RIDGE: Final = 100.0
SLOW: Final = ("planner", "lookup", "sage")  # parts of the names of bots that play one block


class Position(NamedTuple):
    """A position: the kind of bot from whose game it comes, the view, and the value of each action."""

    kind: str
    view: Mapping[str, Any]
    options: Mapping[str, int]


class Split(NamedTuple):
    """The bots and positions for the selection, and the bots that are ordered."""

    train: Numbers
    positions: Numbers
    tens: Sequence[Numbers]


def shares_of_pairs(bots: Mapping[str, Act], blocks: int) -> Floats:
    """Return the share of its games that each bot (row) won against each other; ties count half.

    Pairs with a slow bot play one block.
    """
    names = list(bots)
    shares = np.zeros((len(names), len(names)))
    for other, one in combinations(range(len(names)), 2):
        count = 1 if any(word in names[one] + names[other] for word in SLOW) else blocks
        for block in range(count):
            seed = block_seed(f"{names[one]}|{names[other]}".encode(), block)
            for pair in ((one, other), (other, one)):
                table = played([bots[names[at]] for at in pair], seed)
                assert table.outcome is not None
                first, second = map(float, scoring_shares_beaten(table.outcome.places))
                shares[pair] += first / (2 * count)
                shares[pair[::-1]] += second / (2 * count)
    return shares


def positions(each: int) -> list[Position]:
    """Return positions from games of each kind, and of house bots, against opponents of any kind. No bot of the field
    plays.
    """
    ruleset = ruleset_find_or_current(GAME)
    judge = luck_values_known()[luck_value_of(ruleset.id)].judge()
    chance, kinds = Random(7), (*KINDS, TEN)
    found: list[Position] = []
    for kind in kinds:
        got = game = 0
        while got < (each // 2 if kind == "simple" else each):
            seat, views = (game := game + 1) % 2, list[Mapping[str, Any]]()
            acts = [_recording(_other_bot(kind, 10_000 + game, chance), views)]
            acts.insert(1 - seat, _other_bot(chance.choice(kinds), 20_000 + game, chance))
            record = played(acts, block_seed(f"pos{kind}".encode(), game)).record()
            states = [step.before for step in record.replay() if step.before.actor == seat]
            for at in chance.sample(range(len(views)), min(OF_A_GAME, len(views))):
                options = {one.action: one.value for one in judge.choice(states[at])[1]}
                if max(options.values()) - min(options.values()) >= LEAST:
                    found.append(Position(kind, views[at], options))
                    got += 1
    return found


def _other_bot(kind: str, number: int, chance: Random) -> Act:
    return house(chance.choice(HOUSE)) if kind == TEN else drawn(kind, number)


def _recording(act: Act, views: list[Mapping[str, Any]]) -> Act:
    """Return ``act`` with recording: the views that it gets are added to ``views``."""

    def sees(view: Mapping[str, Any]) -> Any:
        views.append(view)
        return act(view)

    return sees


def losses(act: Act, sample: Sequence[Position]) -> list[float]:
    """Return the loss of a bot at each position, in points."""
    return [100 * (max(one.options.values()) - one.options[str(act(one.view))]) / UNIT for one in sample]


def equal_weights(lost: Floats, strength: Floats, _chance: np.random.Generator) -> Selected:
    """Select positions one by one: always the one that maximises the correlation of the sum of losses with
    ``strength``."""
    own, weak = lost - lost.mean(0), strength.mean() - strength
    variance, along = (own**2).sum(0), own.T @ weak
    picked: list[int] = []
    summed, shrunk = np.zeros(len(lost)), 0.0
    for _ in range(MOST):
        spread = summed @ summed + 2 * own.T @ summed + variance + SHRINK * (shrunk + variance)
        fit = np.where(variance > 0, (summed @ weak + along) / np.sqrt(np.maximum(spread, 1e-9)), -np.inf)
        fit[picked] = -np.inf
        picked.append(int(fit.argmax()))
        summed, shrunk = summed + own[:, picked[-1]], shrunk + variance[picked[-1]]
    return np.array(picked), np.ones(MOST)


def own_weights(lost: Floats, strength: Floats, _chance: np.random.Generator, most: int = MOST) -> Selected:
    """Select positions with weights by orthogonal matching pursuit, with nonnegative weights and a ridge."""
    scale = np.sqrt(lost.std(0) + 0.05)
    own, weak = (lost - lost.mean(0)) / scale, (strength.mean() - strength) / strength.std()
    size = np.sqrt((own**2).sum(0) + RIDGE)
    picked: list[int] = []
    rest = weak
    for _ in range(most):
        fit = own.T @ rest / size
        fit[picked] = -np.inf
        picked.append(int(fit.argmax()))
        weights = _ridge(own[:, picked], weak)
        rest = weak - own[:, picked] @ weights
    return np.array(picked), weights / scale[picked]


def _ridge(own: Floats, weak: Floats, rounds: int = 5) -> Floats:
    gram, along = own.T @ own + RIDGE * np.eye(own.shape[1]), own.T @ weak
    weights = np.maximum(np.linalg.solve(gram, along), 0)
    for _ in range(rounds):
        for at in range(len(weights)):
            weights[at] = max(0.0, weights[at] + (along[at] - gram[at] @ weights) / gram[at, at])
    return np.asarray(weights)


def as_total(lost: Floats, _strength: Floats, chance: np.random.Generator, most: int = MOST) -> Selected:
    """Select as ``own_weights`` does, but to predict the loss at all positions instead of the strength."""
    return own_weights(lost, -lost.mean(1), chance, most)


def drawn_evenly(lost: Floats, _strength: Floats, chance: np.random.Generator) -> Selected:
    """Draw positions with equal probability."""
    return chance.choice(lost.shape[1], MOST, replace=False), np.ones(MOST)


def drawn_by_loss(lost: Floats, _strength: Floats, chance: np.random.Generator) -> Selected:
    """Draw positions with a probability proportional to the losses of the training bots, weighted by its inverse."""
    mean = lost.mean(0) + 0.05
    picked = chance.choice(lost.shape[1], MOST, p=mean / mean.sum())
    return picked, 1 / mean[picked]


def everything(lost: Floats, _strength: Floats, _chance: np.random.Generator) -> Selected:
    """Select all positions."""
    return np.arange(lost.shape[1]), np.ones(lost.shape[1])


METHODS: Final[Mapping[str, Callable[[Floats, Floats, np.random.Generator], Selected]]] = {
    "50 drawn evenly": drawn_evenly,
    "50 drawn by loss": drawn_by_loss,
    "50 selected, equal weights": equal_weights,
    "50 selected, own weights": own_weights,
    "50 selected for the loss at all positions, own weights": as_total,
    "200 selected for the loss at all positions, own weights": partial(as_total, most=200),
    "all positions": everything,
}


def splits(kinds: NDArray[np.str_], sources: NDArray[np.str_]) -> Iterator[tuple[str, list[Split]]]:
    """Return the tests: bots of the same kinds as the training bots, of other kinds, and the ten of
    ``benchmarks.drill``.

    If the kinds differ, the positions are from games of other kinds, too.
    """
    chance = np.random.default_rng(2)

    def split(test: NDArray[np.bool_], positions: NDArray[np.bool_]) -> Split:
        found = np.flatnonzero(test)
        tens = [chance.choice(found, 10, replace=False) for _ in range(TENS)] if len(found) > 10 else [found]
        return Split(np.flatnonzero(~test), np.flatnonzero(positions), tens)

    def within() -> Split:
        return split(chance.random(len(kinds)) < 1 / 3, np.ones(len(sources), bool))

    def apart(unseen: Sequence[str]) -> Split:
        return split(np.isin(kinds, unseen), ~np.isin(sources, unseen))

    yield "other bots of the same kinds", [within() for _ in range(SPLITS)]
    threes = list(combinations((kind for kind in KINDS if kind not in OF_HOUSE), 3))
    some = chance.choice(len(threes), SPLITS, replace=False)
    yield "bots of other kinds", [apart((*threes[at], *OF_HOUSE)) for at in some]
    others, ten = apart(OF_HOUSE), [np.flatnonzero(kinds == TEN)]
    train = [chance.choice(others.train, len(others.train) * 4 // 5, replace=False) for _ in range(SPLITS)]
    yield "the ten of benchmarks.drill", [others._replace(train=each, tens=ten) for each in train]


def show(kinds: NDArray[np.str_], sources: NDArray[np.str_], lost: Floats, shares: Floats) -> None:
    """Print how well each method orders the bots of each test.

    ``kinds`` are by bot, ``sources`` by position; ``lost`` is by bot and position, ``shares`` by bot and opponent.
    """
    strength, chance = shares.sum(1) / (len(kinds) - 1), np.random.default_rng(3)
    half, other_half = (shares[:, at::2].sum(1) for at in (0, 1))
    for label, tests in splits(kinds, sources):
        trained = sum(len(one.train) for one in tests) / len(tests)
        print(f"{label}: {sum(len(one.tens) for one in tests)} tens, {trained:.0f} training bots")
        line(
            "one half of the opponents with the other",
            (_tau(half, other_half, ten) for one in tests for ten in one.tens),
        )
        for method, select in METHODS.items():
            taus = list[float]()
            for one in tests:
                picked, weights = select(lost[np.ix_(one.train, one.positions)], strength[one.train], chance)
                score = -lost[:, one.positions[picked]] @ weights
                taus += [_tau(score, strength, ten) for ten in one.tens]
            line(method, taus)


def _tau(one: Floats, other: Floats, ten: Numbers) -> float:
    return tau(one[ten].tolist(), other[ten].tolist())


def line(what: str, taus: Iterable[float]) -> None:
    """Print a line of the table: the mean, and the 10th and 90th percentiles over the groups of ten."""
    every = list(taus)
    low, high = np.quantile(every, [0.1, 0.9])
    print(f"  {what:56} {np.mean(every):.2f} ({low:.2f} to {high:.2f})", flush=True)


def main(blocks: int = 1, each: int = 900) -> None:
    bots = {f"{kind}{number}": drawn(kind, number) for kind, count in BOTS.items() for number in range(count)}
    kinds = np.array([kind for kind, count in BOTS.items() for _ in range(count)] + [TEN] * len(ten := field()))
    bots |= {f"bench {name}": act for name, act in ten.items()}
    sample = positions(each)
    lost = np.array([losses(act, sample) for act in bots.values()])
    print(f"{len(bots)} bots, {len(sample)} positions; the games follow", flush=True)
    shares = shares_of_pairs(bots, blocks)
    show(kinds, np.array([one.kind for one in sample]), lost, shares)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
