"""The forms of an author: a bot with its first file, another file, a new name."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib.auth.models import AbstractUser
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from bots.archive import MAX_SOURCE, MAX_UPLOAD, MAX_ZIP, MIB, take
from bots.models import Bot
from bots.upload_errors import BusyError, UploadError
from games.catalogue import GAMES
from teams.models import Team


def games() -> list[tuple[str, str]]:
    """Return the games one can write a bot for, as choices."""
    return [(name, gettext(game.current.title)) for name, game in GAMES.items()]


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

    wait = 0  # seconds after which to send it again, where nothing is wrong with it

    def refuse(self, error: UploadError) -> None:
        """Say under the file why it was not taken."""
        self.add_error("file", error.message)
        if isinstance(error, BusyError):
            self.wait = error.wait

    @property
    def upload(self) -> dict[str, Any]:
        """``filename`` and ``data`` of a valid form."""
        return {"filename": self.cleaned_data["file"].name, "data": self.data_read}


class BotForm(forms.ModelForm):  # type: ignore[type-arg]  # no parameters at run time
    """Name and line of a bot, and who may enter it."""

    class Meta:
        model = Bot
        fields: tuple[str, ...] = ("name", "blurb", "organisers_may_enter")
        widgets = {"name": forms.TextInput(attrs={"autocomplete": "off"})}
        help_texts = {
            "name": _("Shown everywhere. You may change it later."),
            "organisers_may_enter": _(
                "In their tournaments. You get a letter each time, and may withdraw the bot until the start."
            ),
        }


class NewBotForm(BotForm, UploadForm):
    """A bot and its first file in one go."""

    field_order = ("owner", "name", "game", "blurb", "file")
    owner = forms.ChoiceField(label=_("For"), required=False)
    game = forms.ChoiceField(label=_("Game"), choices=games)

    class Meta(BotForm.Meta):
        fields = ("name", "game", "blurb")

    def __init__(self, *args: Any, teams: Sequence[Team] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._accounts = {str(team.pk): team.account for team in teams}
        if teams:
            named = [(str(team.pk), gettext("team %(name)s") % {"name": team.name}) for team in teams]
            self.fields["owner"].choices = [("", gettext("me")), *named]  # type: ignore[attr-defined]
        else:
            del self.fields["owner"]

    @property
    def team_account(self) -> AbstractUser | None:
        """The account of the team for which the bot is; None: the person's own."""
        return self._accounts.get(self.cleaned_data.get("owner", ""))

    def described(self) -> dict[str, Any]:
        """Return what a valid form says about the bot."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields}


class DeleteForm(forms.Form):
    """The name of what is to be deleted, typed by hand."""

    typed = forms.CharField(label=_("Name"), required=True, widget=forms.TextInput(attrs={"autocomplete": "off"}))

    def __init__(self, data: Any, *, name: str) -> None:
        super().__init__(data)
        self._name = name
        self.fields["typed"].help_text = gettext("Type %(name)s to delete it.") % {"name": name}

    def clean_typed(self) -> str:
        typed: str = self.cleaned_data["typed"]
        if typed != self._name:
            raise forms.ValidationError(gettext("This is not its name."), code="other_name")
        return typed
