"""A game played again from its seed and actions, legality checked at every step."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, Self

from games.catalogue import UnknownRuleset, find
from games.dealer import Dealer
from games.from_fields import from_fields
from games.protocol import Verdict
from games.ruleset import OptionError, Ruleset, SeatError
from games.state import IllegalAction, State

DIGEST_BYTES: Final = 16


class RecordError(ValueError):
    """Not a record of a game played here. ``part`` is a code: "bytes", "ruleset", "illegal", "digest", ..."""

    def __init__(self, part: str, detail: str) -> None:
        self.part = part
        self.detail = detail
        super().__init__(f"record, {part}: {detail}")

    def __reduce__(self) -> tuple[type[Self], tuple[str, str]]:  # it passes between processes
        return type(self), (self.part, self.detail)


class Step(NamedTuple):
    """One action of a replayed game, chance's too: played by ``before.actor`` from ``before``."""

    before: State
    action: str
    after: State
    cause: str  # the verdict for which a stand-in played it, or ""


_step: Final = from_fields(Step)


class Intervention(NamedTuple):
    """From the action with index ``at`` on, a stand-in plays ``seat``; ``cause`` is a verdict."""

    at: int
    seat: int
    cause: str


class Replay:
    """A game played again as its actions become known.

    Raises:
        RecordError: no such game, players, options or seed.
    """

    def __init__(self, ruleset: str, players: int, options: Mapping[str, Any], seed: bytes) -> None:
        rules, full = replay_opened(ruleset, players, options)
        try:
            self._dealer = Dealer(seed)
        except ValueError as error:
            raise RecordError("seed", str(error)) from error
        self.state = rules.opening(players, full)
        self.played = 0  # the seats' actions so far
        self._causes: dict[int, str] = {}

    def play(self, actions: Iterable[str], interventions: Iterable[Intervention] = ()) -> Iterator[Step]:
        """Play on; chance is dealt as soon as it is due. Interventions before the first action here are known already.

        Each action is taken from ``actions`` only when the game has come to it.

        Raises:
            RecordError: an action is not legal where it stands, or an intervention is not at its seat's action, not the
                first for its seat, or beyond the last action.
        """
        due = {one.at: one for one in interventions if one.at >= self.played}
        yield from self._deal()
        for text in actions:
            before = self.state
            if self.played in due:
                self._stand_in(due.pop(self.played))
            try:
                action = before.read(text)
            except IllegalAction as error:
                raise RecordError("illegal", f"action {self.played}: {error}") from error
            self.state = before.play(action)
            self.played += 1
            yield _step((before, action, self.state, self._causes.get(before.actor, "") if self._causes else ""))
            yield from self._deal()
        if due:
            raise RecordError("intervention", f"there is no action {min(due)}")

    def _deal(self) -> Iterator[Step]:
        before, dealer = self.state, self._dealer
        while (request := before.chance()) is not None:
            action = request.draw(dealer)
            after = self.state = before.play(action)
            yield _step((before, action, after, ""))
            before = after

    def _stand_in(self, intervention: Intervention) -> None:
        at, seat, cause = intervention
        if seat != self.state.actor or seat in self._causes:
            raise RecordError("intervention", f"none can begin for seat {seat} at action {at}")
        try:
            self._causes[seat] = Verdict(cause).value
        except ValueError as error:
            raise RecordError("intervention", f"{cause!r:.80} is not a verdict") from error


def replay_opened(ruleset: str, players: int, options: Mapping[str, Any]) -> tuple[Ruleset, dict[str, Any]]:
    """Return the ruleset of an id and the full options.

    Raises:
        RecordError: there is no such game here, or not so.
    """
    try:
        rules = find(ruleset)
        return rules, rules.validate(players, options)
    except UnknownRuleset as error:
        raise RecordError("ruleset", str(error)) from error
    except SeatError as error:
        raise RecordError("players", str(error)) from error
    except OptionError as error:
        raise RecordError("options", str(error)) from error
