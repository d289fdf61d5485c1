"""The scene for rule vectors of Karteneck."""

from collections.abc import Mapping
from typing import Any, Final

from games.catalogue.karteneck.cards import (
    NUMBERS,
    ONE,
    PORTIONS,
    Pile,
    cards_many,
    cards_names,
    cards_tags,
    cards_total,
)
from games.catalogue.karteneck.fields import KarteneckPhase
from games.catalogue.karteneck.portions import Portions
from games.catalogue.karteneck.position import KarteneckPosition
from games.catalogue.karteneck.table import Cards
from games.ruleset import Ruleset
from games.scene import Act, Fact, Keys, Scene, VectorError, scene_as_wanted, scene_winners

PASSED: Final = {None: "", "valid": "valid", "invalid": "invalid"}
TYPES: Final = (*NUMBERS, "W")
NOBODY: Final = -1


class KarteneckScene(Scene):
    """The last round of a game: the reserve is empty, so no round follows. The player who plays the vector's first
    action is the one to act.

    The deck is drawn from its left end. A reshuffle sorts the cards by their text: W12 before W3.
    """

    def __init__(self, ruleset: Ruleset, options: Mapping[str, Any], players: list[str], given: Keys) -> None:
        self._players = players
        start = ruleset.opening(len(players), options)
        assert isinstance(start, KarteneckPosition)  # noqa: S101  a version of this game
        rules = start.rules
        hands = tuple(_pile(cards or []) for cards in self._by_seat(given, "hands"))
        displays = tuple(_pile(cards or []) for cards in self._by_seat(given, "display"))
        grill, stacks = given.take("grill"), [stack or [] for stack in self._by_seat(given, "stacks")]
        _check_portions([*grill, *(portion for stack in stacks for portion in stack)])
        passed = self._by_seat(given, "passed")
        last = given.optional("last_from_grill", None)
        self._deck: list[str] = given.optional("deck", [])
        cards = Cards(hands, displays, _pile(self._deck), _pile(given.optional("discard", [])), (0,) * len(players))
        _pile(
            [
                *self._deck,
                *cards_names(cards.discard),
                *(card for pile in (*hands, *displays) for card in cards_names(pile)),
            ]
        )
        self._acted = 0
        self.state = KarteneckPosition(
            rules=rules,
            phase=KarteneckPhase.TURN,
            seat=0,
            turn=1,
            round=rules.rounds,
            cards=cards,
            portions=Portions(0, tuple(sorted(grill)), tuple(map(tuple, stacks))),
            passed=tuple(_status(status) for status in passed),
            due=0,
            tag=0,
            starter=NOBODY if last is None else self._seat(last),
            last=None,
            key="",
        )
        self._begun = False

    def acts(self) -> Mapping[str, Act]:
        return {"play": self._play, "pass": self._pass}

    def facts(self) -> Mapping[str, Fact]:
        view, outcome = self.state.view(None), self.state.outcome()
        starter = None if self.state.starter == NOBODY else self._players[self.state.starter]
        passed = self._passed(view)
        return {
            "stacks": lambda wanted: {name: view["stacks"][self._seat(name)] for name in wanted},
            "hands": lambda wanted: self._cards(view["hands"], wanted),
            "display": lambda wanted: self._cards(view["displays"], wanted),
            "passed": lambda wanted: {name: passed[self._seat(name)] or None for name in wanted},
            "grill": lambda wanted: scene_as_wanted(view["grill"], wanted),
            "deck": lambda _: self._deck,
            "discard": lambda wanted: scene_as_wanted(view["discard"], wanted),
            "announce": lambda _: self._announced(),
            "legal_plays_next": self._playable_next,
            "last_from_grill": lambda _: starter,
            "next_start": lambda _: starter,
            "game_over": lambda _: outcome is not None,
            "scores": lambda wanted: {name: view["worms"][self._seat(name)] for name in wanted},
            "winner": lambda wanted: outcome and scene_as_wanted(scene_winners(outcome, self._players), wanted),
        }

    def _play(self, action: Keys) -> None:
        self._turn_of(action.take("actor"))
        cards = action.take("cards")
        if not isinstance(cards, list) or not cards:
            raise VectorError(f"{action.where}: 'cards' is no list of cards")
        played = _pile(cards)
        if worms := cards_tags(played):
            if len(worms) < len(cards):
                raise VectorError(f"{action.where}: {cards!r} are not of one type")
            self._do(*(f"{verb} W{tag}" for verb, tag in zip(["play"] + ["also"] * 25, worms, strict=False)), "done")
        else:
            if len(set(cards)) > 1:
                raise VectorError(f"{action.where}: {cards!r} are not of one type")
            self._do(f"play {len(cards)}x{cards[0]}")

    def _pass(self, action: Keys) -> None:
        self._turn_of(action.take("actor"))
        passed, portions = self.state.passed, len(self.state.portions.grill)
        without = len(passed) - passed.count("invalid")
        if portions != without and (not portions or passed.count("") == 1):
            raise VectorError(f"{action.where}: {portions} portions on the grill for {without} players without one")
        self._do("steal" if action.optional("steal", False) else "pass")

    def _turn_of(self, name: Any) -> None:
        seat = self._seat(name)
        if not self._begun:
            self._begun = True
            self.state = self.state._replace(seat=seat)
        if self.state.actor != seat or self.state.passed[seat]:
            raise VectorError(f"it is not the turn of {name!r}")
        self._acted = seat

    def _do(self, *texts: str) -> None:
        for text in texts:
            self.state = self.state.play(self.state.read(text))
        self._shuffle()
        while self.state.phase is KarteneckPhase.DRAW:
            self.state = self.state.play(self.state.read(f"draw {self._deck.pop(0)}"))
            self._shuffle()

    def _shuffle(self) -> None:
        if not self._deck:
            self._deck = sorted(cards_names(self.state.cards.deck))

    def _announced(self) -> int:
        last = self.state.last
        own = self.state.cards.displays[self._acted]
        return cards_total(last.cards if last is not None and last.seat == self._acted and not own else own)

    def _passed(self, view: dict[str, Any]) -> list[str]:
        """Return how each seat has passed. After the end, seats with a share of the menu are "valid", all others
        "invalid".
        """
        if self.state.outcome() is None:
            return list(view["passed"])
        valid = {share["seat"] for share in view["last"]["menu"]}
        return ["valid" if seat in valid else "invalid" for seat in range(len(self._players))]

    def _playable_next(self, wanted: Any) -> list[str]:
        """Return the cards that the last actor can play in a later turn. If the cards that the seat to act can play are
        the wanted ones, return those instead: vectors use the word for both.
        """
        found = [scene_as_wanted(self._playable(seat), wanted) for seat in (self._acted, self.state.seat)]
        return wanted if wanted in found else found[0]

    def _playable(self, seat: int) -> list[str]:
        cards = self.state.cards
        hand, shown = cards.hands[seat], cards.displays[seat]
        if self.state.passed[seat] or self.state.outcome() is not None:
            return []
        return [face for face in TYPES if cards_many(hand, face) and not cards_many(shown, face)]

    def _cards(self, piles: list[list[str]], wanted: dict[str, Any]) -> dict[str, list[str]]:
        return {name: scene_as_wanted(piles[self._seat(name)], cards) for name, cards in wanted.items()}

    def _by_seat(self, given: Keys, key: str) -> list[Any]:
        """Return the given value for each player; None for players that are not named."""
        by_name = given.optional(key, {})
        if unknown := set(by_name) - set(self._players):
            raise VectorError(f"given: {key!r} names {sorted(unknown)!r}, who are not of {self._players!r}")
        return [by_name.get(name) for name in self._players]

    def _seat(self, name: Any) -> int:
        if name not in self._players:
            raise VectorError(f"{name!r} is not one of the players {self._players!r}")
        return self._players.index(name)


def _pile(cards: list[str]) -> Pile:
    if unknown := [card for card in cards if card not in ONE]:
        raise VectorError(f"there is no card {unknown[0]!r}")
    if twice := [card for card in cards if card[0] == "W" and cards.count(card) > 1]:
        raise VectorError(f"there is only one card {twice[0]!r}")
    return sum(ONE[card] for card in cards)


def _check_portions(values: list[int]) -> None:
    for value in values:
        if values.count(value) > PORTIONS.count(value):
            raise VectorError(f"given: there are {PORTIONS.count(value)} portions {value!r}, not {values.count(value)}")


def _status(status: Any) -> str:
    if status not in PASSED:
        raise VectorError(f"given: 'passed' is {status!r}, neither null nor valid nor invalid")
    return PASSED[status]
