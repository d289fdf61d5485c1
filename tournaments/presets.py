"""Presets for the form of a new tournament of any game: a quick cup, a serious Swiss, and a championship."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.ruleset import Ruleset
from tournaments.formats.knockout.format import HEATS, SINGLE_ELIMINATION
from tournaments.formats.swiss.format import SWISS


@dataclass(frozen=True, slots=True)
class Preset:
    """Values for the form of a new tournament.

    ``short`` describes the format in a line. ``fields`` has values of form fields. At tables of more than two players,
    the values in ``at_larger_tables`` replace those in ``fields``.
    """

    code: str
    title: str | Promise
    sentence: str | Promise
    short: str | Promise
    fields: Mapping[str, Any]
    at_larger_tables: Mapping[str, Any]

    def initial(self, ruleset: Ruleset) -> dict[str, Any]:
        """Return the initial values of the form for a game."""
        return self.at_tables(2 if 2 in ruleset.seats else ruleset.seats.start)

    def at_tables(self, players: int) -> dict[str, Any]:
        """Return the values of the form for tables with this number of players."""
        return {"players_per_table": players, **self.fields, **(self.at_larger_tables if players > 2 else {})}


PRESETS: Final = (
    Preset(
        "quick",
        _("A quick cup"),
        _("A knockout of up to 16 bots, over within the hour: losers are out."),
        _("a knockout, losers are out"),
        {"format": SINGLE_ELIMINATION.code, "entrants_most": 16, "blocks": 4, "third_place": True},
        {"format": HEATS.code, "third_place": False},
    ),
    Preset(
        "swiss",
        _("A serious Swiss"),
        _("Nine rounds for up to 64 bots, and nobody is out: each meets its equals, and late entries are taken."),
        _("a Swiss of nine rounds"),
        {"format": SWISS.code, "rounds": 9, "entrants_most": 64, "blocks": 8},
        {},
    ),
    Preset(
        "championship",
        _("A championship"),
        _("Seven rounds of a Swiss, then a knockout of the best eight with a match for the third place."),
        _("seven rounds of a Swiss, then a knockout of the best eight"),
        {
            "format": SWISS.code,
            "rounds": 7,
            "entrants_most": 64,
            "blocks": 8,
            "final": SINGLE_ELIMINATION.code,
            "final_entrants": 8,
            "final_blocks": 16,
            "third_place": True,
        },
        {"final": HEATS.code, "third_place": False},
    ),
)


def tournament_preset_named(code: str) -> Preset | None:
    """Return the preset with this code; None if there is none."""
    return next((one for one in PRESETS if one.code == code), None)
