"""What organisers ask entrants, and what these answer, as forms."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.errors import AnswerRefused
from tournaments.models import (
    ANSWER_LENGTH,
    CHOICE_LENGTH,
    CHOICES_MOST,
    QUESTION_LENGTH,
    RegistrationKind,
    RegistrationQuestion,
)


class RegistrationQuestionForm(forms.Form):
    """A new question; ``settings`` are those of ``registration_question_add``."""

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
    """The answers for a bot that is in; ``cleaned_data["answers"]`` are by the numbers of the questions."""

    def __init__(self, *args: Any, questions: Sequence[RegistrationQuestion], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.questions = questions
        self.fields |= answer_fields(questions)

    def clean(self) -> dict[str, Any]:
        return {**self.cleaned_data, "answers": answers_typed(self.questions, self.cleaned_data)}


def answer_fields(questions: Sequence[RegistrationQuestion], *, is_required: bool = True) -> dict[str, forms.Field]:
    """Return the fields of a form that asks the ``questions``. Where nothing ``is_required``, the service requires it
    of those who enter a bot of their own."""
    return {_name(one.number): _field(one, is_required=is_required and one.is_required) for one in questions}


def answers_shown(answers: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the fields of ``answer_fields`` show at first, for ``answers`` by the numbers of the questions."""
    return {_name(number): answer for number, answer in answers.items()}


def answers_typed(questions: Sequence[RegistrationQuestion], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answers among what was typed into such fields, by the numbers of the questions."""
    return {str(one.number): data[_name(one.number)] for one in questions if _name(one.number) in data}


def answer_refused(form: forms.Form, error: AnswerRefused) -> None:
    """Show the ``error`` beside its question."""
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
