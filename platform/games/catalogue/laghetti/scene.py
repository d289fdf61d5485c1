"""The scene for rule vectors of In cammino tra i laghetti."""

from collections.abc import Mapping
from typing import Any, Final

from games.catalogue.laghetti.deck import FEATURES, LAKES
from games.catalogue.laghetti.fields import LaghettiPhase, SheetRound
from games.catalogue.laghetti.position import LaghettiPosition
from games.ruleset import Ruleset
from games.scene import Act, Fact, Keys, Scene, VectorError, scene_as_wanted, scene_winners

NAME_OF_LAKES: Final = "LA-deck"  # also valid in files without the fixture


class LaghettiScene(Scene):
    """One round from its bids on, or only the schedule of a game. Facts about the round stay available after it.

    If no hands are given, all players have arbitrary cards, which suffice for bidding.
    """

    def __init__(self, ruleset: Ruleset, options: Mapping[str, Any], players: list[str], given: Keys) -> None:
        self._players = players
        deck = given.optional("deck", options["deck"])
        deck = ruleset.options["deck"].settle("deck", LAKES if deck == NAME_OF_LAKES else deck)
        start = ruleset.opening(len(players), {**options, "deck": deck})
        assert isinstance(start, LaghettiPosition)  # noqa: S101  a version of this game
        self.state = start
        self._winners: list[str] = []
        if (number := given.optional("round", None)) is not None:
            self.state = self._dealt(number, given)
        self._start = self.state

    def acts(self) -> Mapping[str, Act]:
        return {"bid": self._bid, "play": self._play}

    def facts(self) -> Mapping[str, Fact]:
        names, state, done = self._players, self.state, self._done()
        outcome = state.outcome()
        order = [names[(self._start.dealer + place + 1) % len(names)] for place in range(len(names))]
        return {
            "order": lambda _: order,
            "forbidden_dealer_bid": lambda _: self._forbidden(),
            "hands": lambda wanted: {
                one: scene_as_wanted(list(state.hands[self._seat(one)]), wanted[one]) for one in wanted
            },
            "trick_winners": lambda _: self._winners,
            "tricks_won": lambda wanted: self._by_name(wanted, done.won if done else state.won()),
            "round_points": lambda wanted: self._by_name(wanted, done.points) if done else None,
            "scores": lambda wanted: self._by_name(wanted, state.scores),
            "next_dealer": lambda _: names[state.dealer] if done and state.outcome() is None else None,
            "cards_per_round": lambda _: list(state.rules.schedule),
            "game_over": lambda _: outcome is not None,
            "winner": lambda wanted: outcome and scene_as_wanted(scene_winners(outcome, names), wanted),
            "rounds": lambda _: len(state.rules.schedule),
        }

    def _dealt(self, number: Any, given: Keys) -> LaghettiPosition:
        """Return the position before the first bid of the given round."""
        names, schedule = self._players, self.state.rules.schedule
        if type(number) is not int or not 1 <= number <= len(schedule):
            raise VectorError(f"given: there is no 'round' {number!r}")
        each = schedule[number - 1]
        if given.optional("cards_each", each) != each:
            raise VectorError(f"given: 'round' {number} has {each} cards each")
        some = {name: list(range(seat * each, (seat + 1) * each)) for seat, name in enumerate(names)}
        hands = given.optional("hands", some)
        scores = given.optional("scores_before", dict.fromkeys(names, 0))
        for key, by_name in (("hands", hands), ("scores_before", scores)):
            if set(by_name) != set(names):
                raise VectorError(f"given: {key!r} should name {names!r}, names {list(by_name)!r}")
        cards = [card for hand in hands.values() for card in hand]
        known = range(len(self.state.rules.deck))
        if any(len(hand) != each for hand in hands.values()) or len({*cards} & {*known}) < len(cards):
            raise VectorError(f"given: 'hands' should be {each} different cards of the deck for each player")
        return self.state._replace(
            phase=LaghettiPhase.BID,
            number=number - 1,
            dealer=self._seat(given.take("dealer")),
            hands=tuple(tuple(sorted(hands[name])) for name in names),
            scores=tuple(scores[name] for name in names),
        )

    def _bid(self, action: Keys) -> None:
        self._act(action, f"bid {action.take('value')}")

    def _play(self, action: Keys) -> None:
        card, feature = action.take("card"), action.optional("feature", "")
        before = self.state
        self._act(action, f"play {card} {feature}".rstrip())
        value = before.rules.deck[card][FEATURES.index(before.feature or feature)]
        if (named := action.optional("value", value)) != value:
            raise VectorError(f"{action.where}: 'value' should be {value}, is {named!r}")
        if self.state.last is not before.last and self.state.last:
            self._winners.append(self._players[self.state.last.winner])

    def _act(self, action: Keys, text: str) -> None:
        seat = self._seat(action.take("actor"))
        if seat != self.state.actor:
            raise VectorError(f"{action.where}: it is not the turn of {self._players[seat]!r}")
        self.state = self.state.play(self.state.read(text))

    def _done(self) -> SheetRound | None:
        """Return the round once it is finished."""
        return self.state.sheet[-1] if len(self.state.sheet) > len(self._start.sheet) else None

    def _forbidden(self) -> int | None:
        """Return the bid that was forbidden to the dealer; None also while others have yet to bid."""
        bids, first, players = self.state.bids, self._start.dealer + 1, len(self._players)
        if done := self._done():
            bids = tuple(done.bids[(first + place) % players] for place in range(players))
        return self._start._replace(bids=bids[: players - 1]).forbidden

    def _by_name(self, wanted: Any, by_seat: tuple[int, ...]) -> dict[str, int]:
        return {name: by_seat[self._seat(name)] for name in wanted}

    def _seat(self, name: Any) -> int:
        if name not in self._players:
            raise VectorError(f"{name!r} is not one of the players {self._players!r}")
        return self._players.index(name)
