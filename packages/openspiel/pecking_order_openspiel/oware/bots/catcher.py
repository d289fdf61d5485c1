"""Sows each house in its mind, and takes the one that catches most and leaves the other least to catch."""


def houses_of(view):
    """Return the twelve houses in the order of sowing, those of seat 0 first."""
    top, bottom = ([int(one) for one in view["board"][at].split()] for at in (2, 3))
    return bottom + top[::-1]


def sown(houses, at):
    """Return the houses after sowing the one at ``at``, and how many seeds are caught."""
    after, seeds, end = list(houses), houses[at], at
    after[at] = 0
    while seeds:
        end = (end + 1) % 12
        if end != at:
            after[end] += 1
            seeds -= 1
    caught = 0
    while end // 6 != at // 6 and after[end] in (2, 3):
        caught += after[end]
        after[end] = 0
        end -= 1
    return after, caught


def act(view):
    houses, first = houses_of(view), 6 * view["you"]

    def worth(action):
        after, caught = sown(houses, first + ord(action.lower()) - ord("a"))
        other = range(6 - first, 12 - first)
        return caught - max((sown(after, at)[1] for at in other if after[at]), default=0)

    return max(view["actions"], key=worth)
