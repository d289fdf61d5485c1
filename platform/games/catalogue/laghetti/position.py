"""The state machine of In cammino tra i laghetti: deal, bid, lead, follow, and on to the next trick and round."""

from collections.abc import Hashable
from functools import lru_cache
from itertools import islice
from random import Random
from typing import Any, Final

from games.catalogue.laghetti.deck import CARDS, FEATURES
from games.catalogue.laghetti.fields import (
    LaghettiFields,
    LaghettiPhase,
    SheetRound,
    TrickTaken,
    laghetti_fields_standing,
)
from games.catalogue.laghetti.rules import LaghettiRules
from games.catalogue.laghetti.view import laghetti_view_visible
from games.chance import Chance, Pick, draw
from games.from_fields import from_fields
from games.schema import whole
from games.state import CHANCE, Outcome, State

BIDS: Final = tuple(f"bid {bid}" for bid in range(CARDS // 3 + 1))
ALL_CARDS: Final = (1 << CARDS) - 1
DRAWS: Final = tuple(f"draw {card}" for card in range(CARDS))
PLAYS: Final = tuple(f"play {card}" for card in range(CARDS))
CARD_OF: Final = {text: card for texts in (DRAWS, PLAYS) for card, text in enumerate(texts)}
LEADS: Final = tuple(tuple(f"play {card} {feature}" for feature in FEATURES) for card in range(CARDS))


DEALER, DEAL, BID, LEAD, FOLLOW, OVER = LaghettiPhase  # access to a member of an enum is slow


class LaghettiPosition(LaghettiFields, State):
    """One moment of a game: a named tuple, which is cheap to create and immutable."""

    __slots__ = ()

    @property
    def actor(self) -> int:
        phase = self.phase
        if phase is BID:
            return (self.dealer + 1 + len(self.bids)) % self.rules.players
        if phase is LEAD or phase is FOLLOW:
            return (self.leader + len(self.cards)) % self.rules.players
        return CHANCE

    def actions(self) -> tuple[str, ...]:
        phase = self.phase
        if phase is FOLLOW:
            return laghetti_position_follows(self.hands[self.actor])
        if phase is LEAD:
            barred = self.tricks[-1].feature if self.tricks and self.rules.feature_repeat == "not_previous" else ""
            return laghetti_position_leads(self.hands[self.leader], barred)
        if phase is BID:
            forbidden = self.forbidden
            return tuple([BIDS[bid] for bid in range(self.cards_each + 1) if bid != forbidden])
        if phase is DEAL:
            left = self._left()
            return tuple([DRAWS[card] for card in range(CARDS) if left >> card & 1])
        return tuple(f"dealer {seat}" for seat in range(self.rules.players)) if phase is DEALER else ()

    def chance(self) -> Chance | None:
        if self.phase is DEAL:
            seat = self._receiver()
            drawn = self.rules.dealt(self.number) + len(self.hands[seat])
            return draw((f"hand/{seat}/{drawn}", CARDS, self._left()))
        return Pick("dealer", self.rules.players) if self.phase is DEALER else None

    def play(self, action: str) -> "LaghettiPosition":
        phase = self.phase
        if phase is FOLLOW:
            return self._card(CARD_OF[action], self.feature)
        if phase is LEAD:
            return self._card(CARD_OF[action[:-2]], action[-1])
        if phase is DEAL:
            return self._draw(CARD_OF[action])
        if phase is BID:
            bids = (*self.bids, int(action[4:]))
            if len(bids) < self.rules.players:
                return self._replace(bids=bids)
            return self._replace(bids=bids, phase=LEAD, leader=(self.dealer + 1) % self.rules.players)
        return self._replace(dealer=int(action.removeprefix("dealer ")), phase=DEAL)

    def seen(self, action: str, seat: int) -> str | None:
        """Return the action as ``seat`` sees it. Only the receiver of a dealt card sees it. With some options, the
        other seats see only the value of a card that is played.
        """
        phase = self.phase
        if phase is DEAL:
            return action if seat == self._receiver() else None
        if seat == self.actor or self.rules.reveal == "card" or phase not in (LEAD, FOLLOW):
            return action
        feature = self.feature or action[-1]
        card = int(action.split()[1])
        return f"{feature} {self.rules.deck[card][FEATURES.index(feature)]}"

    def view(self, seat: int | None) -> dict[str, Any]:
        return whole(self.rules.ruleset, self, self.rules, seat, **laghetti_view_visible(self, seat))

    def resample(self, seat: int, rng: Random) -> "LaghettiPosition":
        """Deal the other hands again from the cards that ``seat`` neither holds nor has seen in this round.

        A card of which only the value is shown counts as seen, because no other card has that value in its feature.
        """
        seen = {*self.hands[seat], *self.cards, *(card for trick in self.tricks for card in trick.cards)}
        unseen = [card for card in range(CARDS) if card not in seen]
        sizes = [0 if owner == seat else len(hand) for owner, hand in enumerate(self.hands)]
        dealt = iter(rng.sample(unseen, sum(sizes)))
        hands = [tuple(sorted(islice(dealt, size))) for size in sizes]
        hands[seat] = self.hands[seat]
        return self._replace(hands=tuple(hands))

    def outcome(self) -> Outcome | None:
        return laghetti_fields_standing(self.scores) if self.phase is OVER else None

    def event(self) -> str:
        """Return "round" in the first position after a round, "end" once the game is over, otherwise ""."""
        if self.phase is OVER:
            return "end"
        return "round" if self.phase is DEAL and self.sheet and not any(self.hands) else ""

    def facts(self) -> tuple[Hashable, ...]:
        rules, phase, *rest = self
        return (tuple(rules), phase.value, *rest)

    def _receiver(self) -> int:
        """Return who gets the next card: cards are dealt one by one, clockwise from the dealer's left."""
        return (self.dealer + 1 + sum(map(len, self.hands))) % self.rules.players

    def _left(self) -> int:
        """Return the cards not yet dealt in this round, as a bit mask."""
        return ALL_CARDS - sum([1 << card for hand in self.hands for card in hand])

    def _draw(self, card: int) -> "LaghettiPosition":
        seat = self._receiver()
        hand = tuple(sorted((*self.hands[seat], card)))
        dealt = seat == self.dealer and len(hand) == self.cards_each  # the dealer gets the last card
        return self._now(BID if dealt else DEAL, seat, hand)

    def _card(self, card: int, feature: str) -> "LaghettiPosition":
        seat, cards = self.actor, (*self.cards, card)
        hand = self.hands[seat]
        at = hand.index(card)
        hand = hand[:at] + hand[at + 1 :]
        if len(cards) < self.rules.players:
            return self._now(FOLLOW, seat, hand, cards, feature)
        winner = (self.leader + laghetti_position_highest(self.rules, cards, feature)) % self.rules.players
        trick = _trick((self.leader, feature, cards, winner))
        after = self._now(LEAD, seat, hand, trick=trick)
        return after if hand else after._settle()

    def _settle(self) -> "LaghettiPosition":
        """Add the points of a round after its last trick, and go on to the next round's deal or the end."""
        bids = tuple(bid for bid in self.bids_by_seat() if bid is not None)
        done = SheetRound(self.dealer, bids, self.won())
        scores = tuple(map(int.__add__, self.scores, done.points))
        sheet = (*self.sheet, done)
        if self.number + 1 == len(self.rules.schedule):
            return self._replace(phase=OVER, sheet=sheet, scores=scores)
        return self._replace(
            phase=DEAL,
            number=self.number + 1,
            dealer=(self.dealer + 1) % self.rules.players,  # the player who started the round deals the next
            bids=(),
            tricks=(),
            sheet=sheet,
            scores=scores,
        )

    def _now(
        self,
        phase: LaghettiPhase,
        seat: int,
        hand: tuple[int, ...],
        cards: tuple[int, ...] = (),
        feature: str = "",
        trick: TrickTaken | None = None,
    ) -> "LaghettiPosition":
        """Return the position with a new hand of ``seat`` and the ``cards`` of the current trick. ``trick`` is the
        trick that the last card finished, or None.
        """
        rules, _, number, dealer, hands, bids, tricks, leader, _, _, last, sheet, scores = self
        hands = (*hands[:seat], hand, *hands[seat + 1 :])
        if trick is not None:
            tricks, last, leader = (*tricks, trick), trick, trick.winner
        return _new((rules, phase, number, dealer, hands, bids, tricks, leader, feature, cards, last, sheet, scores))


_new: Final = from_fields(LaghettiPosition)
_trick: Final = from_fields(TrickTaken)


@lru_cache(maxsize=1 << 12)  # the player, the table and the view call it with the same arguments
def laghetti_position_follows(hand: tuple[int, ...]) -> tuple[str, ...]:
    """Return the actions that play a card of this hand to a trick."""
    return tuple([PLAYS[card] for card in hand])


@lru_cache(maxsize=1 << 12)  # the player, the table and the view call it with the same arguments
def laghetti_position_leads(hand: tuple[int, ...], barred: str) -> tuple[str, ...]:
    """Return the actions that lead a card of this hand, with every feature but the ``barred`` one."""
    return tuple([lead for card in hand for lead in LEADS[card] if lead[-1] != barred])


def laghetti_position_highest(rules: LaghettiRules, cards: tuple[int, ...], feature: str) -> int:
    """Return the index of the winning card: the highest value of ``feature``, or the earliest of equal cards."""
    column = FEATURES.index(feature)
    values = [rules.deck[card][column] for card in cards]
    return values.index(max(values))


def laghetti_position_opening(rules: LaghettiRules) -> LaghettiPosition:
    """Return the first position."""
    return LaghettiPosition(
        rules=rules,
        phase=DEAL if rules.first_dealer == "seat0" else DEALER,
        number=0,
        dealer=0,
        hands=((),) * rules.players,
        bids=(),
        tricks=(),
        leader=0,
        feature="",
        cards=(),
        last=None,
        sheet=(),
        scores=(0,) * rules.players,
    )
