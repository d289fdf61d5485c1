"""The forms for rulings of any kind: the proposal, about a match, a bot or another ruling, and the reason."""

from typing import Any, Final

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from matches.models import Seat as MatchSeat
from tournaments.entry_form import LISTED_MOST, EntryField
from tournaments.errors import RulingRefused, WrongState
from tournaments.models import Fixture, Ruling, Tournament
from tournaments.ruling_validation import OF_BOTS, OF_MATCHES, ruling_allowed_require, ruling_score_field
from tournaments.selectors.entering.entry_versions import entry_by_version
from tournaments.selectors.rulings.corrections import rulings_reversible
from tournaments.selectors.rulings.ruling_preview import Proposal
from tournaments.standings import RulingCode
from web.long_select import LongSelect

TABLES_IN_FULL: Final = 16


class ProposalForm(forms.Form):
    """The form for a proposed ruling. A valid form has a ``proposal`` that is allowed in the current state."""

    def __init__(self, *args: Any, kind: RulingCode, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kind = kind
        self.tournament = tournament
        self.proposal = Proposal(kind)
        self.fixture: Fixture | None = None
        if kind in OF_MATCHES:
            self._add_match()
        elif kind is RulingCode.TAKE_BACK:
            self._add_ruling()
        elif kind in OF_BOTS or kind is RulingCode.REINSTATE:
            self.fields["entry"] = EntryField(tournament.entries.filter(version__isnull=False), label=_("Bot"))
        if kind is RulingCode.DISQUALIFY:
            self.fields["annul"] = forms.ChoiceField(
                label=_("Its results so far"),
                choices=[
                    ("keep", _("stand for its opponents")),
                    ("annul", _("count for nobody; in a knockout each match it has played is lost")),
                ],
                widget=forms.RadioSelect,
                initial="keep",
            )
        if kind is RulingCode.REPLACE and self.fixture is not None:
            self._add_scores(self.fixture)

    def _add_match(self) -> None:
        """Add the fields for the round and its table.

        As long as no round is chosen, the tables of the round that began last are listed.
        """
        rounds = self.tournament.rounds.filter(started_at__isnull=False, fixtures__isnull=False).distinct()
        numbers = list(rounds.order_by("-number").values_list("number", flat=True))
        round_chosen = str(self._value("round") or "")
        number = int(round_chosen) if round_chosen.isdecimal() and len(round_chosen) < 7 else next(iter(numbers), 0)
        self.fields["round"] = forms.ChoiceField(
            label=_("Round"),
            choices=[(one, gettext("Round %(number)d") % {"number": one}) for one in numbers],
            initial=number,
            error_messages={"invalid_choice": _("There is no such round.")},
        )
        nowhere = gettext("Round %(round)s has no such table: choose one from the list.") % {"round": number}
        tables = self.tournament.fixtures.filter(round__number=number).order_by("table")
        count = tables.count()
        self.fields["table"] = forms.ChoiceField(
            label=_("Table"),
            choices=[(one, one) for one in tables.values_list("table", flat=True)]
            if count > LISTED_MOST
            else _named(tables),
            widget=_widget_for(count),
            error_messages={"invalid_choice": nowhere},
        )
        self.fixture = self._fixture()

    def _add_ruling(self) -> None:
        field = forms.ModelChoiceField(
            self.tournament.rulings.filter(pk__in=[ruling.pk for ruling in rulings_reversible(self.tournament)]),
            label=_("Ruling"),
            to_field_name="number",
            empty_label=_("Choose a ruling"),
            error_messages={"invalid_choice": _("This ruling is no longer in force, or cannot be taken back.")},
        )
        field.label_from_instance = _ruling_label  # type: ignore[method-assign, assignment]
        self.fields["ruling"] = field

    def hidden(self) -> list[tuple[str, str]]:
        """Return the typed values, which the form of the confirmation sends again."""
        return [(name, self.data.get(name, "")) for name in self.fields]

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if self.errors:
            return data
        self.proposal = Proposal(
            kind=self.kind,
            fixture=self.fixture,
            entry=data.get("entry"),
            ruling=data.get("ruling"),
            scores=self._scores(data),
            annul=data.get("annul") == "annul",
        )
        try:
            ruling_allowed_require(self.tournament, self.proposal)
        except RulingRefused as error:
            self.add_error(error.field if error.field in self.fields else self._first_field(), str(error))
        except WrongState as error:
            self.add_error(None, str(error))
        return data

    def _first_field(self) -> str | None:
        return "table" if "table" in self.fields else next(iter(self.fields), None)

    def _value(self, name: str) -> Any:
        return self.data.get(name) if self.is_bound else self.initial.get(name)

    def _fixture(self) -> Fixture | None:
        number, table = str(self._value("round") or ""), str(self._value("table") or "")
        if not (number.isdecimal() and table.isdecimal() and len(number) < 7 and len(table) < 7):
            return None
        fixtures = self.tournament.fixtures.select_related("round__stage", "round__tournament", "match")
        return fixtures.filter(round__number=int(number), table=int(table)).first()

    def _add_scores(self, fixture: Fixture) -> None:
        seats = list(fixture.match.seats.select_related("version__bot"))
        games = fixture.match.blocks_most * len(seats)
        for seat in seats:
            self.fields[ruling_score_field(seat)] = forms.FloatField(
                label=gettext("Score of %(bot)s") % {"bot": seat.version.bot.name},
                help_text=gettext("Games won, of %(games)d; shared ones in part.") % {"games": games},
                widget=forms.NumberInput({"step": "any", "min": 0, "max": games}),
                initial=seat.score,
            )

    def _scores(self, data: dict[str, Any]) -> dict[int, float]:
        if self.kind is not RulingCode.REPLACE or self.fixture is None:
            return {}
        entries = entry_by_version(self.tournament)
        seats = self.fixture.match.seats.all()
        return {
            entries[seat.version_id]: data[ruling_score_field(seat)]
            for seat in seats
            if ruling_score_field(seat) in data
        }


def _widget_for(tables: int) -> type[forms.Widget]:
    """Return the widget for the choice among so many tables: radio buttons, a list, or a field for the number."""
    if tables <= TABLES_IN_FULL:
        return forms.RadioSelect
    return LongSelect if tables <= LISTED_MOST else forms.NumberInput


def _named(tables: QuerySet[Fixture]) -> list[tuple[int, str]]:
    """Return the number of each table, and a label with the bots that sit there."""
    names: dict[int, list[str]] = {}
    seats = MatchSeat.objects.filter(match__fixture__in=tables).order_by("match", "index")
    for match, name in seats.values_list("match_id", "version__bot__name"):
        names.setdefault(match, []).append(name)
    return [
        (table, gettext("Table %(number)d: %(bots)s") % {"number": table, "bots": ", ".join(names.get(match, []))})
        for table, match in tables.values_list("table", "match")
    ]


def _ruling_label(ruling: Ruling) -> str:
    """Return the label of a ruling in a list."""
    about = ruling.entry.bot.name if ruling.entry else ""
    if ruling.entry is None and "table" in ruling.data:
        place = {"round": ruling.data.get("round"), "table": ruling.data["table"]}
        about = gettext("round %(round)s, table %(table)s") % place
    values = {"number": ruling.number, "kind": ruling.get_kind_display(), "about": about}
    return (gettext("%(number)d: %(kind)s, %(about)s") if about else gettext("%(number)d: %(kind)s")) % values


class ReasonForm(forms.Form):
    """The form that confirms a ruling. ``basis`` identifies the state for which the consequences were shown."""

    reason = forms.CharField(
        label=_("Reason"),
        help_text=_("Everyone can read it, and it cannot be changed later."),
        max_length=1000,
        widget=forms.Textarea({"rows": 3}),
    )
    basis = forms.CharField(max_length=64, widget=forms.HiddenInput)
