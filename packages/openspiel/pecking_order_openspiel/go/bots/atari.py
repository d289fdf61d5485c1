"""Captures, saves stones in atari, keeps off its own eyes, and else plays beside stones near the middle."""

LETTERS = "abcdefghjklmnopqrst"
NEAR = ((0, 1), (1, 0), (0, -1), (-1, 0))


def group_at(cells, at):
    """Return the stones connected with ``at``, and their liberties."""
    stones, free, queue = {at}, set(), [at]
    while queue:
        column, row = queue.pop()
        for across, down in NEAR:
            near = column + across, row + down
            if cells.get(near) == "+":
                free.add(near)
            elif near not in stones and cells.get(near) == cells[at]:
                stones.add(near)
                queue.append(near)
    return stones, free


def act(view):
    rows = [line.split() for line in view["board"] if line.strip()[:1].isdigit()]
    size = len(rows)
    cells = {(column, int(row[0]) - 1): cell for row in rows for column, cell in enumerate(row[1])}
    own, other = "XO" if view["you"] == 0 else "OX"

    def worth(action):
        point = action.split()[1]
        if point == "PASS":
            return 0
        at = LETTERS.index(point[0]), int(point[1:]) - 1
        around = [(at[0] + across, at[1] + down) for across, down in NEAR]
        near = [cells[one] for one in around if one in cells]
        if all(one == own for one in near):
            return -5
        points = 2 - (abs(at[0] - (size - 1) / 2) + abs(at[1] - (size - 1) / 2)) / size
        for one in around:
            if cells.get(one) in (own, other):
                stones, free = group_at(cells, one)
                if len(free) == 1:
                    points += (10 if cells[one] == other else 6) + len(stones)
                points += 0.5
        after = {**cells, at: own}
        for one in around:
            if cells.get(one) == other and group_at(cells, one)[1] == {at}:
                after = {**after, **dict.fromkeys(group_at(cells, one)[0], "+")}
        return points - (8 if len(group_at(after, at)[1]) == 1 else 0)

    return max(view["actions"], key=worth)
