"""Plays beside its own stones and in the way of the other, near the middle."""

NEAR = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, -1), (-1, 1))


def stones_of(view):
    """Return the text of every stone by its column and row."""
    stones = {}
    for line in view["board"]:
        head, *cells = line.replace("[", " ").replace("]", " ").split()
        if head.isdigit():
            row = int(head)
            first = 0
            for at, cell in enumerate(cells, first):
                stones[at, row] = cell
    return stones


def act(view):
    stones = stones_of(view)
    own, other = "O@" if view["you"] == 0 else "@O"
    columns, rows = zip(*stones, strict=True)
    middle = sum(columns) / len(columns), sum(rows) / len(rows)

    def worth(action):
        column, row = ord(action[0]) - ord("a"), int(action[1:])
        near = [stones.get((column + across, row + down)) for across, down in NEAR]
        own_near, other_near = near.count(own), near.count(other)
        away = abs(column - middle[0]) + abs(row - middle[1])
        return 2 * (own_near == 1) + (own_near == 2) + 1.5 * (0 < other_near < 4) - away / 3

    return max(view["actions"], key=worth)
