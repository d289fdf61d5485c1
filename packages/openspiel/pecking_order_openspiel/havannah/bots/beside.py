"""Plays where its way to three sides is shortest, or where it cuts the other's."""

from heapq import heappop, heappush

NEAR = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, -1), (-1, 1))


def cells_of(view):
    """Return what lies in each cell, by column and row, and for each cell of a border but the corners its side."""
    rows = {}
    for line in view["board"]:
        head, *cells = line.replace("[", " ").replace("]", " ").split()
        if head.isdigit():
            rows[int(head)] = [one for one in cells if one in (".", "O", "@")]
    size = (len(rows) + 1) // 2
    board, sides = {}, {}
    for row, cells in rows.items():
        first = max(0, row - size)
        for at, cell in enumerate(cells, first):
            board[at, row] = cell
            touched = [
                name
                for name, is_there in (
                    ("top", row == 1),
                    ("bottom", row == len(rows)),
                    ("upper left", at == first and row <= size),
                    ("lower left", at == first and row >= size),
                    ("upper right", at == first + len(cells) - 1 and row <= size),
                    ("lower right", at == first + len(cells) - 1 and row >= size),
                )
                if is_there
            ]
            if len(touched) == 1:
                sides[at, row] = touched[0]
    return board, sides


def way(board, sides, start, own):
    """Return how many free cells ``own`` needs from ``start`` to the three nearest sides, all ways added."""
    queue, done, found = [(0, start)], set(), {}
    while queue and len(found) < 3:
        cost, cell = heappop(queue)
        if cell in done:
            continue
        done.add(cell)
        if cell in sides:
            found.setdefault(sides[cell], cost)
        for across, down in NEAR:
            near = cell[0] + across, cell[1] + down
            if near not in done and board.get(near) in (own, "."):
                heappush(queue, (cost + (board[near] == "."), near))
    return sum(found.values()) + 9 * (3 - len(found))


def act(view):
    board, sides = cells_of(view)
    own, other = "O@" if view["you"] == 0 else "@O"

    def worth(action):
        cell = ord(action[0]) - ord("a"), int(action[1:])
        mine, theirs = way(board, sides, cell, own), way(board, sides, cell, other)
        return -min(mine, theirs + 0.5), -mine

    return max(view["actions"], key=worth)
