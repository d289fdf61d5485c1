"""Looks two moves ahead, and counts the moves of both where it stops."""

NEAR = ((0, 1), (1, 0), (0, -1), (-1, 0))


def moves(cells, own):
    return sum(
        cells.get((row + down, column + across), own) not in (own, ".")
        for (row, column), cell in cells.items()
        if cell == own
        for down, across in NEAR
    )


def after(cells, start, end):
    return {**cells, end: cells[start], start: "."}


def steps(cells, own):
    for (row, column), cell in cells.items():
        if cell == own:
            for down, across in NEAR:
                end = row + down, column + across
                if cells.get(end, own) not in (own, "."):
                    yield (row, column), end


def value(cells, own, other, depth):
    """Return what the position is worth to ``own``, who is to play."""
    if not depth:
        return moves(cells, own) - moves(cells, other)
    return max((-value(after(cells, *one), other, own, depth - 1) for one in steps(cells, own)), default=-100)


def act(view):
    rows = [line for line in view["board"] if line[:1].isdigit()]
    cells = {(int(line[0]), at): cell for line in rows for at, cell in enumerate(line[1:], 1)}
    own, other = "ox" if view["you"] == 0 else "xo"
    depth = 1 if len(view["actions"]) > 12 else 3

    def worth(action):
        start = int(action[1]), ord(action[0]) - ord("a") + 1
        end = int(action[3]), ord(action[2]) - ord("a") + 1
        return -value(after(cells, start, end), other, own, depth)

    return max(view["actions"], key=worth)
