"""Priors: the assumed strengths of entrants before their games."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ratings.curvature import Curvature, Ties, curvature_summed
from ratings.games import Floats, Ints
from ratings.pairs import Pairs

VERSION_SD: Final = 0.7  # logits; a new version of a bot is rarely more than 240 points from its parent


@dataclass(frozen=True, slots=True)
class Prior:
    """The prior of an entrant's strength: a normal distribution with ``mean`` and ``sd``, in logits.

    Without ``sd``, the entrant is a newcomer: the standard deviation is that of all newcomers, estimated from their
    games. With a ``parent``, ``mean`` is the difference from the parent's strength. The parent's strength is fitted at
    the same time, so a new version starts at its parent's current strength.
    """

    mean: float = 0.0
    sd: float | None = None
    parent: int | None = None


NEWCOMER: Final = Prior()


class ParentError(ValueError):
    """A prior names a parent that is not among the entrants."""

    def __init__(self, entrant: int, parent: int) -> None:
        self.entrant, self.parent = entrant, parent
        super().__init__(f"the prior of entrant {entrant} names {parent} as its parent, which is not being fitted")


def prior_of_new_version(parent: int) -> Prior:
    """Return the prior of a new version, which is centred at its parent's strength."""
    return Prior(sd=VERSION_SD, parent=parent)


@dataclass(frozen=True, slots=True)
class Priors:
    """The priors of a field as columns, shape (n,) each.

    ``sd`` is nan for newcomers, whose spread is estimated. ``parent`` is the index of the parent among the entrants, or
    -1.
    """

    mean: Floats
    sd: Floats
    parent: Ints

    @classmethod
    def of(cls, entrants: Ints, priors: Mapping[int, Prior]) -> "Priors":
        """Return the priors of ``entrants``, which must be in ascending order. Entrants without a prior are newcomers.

        Raises:
            ParentError: a parent is not among the entrants.
        """
        place = {entrant: at for at, entrant in enumerate(entrants.tolist())}
        believed = {entrant: priors.get(entrant, NEWCOMER) for entrant in place}
        for entrant, prior in believed.items():
            if prior.parent is not None and prior.parent not in place:
                raise ParentError(entrant, prior.parent)
        return cls(
            np.array([prior.mean for prior in believed.values()], dtype=np.float64),
            np.array([prior.sd or np.nan for prior in believed.values()], dtype=np.float64),
            np.array([-1 if one.parent is None else place[one.parent] for one in believed.values()], dtype=np.int64),
        )

    @property
    def newcomers(self) -> NDArray[np.bool_]:
        """A mask of the entrants whose spread is estimated."""
        return np.asarray(np.isnan(self.sd) & (self.parent < 0))

    def ties(self, pairs: Pairs) -> Ties:
        """Return the ties of versions to their parents, and of the pairs that met."""
        child = np.flatnonzero(self.parent >= 0)
        one, other = np.concatenate([child, pairs.one]), np.concatenate([self.parent[child], pairs.other])
        return Ties(len(self.mean), one, other)

    def density(self, spread: float, ties: Ties) -> tuple[Curvature, Floats]:
        """Return the precision P and the linear term p of the joint prior exp(-s'Ps/2 + p's) of strengths s.

        ``spread`` is the standard deviation of newcomers. Pairs that met have weight 0.
        """
        weight = np.where(np.isnan(self.sd), spread, self.sd) ** -2
        child = np.flatnonzero(self.parent >= 0)
        pull = weight * self.mean
        tied = np.zeros(len(ties.one))
        tied[: len(child)] = weight[child]
        own = np.where(self.parent < 0, weight, 0.0)
        return Curvature(own, ties, tied), pull - curvature_summed(self.parent[child], pull[child], len(pull))
