"""The labels of rounds and matches of a bracket on pages, and the matches in columns."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from tournaments.formats.knockout import BracketMatch, BracketSlot, DecidedBy, Heat, Part, SlotSource, SourceKind
from tournaments.models import Entry
from tournaments.selectors.rounds.fixtures import FixturePairing

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

PARTS: Final[dict[Part, "StrOrPromise"]] = {
    Part.WINNERS: gettext_lazy("Winners' bracket"),
    Part.LOSERS: gettext_lazy("Losers' bracket"),
    Part.FINAL: gettext_lazy("Grand final"),
    Part.THIRD: gettext_lazy("Third place"),
    Part.HEATS: gettext_lazy("Heats"),
}
REASONS: Final[dict[DecidedBy, "StrOrPromise"]] = {
    DecidedBy.FORFEIT: gettext_lazy("the other bot forfeited the match by its faults"),
    DecidedBy.SCORE: gettext_lazy("more games won"),
    DecidedBy.GAME_POINTS: gettext_lazy("tied in games, won on the game's points"),
    DecidedBy.SEED: gettext_lazy("tied, the higher seed advances"),
    DecidedBy.WALKOVER: gettext_lazy("the other bot had left"),
}
DISQUALIFIED = gettext_lazy("the other bot is disqualified")
HEAT_REASONS: Final[dict[DecidedBy, "StrOrPromise"]] = REASONS | {
    DecidedBy.FORFEIT: gettext_lazy("the next bot forfeited the match by its faults"),
    DecidedBy.SCORE: gettext_lazy("more opponents beaten in its games"),
}


def bracket_part_label(part: Part, double: bool) -> str:
    """Return the name of a part of a bracket. The main part of a single elimination is called just "Bracket"."""
    return _("Bracket") if part is Part.WINNERS and not double else str(PARTS[part])


def bracket_round_label(place: BracketSlot, double: bool) -> str:
    """Return the name of the round in which a slot is, e.g. "Semi-finals" or "Losers' round 3"."""
    if place.part is Part.THIRD:
        return _("Match for the third place")
    if place.part is Part.FINAL:
        return _("Second grand final") if place.is_reset else _("Grand final")
    if double:
        named = {"number": place.round}
        if place.part is Part.LOSERS:
            return _("Losers' round %(number)d") % named
        return _("Winners' final") if place.of == 1 else _("Winners' round %(number)d") % named
    match place.of:
        case 1:
            return pgettext("of a knockout", "Final")
        case 2:
            return _("Semi-finals")
        case 4:
            return _("Quarter-finals")
        case matches:
            return _("Round of %(bots)d") % {"bots": 2 * matches}


def bracket_slot_label(place: BracketSlot, double: bool) -> str:
    """Return the name of a match, e.g. "Semi-finals, match 2"."""
    name = bracket_round_label(place, double)
    return name if place.of == 1 else _("%(round)s, match %(number)d") % {"round": name, "number": place.slot + 1}


def bracket_source_label(feed: SlotSource, double: bool) -> str:
    """Return the source of a player in words."""
    if feed.place is None:
        return _("seed %(number)d") % {"number": feed.seed}
    sentence = _("winner of: %(match)s") if feed.way is SourceKind.WINNER else _("loser of: %(match)s")
    return sentence % {"match": bracket_slot_label(feed.place, double)}


def bracket_slot_short_label(place: BracketSlot, double: bool) -> str:
    """Return the short name of a match in its bracket, which is its number in the order of play.

    In a double elimination, a letter for the part comes first. E.g. "3", "W3" or "L3". Finals and matches for the third
    place are alone in their round, and have the short name "".
    """
    if place.part not in (Part.WINNERS, Part.LOSERS):
        return ""
    pace = 1 if place.part is Part.WINNERS else 2  # the losers' bracket has two rounds of each size
    rounds = [(number + pace - 1) // pace for number in range(1, place.round + 1)]
    number = sum(place.of << (rounds[-1] - one) for one in rounds[:-1]) + place.slot + 1
    if not double:
        return str(number)
    letter = pgettext("winners, of a bracket", "W") if pace == 1 else pgettext("losers, of a bracket", "L")
    return f"{letter}{number}"


def bracket_short_source_label(feed: SlotSource, double: bool) -> str:
    """Return the source of a player with the short name of the match, e.g. "Winner of W3"."""
    if feed.place is None:
        return bracket_source_label(feed, double)
    sentence = _("Winner of %(match)s") if feed.way is SourceKind.WINNER else _("Loser of %(match)s")
    return sentence % {"match": bracket_slot_short_label(feed.place, double) or bracket_slot_label(feed.place, double)}


def heat_round_label(number: int, last: bool) -> str:
    """Return the name of a round of heats. The last round is the final."""
    return pgettext("of a knockout", "Final") if last else _("Round %(number)d of heats") % {"number": number}


def bout_label(bout: BracketMatch | Heat, double: bool, last: bool) -> str:
    """Return the name of a match of a knockout, for tables of any size."""
    return heat_label(bout, last) if isinstance(bout, Heat) else bracket_slot_label(bout.place, double)


def bracket_reason_label(bout: BracketMatch | Heat, disqualified: Collection[int]) -> str:
    """Return why the winners of a match advance; "" until it is decided."""
    if bout.by is None:
        return ""
    if isinstance(bout, Heat):
        return str(HEAT_REASONS[bout.by])
    walked_over = bout.verdict is not None and bout.by is DecidedBy.WALKOVER and bout.verdict.loser in disqualified
    return str(DISQUALIFIED if walked_over else REASONS[bout.by])


def bracket_outcome_label(going: Sequence[str], reason: str, *, last: bool) -> str:
    """Return who goes on from a match, or wins the ``last`` match, and why."""
    named = {"going": ", ".join(going), "reason": reason}
    if last:
        return _("%(going)s wins (%(reason)s).") % named
    return ngettext("%(going)s goes on (%(reason)s).", "%(going)s go on (%(reason)s).", len(going)) % named


def heat_label(heat: Heat, last: bool) -> str:
    """Return the name of a heat, e.g. "Round 2 of heats, heat 1"."""
    name = heat_round_label(heat.place.round, last)
    return name if last else _("%(round)s, heat %(number)d") % {"round": name, "number": heat.place.slot + 1}


def heat_origin_label(entrant: int, before: Sequence[Heat]) -> str:
    """Return in words how an entrant came to a heat. ``before`` are the heats of the round before."""
    if not before:
        return _("drawn by seeds")
    heat = next((one for one in before if entrant in one.goes_on), None)
    return _("from heat %(number)d") % {"number": heat.place.slot + 1} if heat else _("passed the round before")


@dataclass(frozen=True, slots=True)
class SideShown:
    """A side of a match on a page.

    ``origin`` and ``short_origin`` say where the player comes from. ``entry`` is None while the player is not known.
    With ``nobody``, there will be no player. If the entry was moved away from bots of its author, ``earned`` is its
    original seed; otherwise it is 0.
    """

    entry: Entry | None
    seed: int
    origin: str
    nobody: bool
    score: float | None
    wins: bool
    loses: bool
    disqualified: bool = False
    earned: int = 0
    short_origin: str = ""

    @property
    def css(self) -> str:
        """The CSS classes of the HTML element, each after a space."""
        return f"{' wins' if self.wins else ' loses' if self.loses else ''}{' nobody' if self.nobody else ''}"


@dataclass(frozen=True, slots=True)
class BracketMatchShown:
    """A match of a bracket on a page. ``reason`` is why its winners go on. A ``bye`` is not played; a ``void`` match
    has no players."""

    key: str
    name: str
    sides: tuple[SideShown, ...]
    pairing: FixturePairing | None
    reason: str
    bye: bool
    void: bool
    last: bool = False  # its winner plays no further match
    code: str = ""  # its short name

    @property
    def winner(self) -> Entry | None:
        """The winner; None until the match is decided, for a bye, and for a heat from which several entrants go on."""
        won = [side.entry for side in self.sides if side.wins]
        return won[0] if len(won) == 1 and not self.bye else None

    @property
    def is_plain(self) -> bool:
        """Whether the reason says no more than the scores."""
        return self.reason == REASONS[DecidedBy.SCORE]

    @property
    def outcome(self) -> str:
        """Who goes on, and why; "" until the match is decided."""
        going = [side.entry.bot.name for side in self.sides if side.wins and side.entry]
        return bracket_outcome_label(going, self.reason, last=self.last) if going and self.reason else ""

    @property
    def is_playing(self) -> bool:
        """Whether the match is being played or broadcast now, and is not hidden."""
        return self.pairing is not None and self.pairing.is_playing

    @property
    def note(self) -> str:
        """The line below a match that is not being played; "" if the scores show the outcome."""
        if self.pairing is not None and self.pairing.airs_later:
            return _("broadcast to come")
        if self.reason:
            return "" if self.is_plain else self.reason
        return str(self.pairing.state.label) if self.pairing else ""


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    bouts: tuple[BracketMatchShown, ...]


@dataclass(frozen=True, slots=True)
class PartShown:
    """A part of a bracket on a page.

    ``halves`` tells whether each column has half as many matches as the one before. ``ends`` tells whether the part has
    the match that decides the bracket. ``champion`` is the winner of that match; None until it is decided.
    """

    part: Part
    name: str
    columns: tuple[Column, ...]
    ends: bool = False
    champion: Entry | None = None

    @property
    def halves(self) -> bool:
        return self.part is Part.WINNERS
