"""What the places of a knockout are called, and why somebody went on."""

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from tournaments.formats.knockout import By, Feed, Part, Place, Way

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

PARTS: Final[dict[Part, "StrOrPromise"]] = {
    Part.WINNERS: gettext_lazy("Winners' bracket"),
    Part.LOSERS: gettext_lazy("Losers' bracket"),
    Part.FINAL: gettext_lazy("Grand final"),
    Part.THIRD: gettext_lazy("Third place"),
}
REASONS: Final[dict[By, "StrOrPromise"]] = {
    By.FORFEIT: gettext_lazy("the other bot forfeited the match by its faults"),
    By.SCORE: gettext_lazy("more games won"),
    By.GAME_POINTS: gettext_lazy("level in games; more of the game's own points"),
    By.SEED: gettext_lazy("level in games and in the game's own points; the better seed"),
    By.WALKOVER: gettext_lazy("the other bot had left"),
}


def part_said(part: Part, double: bool) -> str:
    """What a part of a bracket is called; of a single elimination there is only one, and the match for third place."""
    return str(PARTS[part]) if double or part is Part.THIRD else _("Bracket")


def round_said(place: Place, double: bool) -> str:
    """The round of a place: "Semi-finals", "Losers' round 3"."""
    if place.part is Part.THIRD:
        return _("Match for the third place")
    if place.part is Part.FINAL:
        return _("Second grand final") if place.is_reset else _("Grand final")
    if double:
        named = {"number": place.round}
        if place.part is Part.LOSERS:
            return _("Losers' round %(number)d") % named
        return _("Winners' final") if place.of == 1 else _("Winners' round %(number)d") % named
    known = {1: pgettext("of a knockout", "Final"), 2: _("Semi-finals"), 4: _("Quarter-finals")}
    return known.get(place.of) or _("Round of %(bots)d") % {"bots": 2 * place.of}


def place_said(place: Place, double: bool) -> str:
    """One match of it: "Semi-finals, match 2"."""
    name = round_said(place, double)
    return name if place.of == 1 else _("%(round)s, match %(number)d") % {"round": name, "number": place.slot + 1}


def feed_said(feed: Feed, double: bool) -> str:
    """Where a player comes from."""
    if feed.place is None:
        return _("seed %(number)d") % {"number": feed.seed}
    sentence = _("winner of: %(match)s") if feed.way is Way.WINNER else _("loser of: %(match)s")
    return sentence % {"match": place_said(feed.place, double)}
