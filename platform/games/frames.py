"""The frames that a viewer sees: one for each action, including chance, of a finished or a running game."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.beats import Frame
from games.record import Intervention, Record
from games.replay import Replay, Step
from games.state import CHANCE


class GameFrames:
    """The frames of a game whose actions arrive step by step.

    Raises:
        RecordError: the game, number of players, options or seed are invalid.
    """

    def __init__(self, ruleset: str, players: int, options: Mapping[str, Any], seed: bytes) -> None:
        self._replay = Replay(ruleset, players, options, seed)
        self._shown = 0

    def extend(self, actions: Sequence[str], interventions: Sequence[Intervention] = ()) -> list[Frame]:
        """Return the frames that ``actions`` add. The first call begins with frame 0. ``interventions`` may repeat
        known ones.

        Raises:
            RecordError: an action is illegal. The stream cannot be used after that.
        """
        return list(self._frames(actions, interventions))

    def _frames(self, actions: Sequence[str], interventions: Sequence[Intervention]) -> Iterator[Frame]:
        if not self._shown:
            state = self._replay.state
            self._shown = 1
            yield Frame(0, CHANCE, "", "", "", state.turn, state.view(None))
        for step in self._replay.play(actions, interventions):
            yield self._frame(step)
            self._shown += 1

    def _frame(self, step: Step) -> Frame:
        before, action, after, cause = step
        return Frame(self._shown, before.actor, action, cause, after.event(), before.turn, after.view(None))


def frames(record: Record) -> Iterator[Frame]:
    """Yield every frame of ``record``, from the start position.

    Raises:
        RecordError: the game was not played by the rules.
    """
    stream = GameFrames(record.ruleset, record.players, record.options, record.seed)
    yield from stream._frames(record.actions, record.interventions)
