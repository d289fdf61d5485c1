"""The forms for entries: enter bots, choose an entry, add a question to entrants, and answer the questions."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, Self

from django import forms
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from bots.forms import house_bots_field
from bots.models import Bot
from tournaments.errors import AnswerRefused
from tournaments.models import (
    ANSWER_LENGTH,
    CHOICE_LENGTH,
    CHOICES_MOST,
    QUESTION_LENGTH,
    Entry,
    RegistrationKind,
    RegistrationQuestion,
    Tournament,
)
from tournaments.selectors.entering.entry_rules import (
    bots_that_may_enter_tournament,
    entry_places_left,
    tournament_bots_offered,
)
from tournaments.selectors.entering.registration import registration_questions_open
from tournaments.selectors.entering.visible import may_own_tournament
from web.long_select import LongSelect
from web.name_keys import name_key


class EntryForm(forms.Form):
    """The form to enter bots.

    Authors choose one of their bots. The organiser may also choose house bots, and may name the bot of an author who
    lets organisers enter it. ``cleaned_data["bots"]`` has all chosen bots. ``cleaned_data["answers"]`` has the answers
    to the questions. ``limit`` is the message of ``entry_limit_reached``. For ``playing`` see ``entry_places_left``.
    """

    bot = forms.ModelChoiceField(
        Bot.objects.none(),
        label=_("Bot"),
        empty_label=None,
        error_messages={
            "invalid_choice": _("This bot cannot enter: it is not yours, plays another game or has already entered.")
        },
    )

    def __init__(
        self,
        *args: Any,
        tournament: Tournament,
        user: AbstractBaseUser,
        limit: str = "",
        playing: int | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        allowed = bots_that_may_enter_tournament(tournament, user)
        self.limit_reached = limit
        self.places_left = 0  # read only for organisers, because they may choose several bots
        self.fields["bot"].queryset = allowed.filter(is_house=True) if limit else allowed  # type: ignore[attr-defined]
        self.game, self.offered = tournament.game, tournament_bots_offered(tournament)
        if may_own_tournament(user, tournament):
            self.fields["bot"].queryset = allowed.none() if limit else allowed.filter(is_house=False)  # type: ignore[attr-defined]
            self.fields["bot"].required = False
            self.fields["bot"].empty_label = "—"  # type: ignore[attr-defined]
            self.fields["house_bots"] = house_bots_field(allowed.filter(is_house=True))
            self.places_left = entry_places_left(tournament, playing)
            free = ngettext("%(left)d place is free.", "%(left)d places are free.", self.places_left)
            self.fields["house_bots"].help_text = free % {"left": self.places_left}
            self.fields["other"] = forms.CharField(
                label=_("Or a bot of another author"),
                required=False,
                max_length=200,
                widget=forms.TextInput({"autocomplete": "off"}),
                help_text=_(
                    "Its name, or the address of its page. Its author must let organisers enter it, gets a notice, and"
                    " may withdraw it."
                ),
            )

        self.questions = registration_questions_open(tournament)
        self.fields |= _answer_fields(self.questions, is_required=self.fields["bot"].required)

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        data["answers"] = _answers_typed(self.questions, data)
        if self.errors:
            return data
        chosen = [data["bot"], *data.get("house_bots", ())]
        if name := data.get("other", "").strip().replace("\0", ""):
            chosen.append(self._named(name))
        data["bots"] = [bot for bot in chosen if bot is not None]
        if not data["bots"] and not self.errors:
            self.add_error("bot", self.fields["bot"].error_messages["required"])
        if len(data["bots"]) > self.places_left > 0:
            sentence = ngettext(
                "You chose %(chosen)d bots, but only %(left)d place is free.",
                "You chose %(chosen)d bots, but only %(left)d places are free.",
                self.places_left,
            )
            counted = {"chosen": len(data["bots"]), "left": self.places_left}
            self.add_error("house_bots" if data["house_bots"] else "other", sentence % counted)
        return data

    def _named(self, name: str) -> Bot | None:
        meant = Q(slug=name.rstrip("/").rpartition("/")[2]) if "/" in name else Q(name_key=name_key(name))
        found = list(Bot.objects.filter(meant, self.offered, game=self.game, deleted_at__isnull=True)[:2])
        if len(found) == 1:
            return found[0]
        sentence = _("Several bots have that name: give the address of the page of one.")
        if not found:
            sentence = _("No bot for this game has that name and an author who lets organisers enter it.")
        self.add_error("other", sentence)
        return None


LISTED_MOST: Final = 1000
TYPED_MOST: Final = 200  # characters


class EntryField(forms.ModelChoiceField):  # type: ignore[type-arg]  # generic in stubs alone
    """A field to choose one of the ``entries``. It is a list, or a text field if there are more than ``LISTED_MOST``.

    ``empty_label`` is shown above the names. ``like`` is another field for the same entries. If it is given, its names
    are used, which saves a query.
    """

    default_error_messages = {
        "unknown": _("No bot of this tournament has that name."),
        "several": _("Several bots of this tournament have that name: give the address of the page of one."),
    }

    def __init__(self, entries: QuerySet[Entry], *, like: Self | None = None, **kwargs: Any) -> None:
        self._entries = entries.select_related("bot")
        self._names: Collection[tuple[int, str]] = (
            like._names if like else entries.order_by("bot__name").values_list("pk", "bot__name")[: LISTED_MOST + 1]
        )
        self._is_typed = len(self._names) > LISTED_MOST
        if self._is_typed:
            kwargs["widget"] = forms.TextInput({"maxlength": TYPED_MOST, "autocomplete": "off"})
            kwargs["help_text"] = _("Its name, or the address of its page.")
        super().__init__(self._entries, **{"widget": LongSelect, "empty_label": _("Choose a bot"), **kwargs})
        if not self._is_typed:
            self.widget.choices = lambda: [("", self.empty_label), *self._names]

    def to_python(self, value: Any) -> Any:
        if not self._is_typed or value in self.empty_values:
            return super().to_python(value)
        typed = str(value).strip().replace("\0", "")
        if len(typed) > TYPED_MOST:
            raise self._refused("unknown")
        meant = Q(bot__name=typed)
        if "/" in typed:
            meant |= Q(bot__slug=typed.rstrip("/").rpartition("/")[2])
        if typed.isascii() and typed.isdecimal() and len(typed) < 10:
            meant |= Q(pk=int(typed))  # links on the tournament's page contain the primary key
        found = list(self._entries.filter(meant)[:2])
        if len(found) != 1:
            raise self._refused("several" if found else "unknown")
        return found[0]

    def _refused(self, code: str) -> ValidationError:
        return ValidationError(self.error_messages[code], code=code)


class RegistrationQuestionForm(forms.Form):
    """The form for a new question. ``settings`` are the arguments for ``registration_question_add``."""

    text = forms.CharField(label=_("Question"), max_length=QUESTION_LENGTH)
    kind = forms.ChoiceField(label=_("Answer type"), choices=RegistrationKind.choices)
    choices = forms.CharField(
        label=_("Choices"),
        required=False,
        max_length=CHOICES_MOST * (CHOICE_LENGTH + 2),
        widget=forms.Textarea({"rows": 4}),
        help_text=_("One per line, for a choice or a category."),
    )
    is_required = forms.BooleanField(
        label=_("Required"), required=False, initial=True, help_text=_("A consent or a category is always required.")
    )

    @property
    def settings(self) -> dict[str, Any]:
        data = self.cleaned_data
        return {
            "text": data["text"],
            "kind": RegistrationKind(data["kind"]),
            "choices": data["choices"].splitlines(),
            "is_required": data["is_required"],
        }


class EntryAnswersForm(forms.Form):
    """The form for the answers of an entry. ``cleaned_data["answers"]`` has them by the number of the question."""

    def __init__(self, *args: Any, questions: Sequence[RegistrationQuestion], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.questions = questions
        self.fields |= _answer_fields(questions)

    def clean(self) -> dict[str, Any]:
        return {**self.cleaned_data, "answers": _answers_typed(self.questions, self.cleaned_data)}


def _answer_fields(questions: Sequence[RegistrationQuestion], *, is_required: bool = True) -> dict[str, forms.Field]:
    """Return the fields of a form for the answers to ``questions``.

    With ``is_required=False``, the form requires no answer. The service still checks the answers of authors.
    """
    return {_name(one.number): _field(one, is_required=is_required and one.is_required) for one in questions}


def entry_form_answers_initial(answers: Mapping[str, Any]) -> dict[str, Any]:
    """Return the initial values of the answer fields. ``answers`` has the answers by the number of the question."""
    return {_name(number): answer for number, answer in answers.items()}


def _answers_typed(questions: Sequence[RegistrationQuestion], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answers in the cleaned ``data`` of a form, by the number of the question."""
    return {str(one.number): data[_name(one.number)] for one in questions if _name(one.number) in data}


def entry_form_answer_refused(form: forms.Form, error: AnswerRefused) -> None:
    """Show the ``error`` beside the field of its question."""
    name = _name(error.number)
    form.add_error(name if name in form.fields else None, str(error))


def _name(number: int | str) -> str:
    return f"answer-{number}"


def _field(question: RegistrationQuestion, *, is_required: bool) -> forms.Field:
    common: dict[str, Any] = {"label": question.text, "required": is_required}
    match question.kind:
        case RegistrationKind.CONSENT:
            return forms.BooleanField(**common, error_messages={"required": _("You must agree to this to enter.")})
        case RegistrationKind.CHOICE | RegistrationKind.CATEGORY:
            if question.kind == RegistrationKind.CATEGORY:
                common["help_text"] = _("Everybody sees it, with the results.")
            return forms.ChoiceField(**common, choices=[("", "—"), *((one, one) for one in question.choices)])
        case _:
            return forms.CharField(**common, max_length=ANSWER_LENGTH)
