"""What an arbiter types: which match or bot, and why. One form for every kind of ruling."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.errors import RulingRefused, WrongState
from tournaments.models import Entry, Fixture, Tournament
from tournaments.rulable import OF_BOTS, OF_MATCHES, require_rulable
from tournaments.selectors.proposals import Proposal
from tournaments.standings import Kind


class ProposalForm(forms.Form):
    """What shall be ruled; a valid form has a ``proposal`` that may be made as things stand."""

    def __init__(self, *args: Any, kind: Kind, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kind = kind
        self.tournament = tournament
        self.proposal = Proposal(kind)
        self.fixture: Fixture | None = None
        if kind in OF_MATCHES or (kind is Kind.REINSTATE and not self._asked("entry")):
            self.fields["round"] = forms.IntegerField(label=_("Round"), min_value=1, max_value=100_000)
            self.fields["table"] = forms.IntegerField(label=_("Table"), min_value=1, max_value=100_000)
            self.fixture = self._fixture()
        elif kind in OF_BOTS or kind is Kind.REINSTATE:
            entries = tournament.entries.filter(version__isnull=False).select_related("bot").order_by("bot__name")
            field = forms.ModelChoiceField(entries, label=_("Bot"))
            field.label_from_instance = lambda entry: entry.bot.name  # type: ignore[assignment, method-assign]
            self.fields["entry"] = field
        if kind is Kind.DISQUALIFY:
            self.fields["annul"] = forms.ChoiceField(
                label=_("Its results so far"),
                choices=[
                    ("keep", _("stand for its opponents")),
                    ("annul", _("count for nobody; in a knockout each match it has played is lost")),
                ],
                widget=forms.RadioSelect,
                initial="keep",
            )
        if kind is Kind.REPLACE and self.fixture is not None:
            self._add_scores(self.fixture)

    def hidden(self) -> list[tuple[str, str]]:
        """What was typed, to be sent along when it is confirmed."""
        return [(name, self.data.get(name, "")) for name in self.fields]

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if self.errors:
            return data
        if "round" in self.fields and self.fixture is None:
            sentence = gettext("Round %(round)s has no table %(table)s: look at the list of matches.")
            self.add_error("table", sentence % data)
            return data
        self.proposal = Proposal(
            kind=self.kind,
            fixture=self.fixture,
            entry=data.get("entry"),
            scores=self._scores(data),
            annul=data.get("annul") == "annul",
        )
        try:
            require_rulable(self.tournament, self.proposal)
        except RulingRefused as error:
            self.add_error(error.field if error.field in self.fields else self._first_field(), str(error))
        except WrongState as error:
            self.add_error(None, str(error))
        return data

    def _first_field(self) -> str | None:
        return "table" if "table" in self.fields else next(iter(self.fields), None)

    def _asked(self, name: str) -> Any:
        return self.data.get(name) if self.is_bound else self.initial.get(name)

    def _fixture(self) -> Fixture | None:
        number, table = str(self._asked("round") or ""), str(self._asked("table") or "")
        if not (number.isdecimal() and table.isdecimal() and len(number) < 7 and len(table) < 7):
            return None
        fixtures = self.tournament.fixtures.select_related("round__stage", "round__tournament", "match")
        return fixtures.filter(round__number=int(number), table=int(table)).first()

    def _add_scores(self, fixture: Fixture) -> None:
        seats = list(fixture.match.seats.select_related("version__bot"))
        games = fixture.match.blocks_most * len(seats)
        for seat in seats:
            self.fields[f"score_{seat.index}"] = forms.FloatField(
                label=gettext("Score of %(bot)s") % {"bot": seat.version.bot.name},
                help_text=gettext("Games won, of %(games)d; shared ones in part.") % {"games": games},
                widget=forms.NumberInput({"step": "any", "min": 0, "max": games}),
                initial=seat.score,
            )

    def _scores(self, data: dict[str, Any]) -> dict[int, float]:
        if self.kind is not Kind.REPLACE or self.fixture is None:
            return {}
        entries = dict(Entry.objects.filter(tournament=self.tournament).values_list("version_id", "pk"))
        seats = self.fixture.match.seats.all()
        return {
            entries[seat.version_id]: data[f"score_{seat.index}"] for seat in seats if f"score_{seat.index}" in data
        }


class ReasonForm(forms.Form):
    """The confirmation. ``basis``: of which state the consequences were shown."""

    reason = forms.CharField(
        label=_("Reason"),
        help_text=_("Everyone can read it, for good."),
        max_length=1000,
        widget=forms.Textarea({"rows": 3}),
    )
    basis = forms.CharField(max_length=64, widget=forms.HiddenInput)
