"""The forms of an author: a bot with its first file, another file, a new name."""

from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from bots.archive import MAX_SOURCE, MAX_UPLOAD, MAX_ZIP, MIB, take
from bots.models import Bot
from bots.refusal import UploadError
from games.rulesets import RULESETS


def games() -> list[tuple[str, str]]:
    """The games one can write a bot for, as choices."""
    return [(name, ruleset.title) for name, ruleset in RULESETS.items()]


class DropInput(forms.FileInput):
    """A plain file input in a ``<file-drop>``: without JavaScript it is just the input."""

    template_name = "bots/drop_input.html"

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        context["widget"]["largest"] = MAX_UPLOAD
        return context


class UploadForm(forms.Form):
    """``content()`` holds the file's bytes once the form is valid."""

    file = forms.FileField(
        label=_("File"),
        widget=DropInput(attrs={"accept": ".py,.zip"}),
        help_text=format_lazy(
            _("One .py file (up to {source} MiB), or a .zip with bot.py at its root (up to {zip} MiB)."),
            source=MAX_SOURCE // MIB,
            zip=MAX_ZIP // MIB,
        ),
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        try:
            self.data_read = take(file)
        except UploadError as error:
            raise forms.ValidationError(error.message, code=error.code) from error
        return file

    @property
    def upload(self) -> dict[str, Any]:
        """``filename`` and ``data`` of a valid form."""
        return {"filename": self.cleaned_data["file"].name, "data": self.data_read}


class BotForm(forms.ModelForm):
    """Name and line of a bot."""

    class Meta:
        model = Bot
        fields = ("name", "blurb")
        widgets = {"name": forms.TextInput(attrs={"autocomplete": "off"})}
        help_texts = {"name": _("Shown everywhere. You may change it later.")}


class NewBotForm(BotForm, UploadForm):
    """A bot and its first file in one go."""

    field_order = ("name", "ruleset", "blurb", "file")
    ruleset = forms.ChoiceField(label=_("Game"), choices=games)

    class Meta(BotForm.Meta):
        fields = ("name", "ruleset", "blurb")
