"""Looks three moves ahead; of positions without a winner it likes those with its discs in the middle."""

DEPTH, WON = 3, 1000
ROWS, COLUMNS = 6, 7
WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))


def drop(columns, column, disc):
    return [*columns[:column], columns[column] + disc, *columns[column + 1 :]]


def disc_at(columns, column, row):
    return columns[column][row] if 0 <= column < COLUMNS and 0 <= row < len(columns[column]) else ""


def wins(columns, column):
    """Tell whether the disc on top of ``column`` is in a line of four."""
    row = len(columns[column]) - 1
    disc = columns[column][row]
    for across, up in WAYS:
        line = 1
        for way in (1, -1):
            step = 1
            while disc_at(columns, column + way * step * across, row + way * step * up) == disc:
                line, step = line + 1, step + 1
        if line >= 4:
            return True
    return False


def value(columns, own, other, depth):
    """Return what the position is worth to ``own``, who is to play."""
    best = -WON * 2
    for column in sorted(range(COLUMNS), key=lambda one: abs(one - COLUMNS // 2)):
        if len(columns[column]) < ROWS:
            after = drop(columns, column, own)
            if wins(after, column):
                return WON + depth
            best = max(best, -value(after, other, own, depth - 1) if depth else middle(after, own, other))
    return best if best > -WON * 2 else 0


def middle(columns, own, other):
    return sum((3 - abs(3 - at)) * (discs.count(own) - discs.count(other)) for at, discs in enumerate(columns))


def act(view):
    lines = view["board"][:ROWS]
    columns = ["".join(line[at] for line in reversed(lines)).replace(".", "") for at in range(COLUMNS)]
    own, other = "xo" if view["you"] == 0 else "ox"

    def worth(action):
        column = int(action[1])
        after = drop(columns, column, own)
        return 2 * WON if wins(after, column) else -value(after, other, own, DEPTH - 1)

    return max(sorted(view["actions"], key=lambda one: abs(int(one[1]) - 3)), key=worth)
