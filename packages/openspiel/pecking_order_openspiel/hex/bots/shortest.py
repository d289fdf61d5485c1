"""Counts for each side how many cells it still needs, and plays where that is best for it."""

from heapq import heappop, heappush

NEAR = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, -1), (-1, 1))


def needs(cells, own, down):
    """Return how many free cells ``own`` needs from side to side; ``down``: from the top to the bottom."""
    size = len(cells)
    queue = [(0, 0, at) if down else (0, at, 0) for at in range(size)]
    queue = [(cost(cells[row][column], own), row, column) for _, row, column in queue]
    done = set()
    queue.sort()
    while queue:
        so_far, row, column = heappop(queue)
        if so_far >= 99:
            return 99
        if (row if down else column) == size - 1:
            return so_far
        if (row, column) in done:
            continue
        done.add((row, column))
        for by_row, by_column in NEAR:
            near = row + by_row, column + by_column
            if 0 <= near[0] < size and 0 <= near[1] < size and near not in done:
                heappush(queue, (so_far + cost(cells[near[0]][near[1]], own), *near))
    return 99


def cost(cell, own):
    return 0 if cell == own else 1 if cell == "." else 99


def act(view):
    cells = [line.split() for line in view["board"]]
    own, other = "xo" if view["you"] == 0 else "ox"
    middle = (len(cells) - 1) / 2

    def worth(action):
        column, row = ord(action[0]) - ord("a"), int(action[1:]) - 1
        cells[row][column] = own
        found = needs(cells, other, other == "x") - needs(cells, own, own == "x")
        cells[row][column] = "."
        return found, -abs(row - middle) - abs(column - middle)

    return max(view["actions"], key=worth)
