"""Weighs cells: corners are dear, the cells beside them cheap."""

WEIGHTS = [
    [120, -20, 20, 5],
    [-20, -40, -5, -5],
    [20, -5, 15, 3],
    [5, -5, 3, 3],
]


def weight(row, column):
    return WEIGHTS[min(row, 7 - row)][min(column, 7 - column)]


def turned(cells, row, column, own, other):
    """Yield the cells whose discs are turned."""
    for down in (-1, 0, 1):
        for across in (-1, 0, 1):
            found, at = [], (row + down, column + across)
            while 0 <= at[0] < 8 and 0 <= at[1] < 8 and cells[at[0]][at[1]] == other and (down or across):
                found.append(at)
                at = at[0] + down, at[1] + across
            if found and 0 <= at[0] < 8 and 0 <= at[1] < 8 and cells[at[0]][at[1]] == own:
                yield from found


def act(view):
    cells = [line.split()[1:9] for line in view["board"][2:10]]
    own, other = "xo" if view["you"] == 0 else "ox"

    def worth(action):
        if not action[1:].isdigit():
            return 0
        column, row = ord(action[0]) - ord("a"), int(action[1:]) - 1
        return weight(row, column) + sum(2 * weight(*one) for one in turned(cells, row, column, own, other))

    return max(view["actions"], key=worth)
