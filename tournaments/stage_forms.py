"""The part of the organiser's form for stages: the format, its rounds and matches, and a playoff of the best bots."""

from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from django import forms
from django.utils.functional import lazy
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from contests.caps import blocks_cap_validate
from games.ruleset import Ruleset
from luck import luck_value_of
from matches.referee import ThreeAnswers, ThreeAnswersLessLuck, stopping_rule_of
from tournaments.formats.format import Format
from tournaments.formats.registry import FIRST_OFFERED, FORMATS
from tournaments.models import Tournament
from tournaments.services import StagePlan

MAX_ROUNDS: Final = 50
MAX_FINALISTS: Final = 64


class FormatSelect(forms.RadioSelect):
    """Radio buttons for the format. Their data attributes tell the style sheet which other fields to show."""

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        kind = FORMATS[str(value)]
        data_attributes = {
            "data-rounds": kind.takes_rounds,
            "data-points": not kind.has_bracket,
            "data-third-place": kind.takes_third_place,
        }
        option["attrs"] |= {attribute: True for attribute, holds in data_attributes.items() if holds}
        return option


class FinalSelect(forms.Select):
    """A list of the formats of the playoff. It has the same data attribute about the match for the third place."""

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        if value and FORMATS[str(value)].takes_third_place:
            option["attrs"]["data-third-place"] = True
        return option


def _explained(one: Format) -> SafeString:
    """Return the name of a format with its summary, as HTML."""
    return format_html('<span>{} <span class="muted small">{}</span></span>', gettext(one.label), gettext(one.summary))


# Translated when the page is rendered
_explanation_later: Final = cast(Callable[[Format], str], lazy(_explained, SafeString))


def _formats() -> list[tuple[str, str]]:
    return [(one.code, _explanation_later(one)) for one in FORMATS.values() if one.is_offered]


def _finals() -> list[tuple[str, Any]]:
    finals = [(one.code, _(one.label)) for one in FORMATS.values() if one.is_final]
    return [("", _("No playoff: the standings are final")), *finals]


class StagesForm(forms.Form):
    """The fields for the stages of a tournament. A subclass calls ``clean_stages`` in its ``clean``."""

    format = forms.ChoiceField(
        label=_("Format"),
        choices=_formats,
        initial=FIRST_OFFERED,
        widget=FormatSelect,
    )
    rounds = forms.IntegerField(
        label=_("Rounds of a Swiss"),
        initial=5,
        required=False,
        min_value=1,
        max_value=MAX_ROUNDS,
        help_text=_("The next round is drawn as soon as the last one is finished."),
    )
    players_per_table = forms.IntegerField(label=_("Players per table"), initial=2)
    blocks = forms.IntegerField(
        label=_("Deals per match"),
        initial=2,
        min_value=1,
        validators=[blocks_cap_validate],
        help_text=_("The same dice or cards, played once from every seat, so that everyone gets the same luck."),
    )
    stop_error = forms.ChoiceField(
        label=_("End a match when it is decided"),
        choices=[
            ("", _("no: every match plays all its deals")),
            ("0.01", _("yes, with an error rate of 1%")),
            ("0.05", _("yes, with an error rate of 5%")),
            ("0.1", _("yes, with an error rate of 10%")),
        ],
        required=False,
        help_text=_(
            "At tables of two: a match ends as soon as one bot is shown to be better, or the match too close to "
            "call. It is an error if one of two equal bots is called better, or if a match is called too close "
            "although one bot is better by the difference below."
        ),
    )
    stop_effect = forms.ChoiceField(
        label=_("Smallest difference worth detecting"),
        choices=[
            ("0.02", _("52 % of the score against 48 %")),
            ("0.05", _("55 % of the score against 45 %")),
            ("0.1", _("60 % of the score against 40 %")),
            ("0.2", _("70 % of the score against 30 %")),
        ],
        initial="0.05",
        required=False,
        help_text=_("The smaller it is, the more deals a match needs."),
    )
    stop_less_luck = forms.BooleanField(
        label=_("Use luck-adjusted scores"),
        required=False,
        help_text=_(
            "The rule uses scores without luck, where the game allows it: close matches end after fewer deals. The "
            "score itself does not change."
        ),
    )
    final = forms.ChoiceField(
        label=_("Playoff format"),
        choices=_finals,
        widget=FinalSelect,
        required=False,
        help_text=_(
            "A knockout of two at a table, or in heats at tables as large as these, seeded by these standings. It "
            "begins automatically."
        ),
    )
    final_entrants = forms.IntegerField(
        label=_("Bots in the playoff"), initial=8, required=False, min_value=2, max_value=MAX_FINALISTS
    )
    final_blocks = forms.IntegerField(
        label=_("Deals per playoff match"), initial=4, required=False, min_value=1, validators=[blocks_cap_validate]
    )
    third_place = forms.BooleanField(
        label=_("A match for the third place"),
        required=False,
        help_text=_("Between the losers of the semi-finals of a single elimination."),
    )

    def clean_stages(self, data: Mapping[str, Any], ruleset: Ruleset) -> list[StagePlan]:
        """Return the planned stages. Errors are added to their fields."""
        first = FORMATS.get(data.get("format", ""))
        goes_on = first is None or not first.has_bracket  # otherwise, the form does not show the fields of the final
        final = FORMATS.get(data.get("final", "")) if goes_on else None
        players = data.get("players_per_table", 0)
        takes_rounds = first is not None and first.takes_rounds
        if takes_rounds and data.get("rounds") is None and "rounds" not in self.errors:
            self.add_error("rounds", _("A Swiss needs a number of rounds."))
        seats = [(first, players)] if final is None else [(first, players), (final, _seats_of_final(final, players))]
        for kind, number in seats:
            wrong = kind is not None and kind.wrong_tables and number not in kind.tables
            if kind is not None and wrong and "players_per_table" not in self.errors:
                self.add_error("players_per_table", gettext(kind.wrong_tables) % {"format": gettext(kind.label)})
        stopping = self._clean_stopping(data, ruleset)
        if stopping and all(number > 2 for _kind, number in seats):
            self.add_error("stop_error", _("Only at tables of two can a match end when it is decided."))
        stages = [
            StagePlan(
                format=first.code if first is not None else "",
                players_per_table=players,
                rounds=(data.get("rounds") or 0) if takes_rounds else 0,
                blocks=data.get("blocks", 0),
                has_third_place=bool(data.get("third_place")) and first is not None and first.takes_third_place,
                stopping=self._enough(stopping, data, "blocks") if players == 2 else {},
            )
        ]
        return stages if final is None else [*stages, self._clean_final(final, data, ruleset, stopping)]

    def _clean_stopping(self, data: Mapping[str, Any], ruleset: Ruleset) -> dict[str, Any]:
        if not data.get("stop_error"):
            return {}
        effect, error = float(data.get("stop_effect") or 0.05), float(data["stop_error"])
        if not data.get("stop_less_luck"):
            return ThreeAnswers(effect=effect, error=error).to_dict()
        if value := luck_value_of(ruleset.id):
            return ThreeAnswersLessLuck(effect=effect, error=error, value=value).to_dict()
        self.add_error("stop_less_luck", _("The luck of this game cannot be measured yet."))
        return {}

    def _enough(self, stopping: dict[str, Any], data: Mapping[str, Any], blocks: str) -> dict[str, Any]:
        """Return the rule ``stopping``. Add an error to the field ``blocks`` if it is too small for the rule."""
        number = data.get(blocks)
        rule = stopping_rule_of(stopping)
        if rule and number is not None and number < (least := rule.least_blocks):
            sentence = _("A match that ends when it is decided needs at least %(least)d deals.")
            self.add_error(blocks, sentence % {"least": least})
        return stopping

    def _clean_final(
        self, final: Format, data: Mapping[str, Any], ruleset: Ruleset, stopping: dict[str, Any]
    ) -> StagePlan:
        players = _seats_of_final(final, data.get("players_per_table", 0))
        if players == 2 and 2 not in ruleset.seats:
            self.add_error("final", _("This knockout is played at tables of two, which this game does not have."))
        if players > 2 and 0 < (data.get("final_entrants") or 0) < players:
            sentence = _("The last table of the heats has %(players)d seats: let at least that many bots go on to it.")
            self.add_error("final_entrants", sentence % {"players": players})
        for field in ("final_entrants", "final_blocks"):
            if data.get(field) is None and field not in self.errors:
                self.add_error(field, _("The knockout needs this number."))
        return StagePlan(
            format=final.code,
            players_per_table=players,
            entrants=data.get("final_entrants") or 0,
            blocks=data.get("final_blocks") or 0,
            has_third_place=bool(data.get("third_place")) and final.takes_third_place,
            stopping={} if players > 2 else self._enough(stopping, data, "final_blocks"),
        )


def _seats_of_final(final: Format, players: int) -> int:
    """Return the number of seats at a table of the playoff.

    It is two if the format allows it, else as many as in the stage before.
    """
    return 2 if 2 in final.tables else players


def stage_form_initial(tournament: Tournament) -> dict[str, Any]:
    """Return the initial values for the stages of an existing tournament."""
    first, *rest = (stage for stage in tournament.stages.all() if not stage.kind.is_play_off)
    initial = {
        "format": first.format,
        "players_per_table": first.players_per_table,
        "blocks": first.blocks,
        "third_place": any(stage.has_third_place for stage in (first, *rest)),
        "final": "",
    }
    if first.kind.takes_rounds:
        initial["rounds"] = first.rounds
    for stage in (first, *rest):
        if stage.stopping:
            initial |= {"stop_error": f"{stage.stopping['error']:g}", "stop_effect": f"{stage.stopping['effect']:g}"}
            initial["stop_less_luck"] = "value" in stage.stopping
    for stage in rest[:1]:
        initial |= {"final": stage.format, "final_entrants": stage.entrants, "final_blocks": stage.blocks}
    return initial
