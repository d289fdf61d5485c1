"""The state machine of Karteneck: deal, reveal the grill, play or pass, draw, share the menu."""

from collections.abc import Hashable
from functools import lru_cache
from random import Random
from typing import Any, Final

from games.catalogue.karteneck.cards import (
    CARDS_EACH,
    HAND,
    NUMBERS,
    ONE,
    TAGS,
    Pile,
    cards_draws,
    cards_highest_tag,
    cards_many,
    cards_shares,
    cards_tags,
    cards_total,
    cards_worms,
)
from games.catalogue.karteneck.fields import KarteneckEnding, KarteneckFields, KarteneckPhase, karteneck_fields_standing
from games.catalogue.karteneck.portions import Reveal, portions_unopened
from games.catalogue.karteneck.rules import KarteneckRules
from games.catalogue.karteneck.table import Cards, karteneck_table_all_in_deck
from games.catalogue.karteneck.view import karteneck_view_visible
from games.chance import Chance, Pick
from games.from_fields import from_fields
from games.schema import whole
from games.state import CHANCE, Outcome, State

PASS, STEAL, DONE = "pass", "steal", "done"
PLAYED: Final[dict[str, Pile]] = {
    f"play {count}x{face}": count * ONE[face]
    for face in NUMBERS
    for count in range(1, CARDS_EACH + 1)
    # The pile that each action adds to the display
} | {f"{verb} W{tag}": ONE[f"W{tag}"] for verb in ("play", "also") for tag in TAGS}
_COUNTED: Final = {face: [f"play {count}x{face}" for count in range(1, CARDS_EACH + 1)] for face in NUMBERS}
VOCABULARY: Final = (PASS, STEAL, *(one for one in PLAYED if one != f"also W{TAGS[0]}"), DONE)


@lru_cache(maxsize=1 << 12)  # the player, the table and the view call it with the same arguments
def karteneck_position_plays(hand: Pile, display: Pile) -> tuple[str, ...]:
    """Return every play of cards of one type that is not on the display. For worms, only the first one."""
    found: list[str] = []
    for face in NUMBERS:
        if not cards_many(display, face):
            found += _COUNTED[face][: cards_many(hand, face)]
    if not cards_many(display, "W"):
        found += [f"play W{tag}" for tag in cards_tags(hand)]
    return tuple(found)


@lru_cache(maxsize=1 << 12)
def karteneck_position_more_worms(hand: Pile, tag: int) -> tuple[str, ...]:
    """Return the possible continuations of a play of worms after the worm with ``tag``."""
    return (*[f"also W{one}" for one in cards_tags(hand) if one > tag], DONE)


AFTER_A_PLAY: Final = 1  # cards to draw
AFTER_A_PASS: Final = 2
START, DEAL, REVEAL, TURN, WORMS, DRAW, OVER = KarteneckPhase  # access to a member of an enum is slow
ACTING: Final = (TURN, WORMS)


class KarteneckPosition(KarteneckFields, State):
    """One moment of a game: a named tuple."""

    __slots__ = ()

    @property
    def actor(self) -> int:
        return self.seat if self.phase in ACTING else CHANCE

    def actions(self) -> tuple[str, ...]:
        phase, seat, cards = self.phase, self.seat, self.cards
        if phase is TURN:
            steal = (STEAL,) if self.victim() >= 0 else ()
            return (PASS, *steal, *karteneck_position_plays(cards.hands[seat], cards.displays[seat]))
        if phase is WORMS:
            return karteneck_position_more_worms(cards.hands[seat], self.tag)
        if phase is DRAW or phase is DEAL:
            return cards_draws(cards.deck)
        if phase is REVEAL:
            return self.portions.reveals()
        return tuple(f"start {one}" for one in range(self.rules.players)) if phase is START else ()

    def weight(self, action: str) -> int:
        """Return the number of cards or portions of that name that can be drawn."""
        verb, _, name = action.partition(" ")
        if verb == "draw":
            return cards_many(self.cards.deck, name) if name in NUMBERS else 1
        return self.portions.hidden(int(name)) if verb == "reveal" else 1

    def chance(self) -> Chance | None:
        phase = self.phase
        if phase is DRAW or phase is DEAL:
            return self.cards.request(self.seat)
        if phase is REVEAL:
            return Reveal(f"portion/{self.round}/{len(self.portions.grill)}", self.portions.unseen)
        return Pick("start", self.rules.players) if phase is START else None

    def play(self, action: str) -> "KarteneckPosition":
        phase, seat, cards = self.phase, self.seat, self.cards
        if phase is DRAW:
            cards = cards.draw(seat, action)
            if self.rules.reshuffle == "eager":
                cards = cards.refilled()
            return karteneck_position_drawing_cards(self, cards, self.due - 1)
        if phase is TURN or phase is WORMS:
            if action in (PASS, STEAL):
                return karteneck_position_passing(self, self.victim() if action == STEAL else -1)
            if action == DONE:
                return karteneck_position_drawing_cards(self, cards, AFTER_A_PLAY)
            played = PLAYED[action]
            cards = cards.show(seat, played)
            if tag := cards_highest_tag(played):
                return self._replace(phase=WORMS, cards=cards, tag=tag, key="")
            return karteneck_position_drawing_cards(self, cards, AFTER_A_PLAY)
        if phase is DEAL:
            return karteneck_position_dealing(self._replace(cards=cards.draw(seat, action), due=self.due - 1))
        if phase is REVEAL:
            return karteneck_position_revealing(self._replace(portions=self.portions.reveal(int(action[7:])), key=""))
        return self._replace(phase=DEAL, starter=int(action.removeprefix("start ")))

    def victim(self) -> int:
        """Return the seat that the acting seat may rob, or -1: the acting seat has a worm, and its total equals that
        seat's top portion.
        """
        shown = self.cards.displays[self.seat]
        return self.portions.owner(cards_total(shown), self.seat) if cards_worms(shown) else -1

    def view(self, seat: int | None) -> dict[str, Any]:
        return whole(self.rules.ruleset, self, self.rules, seat, **karteneck_view_visible(self, seat))

    def seen(self, action: str, seat: int) -> str | None:
        """Return the action as ``seat`` sees it: only the drawing seat sees a drawn card."""
        return None if self.phase in (DRAW, DEAL) and seat != self.seat else action

    def resample(self, seat: int, rng: Random) -> "KarteneckPosition":
        """Deal the hidden cards again, see ``Cards.resample``. Future portions are not decided yet."""
        return self._replace(cards=self.cards.resample(seat, rng))

    def outcome(self) -> Outcome | None:
        return karteneck_fields_standing(self.rules, self.portions.stacks) if self.phase is OVER else None

    def event(self) -> str:
        """Return "bust" or "steal" as in ``KarteneckEnding``, "menu" at the end of a round, "end" at the end of the
        game.
        """
        return self.key

    def facts(self) -> tuple[Hashable, ...]:
        return (
            *(tuple(self.rules), self.phase.value, self.seat, self.turn, self.round),
            *(tuple(self.cards), tuple(self.portions), self.passed, self.due, self.tag, self.starter),
        )


_new: Final = from_fields(KarteneckPosition)


def karteneck_position_opening(rules: KarteneckRules) -> KarteneckPosition:
    """Return the first position: no cards are dealt, no portion is revealed."""
    n = rules.players
    phase = DEAL if rules.start == "seat0" else START
    cards, portions = karteneck_table_all_in_deck(n), portions_unopened(n)
    return KarteneckPosition(rules, phase, 0, 0, 1, cards, portions, ("",) * n, HAND, 0, 0, None, "")


def karteneck_position_dealing(at: KarteneckPosition) -> KarteneckPosition:
    """Deal six cards to each seat in turn, then continue with the first grill."""
    if at.due:
        return at
    if at.seat + 1 < at.rules.players:
        return at._replace(seat=at.seat + 1, due=HAND)
    return at._replace(phase=REVEAL)


def karteneck_position_revealing(at: KarteneckPosition) -> KarteneckPosition:
    """Reveal until there are as many portions as players, then begin the round."""
    if len(at.portions.grill) < at.rules.players:
        return at
    return at._replace(phase=TURN, seat=at.starter, turn=at.turn + 1)


def karteneck_position_drawing_cards(at: KarteneckPosition, cards: Cards, due: int, key: str = "") -> KarteneckPosition:
    """Let the seat draw the ``due`` cards, as far as there are any. Then it is the next seat's turn."""
    rules, _, seat, turn, number, _, portions, passed, _, _, starter, last, _ = at
    if due:
        cards = cards.refilled()
        if cards.deck:
            return _new((rules, DRAW, seat, turn, number, cards, portions, passed, due, 0, starter, last, key))
    seat = (seat + 1) % rules.players
    while passed[seat]:
        seat = (seat + 1) % rules.players
    return _new((rules, TURN, seat, turn + 1, number, cards, portions, passed, 0, 0, starter, last, key))


def karteneck_position_passing(at: KarteneckPosition, victim: int) -> KarteneckPosition:
    """Let the seat pass. A seat without a worm takes the lowest portion. A seat with a worm robs ``victim``, or nobody
    (-1).
    """
    seat, cards, portions, starter = at.seat, at.cards, at.portions, at.starter
    shown = cards.displays[seat]
    portion = None
    if cards_worms(shown):
        event, status = "pass", "valid"
        if victim >= 0:
            event, portion = "steal", portions.stacks[victim][-1]
            portions = portions.steal(seat, victim)
            starter = seat if at.rules.start_counts_steal else starter
    else:
        event, status, portion, starter = "bust", "invalid", portions.grill[0], seat
        portions, cards = portions.take(seat, portion), cards.clear(seat)
    ending = KarteneckEnding(event, seat, shown, portion, victim if victim >= 0 else None, ())
    passed = (*at.passed[:seat], status, *at.passed[seat + 1 :])
    key = "" if event == "pass" else event
    after = at._replace(cards=cards, portions=portions, passed=passed, starter=starter, last=ending)
    return (
        karteneck_position_drawing_cards(after, cards, AFTER_A_PASS, key)
        if "" in passed
        else karteneck_position_sharing(after, ending)
    )


def karteneck_position_sharing(at: KarteneckPosition, ending: KarteneckEnding) -> KarteneckPosition:
    """Share the menu once all have passed, discard all displays, and begin the next round or end the game."""
    valid = {seat: shown for seat, shown in enumerate(at.cards.displays) if at.passed[seat] == "valid"}
    portions, starter = at.portions, at.starter
    menu = cards_shares(portions.grill, valid)
    for share in menu:
        portions, starter = portions.take(share.seat, share.portion), share.seat
    over = at.round == at.rules.rounds
    return at._replace(
        phase=OVER if over else REVEAL,
        round=at.round if over else at.round + 1,
        cards=at.cards.clear_all(),
        portions=portions,
        passed=("",) * at.rules.players,
        starter=starter,
        last=ending._replace(menu=menu),
        key="end" if over else "menu",
    )
