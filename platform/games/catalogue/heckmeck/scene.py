"""The scene for rule vectors of Heckmeck.

A specialist that ``given`` does not name is out of the game. Bratworms that ``given`` does not name belong to nobody.
If it does not name the supply, all of the seven bratworms that no player has are in the supply.
"""

from collections.abc import Mapping
from typing import Any

from games.catalogue.grill.aside import DICE, ON_OR_STOP, ROLL, STOP, aside_of
from games.catalogue.grill.scene import AnyPosition, GrillScene, grill_scene_faces
from games.catalogue.heckmeck.board import HeckmeckBoard
from games.catalogue.heckmeck.position import (
    GOLDEN_OR_NOT,
    LEAVE_CANNED,
    LEAVE_GOLDEN,
    LEAVE_WEASEL,
    USE_CANNED,
    USE_GOLDEN,
    USE_WEASEL,
    WEASEL_OR_NOT,
    HeckmeckPosition,
    heckmeck_position_next_turn,
    heckmeck_position_total_of,
)
from games.catalogue.heckmeck.rules import BRATWORMS, GOLDEN_DIE, OUT, SPECIALISTS, TILES
from games.catalogue.heckmeck.turn import LEFT, Hand, HeckmeckPhase
from games.chance import FACES, chance_roll_text
from games.ruleset import Ruleset
from games.scene import Act, Fact, Keys, VectorError
from games.state import IllegalAction


class HeckmeckScene(GrillScene):
    state: HeckmeckPosition

    def __init__(self, ruleset: Ruleset, options: Mapping[str, Any], players: list[str], given: Keys) -> None:
        super().__init__(players, given, TILES)
        start = ruleset.opening(len(players), options)
        assert isinstance(start, HeckmeckPosition)  # noqa: S101  a version of this game
        bratworms = dict(given.optional("bratworms", {}))
        supply = bratworms.pop("supply", BRATWORMS - sum(bratworms.values()))
        board = HeckmeckBoard(
            rules=start.board.rules,
            seat=self.seat,
            turn=self.turn,
            grill=self.grill,
            facedown=self.facedown,
            stacks=self.stacks,
            places=self._places(given.optional("specialists", {})),
            supply=supply,
            bratworms=self._by_seat(bratworms),
            last=None,
            over="",
        )
        if any(self.counts):
            self.state = HeckmeckPosition(
                board, Hand(aside_of(self.counts), "", -1), HeckmeckPhase.DECIDE, "", ON_OR_STOP
            )
        else:
            self.state = heckmeck_position_next_turn(board)
        self._before = self.state

    def acts(self) -> Mapping[str, Act]:
        return {
            **super().acts(),
            "weasel_reroll": self._reroll,
            "keep_specialist": lambda action: self.play(f"keep {action.take('keep')}"),
            "bratworm_from": self._bratworm_from,
            "use_canned_worm": lambda action: self.play(USE_CANNED),
            "decline_canned_worm": lambda action: self.play(LEAVE_CANNED),
        }

    def facts(self) -> Mapping[str, Fact]:
        """Return the facts. If the roll shows no new face and the weasel was not used, it counts as declined."""
        facts = self.facts_of(self.state)
        if self.state.actions() != WEASEL_OR_NOT:
            return facts
        turn = {name: facts[name] for name in ("total", "dice_left", "set_aside", "legal_faces")}
        return {**self.facts_of(self.state.play(LEAVE_WEASEL)), **turn}

    def facts_of(self, state: AnyPosition) -> Mapping[str, Fact]:
        view, facts = state.view(None), super().facts_of(state)
        if state.phase is HeckmeckPhase.STEAL:  # the canned worm already counts
            facts = {**facts, "total": lambda _: heckmeck_position_total_of(self.state.hand)}
        return {
            **facts,
            "specialists": lambda wanted: {name: self._place_text(view["specialists"].get(name)) for name in wanted},
            "bratworms": lambda wanted: {name: self._bratworms(view, name) for name in wanted},
        }

    def play(self, text: str) -> None:
        before = self.state
        if text == STOP and before.actions() == WEASEL_OR_NOT:
            text = LEAVE_WEASEL
        super().play(text)
        self._before = before

    def roll(self, action: Keys) -> None:
        if self.state.actions() == WEASEL_OR_NOT:
            self.play(LEAVE_WEASEL)
        super().roll(action)

    def throw(self, action: Keys) -> None:
        """Throw the given dice. Their number tells whether the golden die is among them."""
        dice = grill_scene_faces(action)
        if self.state.actions() == GOLDEN_OR_NOT:
            self.play(USE_GOLDEN if len(dice) > DICE else LEAVE_GOLDEN)
        board, hand, phase, _, _ = self.state
        if phase is HeckmeckPhase.DECIDE:
            if self.state is self._before and board.has(GOLDEN_DIE) and len(dice) == hand.aside.left + 1:
                self._before = self.state = self.state._replace(hand=self._of_nine(dice[-1]))
            self.play(ROLL)
        self._show(dice)

    def _of_nine(self, last: str) -> Hand:
        """Return the hand of ``given`` as one of nine dice. If the die listed ``last`` cannot be the golden die, the
        golden die was set aside already.
        """
        board, hand, _, _, _ = self.state
        faces, counts = board.rules.golden_die_faces, hand.aside.counts
        gone = next((face for face in faces if counts[FACES.index(face)]), LEFT)
        return hand._replace(aside=aside_of(counts, DICE + 1), golden=LEFT if last in faces else gone)

    def _reroll(self, action: Keys) -> None:
        self.play(USE_WEASEL)
        self._show(grill_scene_faces(action))

    def _show(self, dice: list[str]) -> None:
        golden = self.state.hand.golden == LEFT
        white = dice[:-1] if golden else dice
        text = chance_roll_text([white.count(face) for face in FACES]).rstrip()
        self.play(f"{text} +{dice[-1]}" if golden and dice else text)

    def _bratworm_from(self, action: Keys) -> None:
        """Take a bratworm from a player. If only one player could give it, it has already been given."""
        seat = self.seat_of(action.take("victim"))
        if not any(choice.startswith("bratworm ") for choice in self.state.actions()):
            if self.state.board.bratworms[seat] < self._before.board.bratworms[seat]:
                return
            raise IllegalAction(f"bratworm {seat}", self.state.actions())
        self.play(f"bratworm {seat}")

    def _places(self, specialists: Mapping[str, str]) -> tuple[int, ...]:
        if unknown := set(specialists) - set(SPECIALISTS):
            raise VectorError(f"given: there is no specialist {sorted(unknown)!r}")
        places = tuple(self._place(specialists.get(name, "out")) for name in SPECIALISTS)
        taken = [place for place in places if place != OUT]
        if len(set(taken)) < len(taken):
            raise VectorError("given: two specialists are in one place")
        return places

    def _place(self, text: str) -> int:
        kind, _, name = text.partition(":")
        if kind == "player":
            return self.seat_of(name)
        if kind == "tile" and name.isdecimal() and self.grill >> int(name) & 1:
            return int(name)
        if text != "out":
            raise VectorError(f"given: no specialist can be at {text!r}")
        return OUT

    def _place_text(self, place: str | None) -> str | None:
        """Return a place of the view in the spelling of vectors."""
        kind, _, number = (place or "").partition(" ")
        if kind == "seat":
            return f"player:{self._players[int(number)]}"
        return f"{kind}:{number}" if number else place

    def _by_seat(self, bratworms: dict[str, int]) -> tuple[int, ...]:
        for name in bratworms:
            self.seat_of(name)
        return tuple(bratworms.get(name, 0) for name in self._players)

    def _bratworms(self, view: dict[str, Any], name: str) -> Any:
        return view["supply"] if name == "supply" else view["bratworms"][self.seat_of(name)]
