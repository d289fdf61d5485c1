"""Prefers jumps and crowns, and steps where the other has no jump over it."""


def act(view):
    rows = [line for line in view["board"] if line[:1].isdigit()]
    cells = {(at, int(line[0])): cell for line in rows for at, cell in enumerate(line[1:])}
    own, other = "oO8", "+*"
    if view["you"] == 1:
        own, other = other, own

    def worth(action):
        start = ord(action[0]) - ord("a"), int(action[1])
        end = ord(action[2]) - ord("a"), int(action[3])
        after = {**cells, start: ".", end: cells[start]}
        points = 0
        if abs(start[1] - end[1]) == 2:
            points += 10
            after[(start[0] + end[0]) // 2, (start[1] + end[1]) // 2] = "."
        if end[1] in (1, 8) and cells[start] in "o+":
            points += 8
        for across in (-1, 1):
            for up in (-1, 1):
                taker, behind = (end[0] + across, end[1] + up), (end[0] - across, end[1] - up)
                if after.get(taker, ".") in other and after.get(behind) == ".":
                    points -= 9
        home = 1 if view["you"] == 0 else 8
        return points - 2 * (start[1] == home) + (0.1 if cells[start] in "o+" else 0)

    return max(view["actions"], key=worth)
