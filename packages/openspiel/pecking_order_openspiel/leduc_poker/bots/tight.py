"""Raises with a pair or the highest rank, folds the lowest to a raise, and calls with what is between."""


def fact(line, name):
    return line.partition(f"[{name}: ")[2].partition("]")[0]


def act(view):
    line = view["board"][0]
    own, public = int(fact(line, "Private")) // 2, fact(line, "Public")
    highest = view["players"]  # there is one rank more than seats
    is_pair = public.isdigit() and int(public) // 2 == own
    for wanted in ("Raise", "Call") if is_pair or own == highest else ("Fold", "Call") if own == 0 else ("Call",):
        if wanted in view["actions"]:
            return wanted
    return "Call"
