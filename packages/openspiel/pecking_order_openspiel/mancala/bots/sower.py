"""Sows a pit by which it gets another turn; else the one that brings most."""


def pits_of(view):
    """Return the fourteen pits by their numbers: 0 is seat 1's store, 7 seat 0's."""
    top, stores, bottom = (
        [int(one) for one in line.strip("-").replace("-", " ").split()] for line in view["board"][:3]
    )
    return [stores[0], *bottom, stores[1], *reversed(top)]


def act(view):
    pits = pits_of(view)
    store, skipped = (7, 0) if view["you"] == 0 else (0, 7)

    def worth(action):
        at, after = int(action), list(pits)
        seeds, after[at], turn = after[at], 0, 0
        while seeds:
            at = (at + 1) % 14
            if at != skipped:
                after[at] += 1
                seeds -= 1
        own = range(1, 7) if store == 7 else range(8, 14)
        if at == store:
            turn = 3
        elif at in own and after[at] == 1 and after[14 - at]:
            after[store] += after[14 - at] + 1
        return after[store] - pits[store] + turn

    return max(view["actions"], key=worth)
