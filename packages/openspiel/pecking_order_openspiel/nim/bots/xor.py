"""Plays by the theory of misere Nim (Bouton 1901): leave a sum without carrying of 0, and an odd number of ones."""

from functools import reduce
from operator import xor


def act(view):
    heaps = [int(one) for one in view["board"][0].partition(":")[2].split()]

    def worth(action):
        heap, take = (int(one.partition(":")[2]) for one in action.rstrip(";").split(", "))
        after = [size - take * (at == heap - 1) for at, size in enumerate(heaps)]
        if max(after) <= 1:
            return sum(after) % 2 == 1
        return reduce(xor, after) == 0

    return max(view["actions"], key=worth)
