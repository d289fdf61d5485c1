"""Pickomino, and with specialists the anniversary edition."""

from collections.abc import Mapping
from typing import Any

from tests.games.naive import Decision, Play, choose

LOW = {11, 13}
HOMES = {"canned_worm": 11, "hen": 21, "raven": 23, "weasel": 25, "golden_die": 27, "apple": 29}


def worms(tile: int) -> int:
    return next(count for count, above in ((1, 25), (2, 29), (3, 33), (4, 37)) if tile < above)


class AtTheGrill:
    def __init__(self, players: int, options: Mapping[str, Any]) -> None:
        self.options, self.players, self.me, self.turn = options, players, 0, 1
        self.jubilee = "golden_die_faces" in options
        self.grill = {*range(21, 37)} | (LOW if self.jubilee else set())
        self.facedown: set[int] = set()
        self.stacks: list[list[int]] = [[] for _ in range(players)]
        self.where = {name: f"tile {tile}" for name, tile in HOMES.items()} if self.jubilee else {}
        self.supply, self.bratworms = 7 * self.jubilee, [0] * players
        self.settled = True

    def facts(self) -> Mapping[str, Any]:
        if not self.settled:
            return {}
        facts = {"grill": sorted(self.grill), "facedown": sorted(self.facedown), "stacks": self.stacks}
        specialists = {"specialists": self.where, "supply": self.supply, "bratworms": self.bratworms}
        return facts | (specialists if self.jubilee else {}) | {"worms": [own for own, _ in self.points()]}

    def points(self) -> list[tuple[int, int]]:
        apple = self.where.get("apple")
        return [
            (sum(map(worms, stack)) + self.bratworms[seat] + 3 * (apple == f"seat {seat}"), max(stack, default=0))
            for seat, stack in enumerate(self.stacks)
        ]

    def game(self) -> Play:
        while True:
            yield from self.one_turn()
            self.settled = True
            left = self.grill - LOW if self.options.get("end_ignores_11_13") else self.grill
            if not left or self.turn == 100 * self.players:
                return
            self.turn, self.me = self.turn + 1, (self.me + 1) % self.players

    def who(self, place: str) -> str:
        return next((name for name, there in self.where.items() if there == place), "")

    def mine(self, name: str) -> bool:
        return self.where.get(name) == f"seat {self.me}"

    # --- dice ---

    def one_turn(self) -> Play:
        aside: list[str] = []
        dice, weasel = 8, self.mine("weasel")
        if self.mine("golden_die"):
            use = self.options["golden_die_use"] == "always"
            use = use or (yield choose(self.me, "use golden_die", "leave golden_die")).startswith("use")
            dice += use
        while len(aside) < dice and len(set(aside)) < 6:
            if aside and (yield choose(self.me, "roll", "stop")) == "stop":
                break
            rolled, action = "", "use weasel"
            while action == "use weasel":
                rolled = yield Decision(-1, dice - len(aside))
                self.settled = False
                takes = [f"take {face}" for face in set(rolled[5:]) & set("12345W") - set(aside)]
                if weasel:
                    takes += ["use weasel"] if takes else ["use weasel", "leave weasel"]
                action = (yield choose(self.me, *takes)) if takes else "leave weasel"
                weasel = weasel and action != "use weasel"
            if action == "leave weasel":
                self.fail()
                return
            aside += [action[-1]] * rolled.count(action[-1])
            if self.jubilee and action == "take 1" and aside.count("1") > 1:
                yield from self.bratworm()
        yield from self.resolve(aside)

    def resolve(self, aside: list[str]) -> Play:
        total = sum(5 if face == "W" else int(face) for face in aside)
        if "W" not in aside:
            can = self.mine("canned_worm")
            if can and self.options["canned"] == "choice":
                can = (yield choose(self.me, "use canned_worm", "leave canned_worm")).startswith("use")
            if not can:
                self.fail()
                return
            total += 5
        spoilt = self.options.get("low_tiles_one_per_player") and total in LOW and LOW & set(self.stacks[self.me])
        if total in self.grill and not spoilt:
            yield from self.take(total)
            return
        for other, stack in enumerate(self.stacks):
            if other != self.me and stack and stack[-1] == total and total not in LOW:
                forced = self.options["steal"] == "mandatory"
                if forced or (yield choose(self.me, "steal", "decline")) == "steal":
                    yield from self.steal(other)
                    return
                if self.options["steal"] == "optional_or_fail":
                    self.fail()
                    return
        lower = [tile for tile in self.grill - LOW if tile < total]
        if not lower:
            self.fail()
            return
        if self.options.get("lower_tile") == "any_lower" and len(lower) > 1:
            lower = [int((yield choose(self.me, *(f"tile {tile}" for tile in lower)))[5:])]
        yield from self.take(max(lower))

    # --- tiles and specialists ---

    def take(self, tile: int) -> Play:
        self.grill.remove(tile)
        self.stacks[self.me].append(tile)
        specialist = self.who(f"tile {tile}")
        if specialist == "raven":
            yield from self.bratworm()
            self.place("raven")
        elif specialist:
            yield from self.gain(specialist)

    def steal(self, victim: int) -> Play:
        specialist = self.who(f"seat {victim}")
        if specialist != "hen":
            self.stacks[self.me].append(self.stacks[victim].pop())
        if specialist:
            yield from self.gain(specialist)

    def gain(self, specialist: str) -> Play:
        own, kept = self.who(f"seat {self.me}"), specialist
        if own:
            kept = (yield choose(self.me, f"keep {own}", f"keep {specialist}"))[5:]
        self.where[kept] = f"seat {self.me}"
        if own:
            self.place(own if kept == specialist else specialist)

    def place(self, specialist: str) -> None:
        taken = [there for name, there in self.where.items() if name != specialist]
        free = [tile for tile in self.grill if f"tile {tile}" not in taken]
        self.where[specialist] = f"tile {min(free)}" if free else "out"

    def bratworm(self) -> Play:
        givers = [seat for seat in range(self.players) if seat != self.me and self.bratworms[seat]]
        givers = [seat for seat in givers if self.where["hen"] != f"seat {seat}"]
        if self.supply:
            self.supply -= 1
        elif givers:
            ways = [f"bratworm {seat}" for seat in givers]
            way = ways[0] if len(ways) == 1 else (yield choose(self.me, *ways))
            self.bratworms[int(way[9:])] -= 1
        else:
            return
        self.bratworms[self.me] += 1

    def fail(self) -> None:
        own, stack = self.who(f"seat {self.me}"), self.stacks[self.me]
        if own == "hen":
            if stack:
                self.place("hen")
            return
        flipped: set[int] = set()
        if stack:
            flipped = self.returned(stack.pop())
        elif self.options.get("flip_without_return"):
            flipped = {max(self.grill)}
        displaced = [self.who(f"tile {tile}") for tile in flipped]
        self.grill, self.facedown = self.grill - flipped, self.facedown | flipped
        for specialist in (own, *displaced):
            if specialist:
                self.place(specialist)

    def returned(self, tile: int) -> set[int]:
        """The tiles to turn over once ``tile`` lies on the grill again."""
        others = set(self.grill)
        self.grill.add(tile)
        return {
            "off": {max(self.grill)} - {tile},
            "flip_highest_always": {max(self.grill)},
            "returned_facedown_and_highest": {tile, max(others, default=tile)},
            "returned_facedown_only": {tile},
        }[self.options.get("short_variant", "off")]
