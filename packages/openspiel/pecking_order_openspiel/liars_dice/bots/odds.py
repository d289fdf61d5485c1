"""Reckons how likely a bid is, given its own dice; doubts what is unlikely, and bids the likeliest that is higher."""

from math import comb

FACES = 6  # the last of which is wild


def likely(bid, own, unknown):
    count, face = (int(one) for one in bid.split("-"))
    lacking = count - sum(one in (str(face), str(FACES)) for one in own)
    chance = 1 / FACES if face == FACES else 2 / FACES
    if lacking <= 0:
        return 1.0
    return sum(comb(unknown, n) * chance**n * (1 - chance) ** (unknown - n) for n in range(lacking, unknown + 1))


def act(view):
    own, *bids = view["board"][0].split()
    unknown = len(own)
    higher = [one for one in view["actions"] if one != "Liar"]
    best = max(higher, key=lambda bid: likely(bid, own, unknown), default=None)
    if best is None:
        return "Liar"
    if bids and 1 - likely(bids[-1], own, unknown) > likely(best, own, unknown):
        return "Liar"
    return best
