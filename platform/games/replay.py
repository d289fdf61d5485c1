"""Replay games from their seed and actions. Every action is checked against the rules."""

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
    """Raised if a record is damaged, or its game was not played by the rules.

    ``part`` is a code for what is wrong: "bytes", "ruleset", "options", "illegal", "digest" and others. ``detail``
    explains it to people.
    """

    def __init__(self, part: str, detail: str) -> None:
        self.part = part
        self.detail = detail
        super().__init__(f"record, {part}: {detail}")

    def __reduce__(self) -> tuple[type[Self], tuple[str, str]]:  # it is pickled between processes
        return type(self), (self.part, self.detail)


class Step(NamedTuple):
    """One action of a replayed game, by a seat or by chance. ``before.actor`` played it in the state ``before``."""

    before: State
    action: str
    after: State
    cause: str  # the verdict on the bot, if its stand-in played the action; otherwise ""


_step: Final = from_fields(Step)


class Intervention(NamedTuple):
    """A stand-in took over ``seat``. ``at`` is the index of the stand-in's first action among the actions of all seats,
    from 0.

    ``cause`` is the verdict on the bot that the stand-in replaced.
    """

    at: int
    seat: int
    cause: str


class Replay:
    """A replay of a game whose actions arrive step by step.

    Raises:
        RecordError: the ruleset is unknown; it does not allow this number of players or these options; or the seed does
            not have 16 bytes.
    """

    def __init__(self, ruleset: str, players: int, options: Mapping[str, Any], seed: bytes) -> None:
        rules, full = replay_ruleset_and_options(ruleset, players, options)
        try:
            self._dealer = Dealer(seed)
        except ValueError as error:
            raise RecordError("seed", str(error)) from error
        self.state = rules.opening(players, full)
        self.played = 0  # actions of seats so far, without those of chance
        self._causes: dict[int, str] = {}

    def play(self, actions: Iterable[str], interventions: Iterable[Intervention] = ()) -> Iterator[Step]:
        """Play ``actions``, which follow those of earlier calls, and yield every step, including those of chance.

        Chance acts as soon as it is its turn. ``actions`` may be an iterator: an action is read from it only when a
        seat must act. Interventions before the first of ``actions`` are ignored, because an earlier call has applied
        them.

        Raises:
            RecordError: an action is illegal; or an intervention is at an action of another seat, is the second one for
                its seat, has a cause that is not a verdict, or comes after the last action.
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
            raise RecordError("intervention", f"no intervention can begin for seat {seat} at action {at}")
        try:
            self._causes[seat] = Verdict(cause).value
        except ValueError as error:
            raise RecordError("intervention", f"{cause!r:.80} is not a verdict") from error


def replay_ruleset_and_options(
    ruleset: str, players: int, options: Mapping[str, Any]
) -> tuple[Ruleset, dict[str, Any]]:
    """Return the ruleset with the id ``ruleset``, and ``options`` completed with the defaults.

    Raises:
        RecordError: the ruleset is unknown, or it does not allow this number of players or these options.
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
