"""The scene for rule vectors of Pickomino."""

from collections.abc import Mapping
from typing import Any

from games.catalogue.grill.aside import ON_OR_STOP, ROLL, aside_of
from games.catalogue.grill.scene import GrillScene, grill_scene_faces
from games.catalogue.pickomino.board import PickominoBoard, PickominoPhase
from games.catalogue.pickomino.position import PickominoPosition
from games.catalogue.pickomino.rules import TILES
from games.chance import FACES, chance_roll_text
from games.ruleset import Ruleset
from games.scene import Act, Keys


class PickominoScene(GrillScene):
    state: PickominoPosition

    def __init__(self, ruleset: Ruleset, options: Mapping[str, Any], players: list[str], given: Keys) -> None:
        super().__init__(players, given, TILES)
        start = ruleset.opening(len(players), options)
        assert isinstance(start, PickominoPosition)  # noqa: S101  a version of this game
        rules = start.board.rules
        self.state = PickominoPosition(
            PickominoBoard(rules, self.seat, self.turn, self.grill, self.facedown, self.stacks, None, ""),
            aside_of(self.counts),
            *((PickominoPhase.DECIDE, "", ON_OR_STOP) if any(self.counts) else (PickominoPhase.ROLL, "", ())),
        )

    def acts(self) -> Mapping[str, Act]:
        return {**super().acts(), "lower_tile": self._lower_tile}

    def throw(self, action: Keys) -> None:
        dice = grill_scene_faces(action)
        if ROLL in self.state.actions():
            self.play(ROLL)
        self.play(chance_roll_text([dice.count(face) for face in FACES]))

    def _lower_tile(self, action: Keys) -> None:
        """Take the given lower tile. If it was the only one, it has already been taken."""
        tile, last = action.take("tile"), self.state.board.last
        if not (self.ended(self.state) and last and (last.event, last.tile) == ("take", tile)):
            self.play(f"tile {tile}")
