"""The forms of an author: a bot with its first file, another file, a new name."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib.auth.models import AbstractUser
from django.template.defaultfilters import floatformat
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from bots.aliases import author_aliases
from bots.archive import MIB, UploadLimits, upload_bytes
from bots.authorship import MODEL_HELP, MODEL_MOST, Authorship, declaration_check
from bots.models import MESSAGE_MOST, Bot, validate_printable
from bots.selectors import upload_limits_of
from bots.upload_errors import BusyError, UploadError
from games.catalogue import GAMES
from groups.selectors import is_in_groups
from teams.models import Team
from teams.selectors import is_in_teams, teams_of


def game_choices() -> list[tuple[str, str]]:
    """Return the games one can write a bot for, as choices."""
    return [(name, gettext(game.current.title)) for name, game in GAMES.items()]


class DropInput(forms.FileInput):
    """A plain file input in a ``<file-drop>``: without JavaScript it is just the input."""

    template_name = "bots/drop_input.html"
    largest = 0  # bytes

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        context["widget"]["largest"] = self.largest
        return context


class UploadForm(forms.Form):
    """``content()`` holds the file's bytes once the form is valid."""

    file = forms.FileField(
        label=_("File"),
        widget=DropInput(attrs={"accept": ".py,.zip"}),
    )
    limits: UploadLimits

    def limit_to(self, limits: UploadLimits) -> None:
        """Take files within ``limits``, and say so."""
        self.limits = limits
        field: Any = self.fields["file"]
        field.widget.largest = limits.upload
        field.help_text = gettext(
            "One .py file (up to {source} MiB), or a .zip with bot.py at its root (up to {zip} MiB)."
        ).format(source=floatformat(limits.source / MIB, -2), zip=floatformat(limits.zip / MIB, -2))

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        try:
            self.data_read = upload_bytes(file, self.limits)
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


class DeclaredForm(UploadForm):
    """A file, and how it was written."""

    authorship = forms.ChoiceField(
        label=_("How it was written"),
        required=False,
        choices=[("", _("not said")), *Authorship.choices],
        help_text=_("Shown on the bot's page and on ladders. Nothing is shown if you do not say."),
    )
    model = forms.CharField(
        label=_("Model"), required=False, max_length=MODEL_MOST, validators=[validate_printable], help_text=MODEL_HELP
    )

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        declaration_check(self.cleaned_data.get("authorship", ""), self.cleaned_data.get("model", ""))
        return cleaned

    @property
    def upload(self) -> dict[str, Any]:
        """``filename``, ``data``, ``authorship`` and ``model`` of a valid form."""
        return {**super().upload, **{name: self.cleaned_data[name] for name in ("authorship", "model")}}


class VersionForm(DeclaredForm):
    """Another file of a bot, and what changed."""

    field_order = ("file", "message")

    message = forms.CharField(
        label=_("What changed"),
        required=False,
        max_length=MESSAGE_MOST,
        validators=[validate_printable],
        help_text=_("One line, shown to you in the list of versions."),
    )

    def __init__(self, *args: Any, author: AbstractUser, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.limit_to(upload_limits_of(author))

    @property
    def upload(self) -> dict[str, Any]:
        """What a valid form says of the version."""
        return {**super().upload, "message": self.cleaned_data["message"]}


class BotForm(forms.ModelForm):  # type: ignore[type-arg]  # no parameters at run time
    """Name and line of a bot, who may enter and challenge it, and who reads its notes."""

    class Meta:
        model = Bot
        fields: tuple[str, ...] = ("name", "blurb", "organisers_may_enter", "challenged_by", "notes_shown")
        widgets = {"name": forms.TextInput(attrs={"autocomplete": "off"})}
        help_texts = {
            "name": _("Shown everywhere. You may change it later."),
            "organisers_may_enter": _(
                "In their tournaments. You get a notice each time, and may withdraw the bot until the start."
            ),
            "challenged_by": _(
                "A challenge is one private match against another author's bot, never rated. You and its author see the"
                " games and the result."
            ),
            "notes_shown": _(
                "Notes, marks and values of all its games, past ones too, are shown in replays to those who may watch"
                " them. Otherwise only you and those who run the match see them."
            ),
        }


def _teams_of(person: AbstractUser) -> Iterable[Team]:
    return teams_of(person) if is_in_teams(person) else ()


def _team_choice(team: Team) -> tuple[str, AbstractUser, str]:
    return str(team.pk), team.account, gettext("team %(name)s") % {"name": team.name}


class NewBotForm(BotForm, DeclaredForm):
    """A bot and its first file in one go."""

    field_order = ("owner", "name", "game", "blurb", "file", "authorship", "model")
    owner = forms.ChoiceField(label=_("For"), required=False)
    game = forms.ChoiceField(label=_("Game"), choices=game_choices)

    class Meta(BotForm.Meta):
        fields = ("name", "game", "blurb")

    def __init__(self, *args: Any, author: AbstractUser, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.limit_to(upload_limits_of(author))
        self._authors: dict[str, dict[str, Any]] = {"": {"owner": author}}
        named = {"": gettext("me")}
        for key, account, label in [("", author, named[""]), *map(_team_choice, _teams_of(author))]:
            self._authors[key], named[key] = {"owner": account}, label
            for one in author_aliases(account.pk) if is_in_groups(author) else ():
                under = f"{key}@{one.group.slug}"
                self._authors[under] = {"owner": account, "alias": one}
                values = {"alias": one.name, "author": label, "group": one.group.name}
                named[under] = gettext("%(author)s, as %(alias)s in %(group)s") % values
        if len(named) > 1:
            self.fields["owner"].choices = list(named.items())  # type: ignore[attr-defined]
        else:
            del self.fields["owner"]
        if any("@" in key for key in named):
            self.fields["owner"].help_text = gettext(
                "With an alias, nobody but you and the group's owners and staff sees whose bot it is, and it plays in"
                " the group's events only. This cannot be changed later."
            )

    @property
    def author(self) -> dict[str, Any]:
        """``owner``: the account whose bot it is, the person's or a team's; ``alias`` where it has one."""
        return self._authors[self.cleaned_data.get("owner", "")]

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
