"""Forms of authors: a bot with its first file, another file, the settings of a bot, and deletion."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib.auth.models import AbstractUser
from django.db.models import QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from bots.aliases import author_aliases
from bots.authorship import MODEL_HELP, MODEL_MOST, Authorship, authorship_check
from bots.models import MESSAGE_MOST, Bot, validate_printable
from bots.selectors import bot_upload_limits_of
from bots.upload_errors import BusyError, UploadError
from bots.uploads import UploadLimits, upload_bytes
from games.catalogue import GAMES
from groups.selectors import is_in_groups
from teams.models import Team
from teams.selectors import is_in_any_team, teams_of
from web.templatetags.numbers import bytes_shown


def bot_game_choices() -> list[tuple[str, str]]:
    """Return the games for which bots can be written, as choices."""
    return [(name, gettext(game.current.title)) for name, game in GAMES.items()]


class DropInput(forms.FileInput):
    """A file input in a ``<file-drop>``. Without JavaScript it is a plain input."""

    template_name = "bots/drop_input.html"
    largest = 0  # bytes of the largest file that is accepted

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        context["widget"]["largest"] = self.largest
        return context


class UploadForm(forms.Form):
    """A form with a file. Once it is valid, ``upload`` has the content."""

    file = forms.FileField(
        label=_("File"),
        widget=DropInput(attrs={"accept": ".py,.zip"}),
    )
    limits: UploadLimits

    def limit_to(self, limits: UploadLimits) -> None:
        """Accept files within ``limits``, and show the limits."""
        self.limits = limits
        field: Any = self.fields["file"]
        field.widget.largest = limits.upload
        field.help_text = gettext(
            "One .py file (up to {source}), or a .zip with bot.py at its root (up to {zip})."
        ).format(source=bytes_shown(limits.source), zip=bytes_shown(limits.zip))

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        try:
            self.data_read = upload_bytes(file, self.limits)
        except UploadError as error:
            raise forms.ValidationError(error.message, code=error.code) from error
        return file

    wait = 0  # seconds after which a rejected but valid upload may be repeated

    def refuse(self, error: UploadError) -> None:
        """Show under the file why it was rejected."""
        self.add_error("file", error.message)
        if isinstance(error, BusyError):
            self.wait = error.wait

    @property
    def upload(self) -> dict[str, Any]:
        """``filename`` and ``data``, once the form is valid."""
        return {"filename": self.cleaned_data["file"].name, "data": self.data_read}


class DeclaredForm(UploadForm):
    """A file, and how it was written."""

    authorship = forms.ChoiceField(
        label=_("How it was written"),
        required=False,
        choices=[("", _("not specified")), *Authorship.choices],
        help_text=_("Shown on the bot's page and on ladders, unless it is not specified."),
    )
    model = forms.CharField(
        label=_("Model"), required=False, max_length=MODEL_MOST, validators=[validate_printable], help_text=MODEL_HELP
    )

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        authorship_check(self.cleaned_data.get("authorship", ""), self.cleaned_data.get("model", ""))
        return cleaned

    @property
    def upload(self) -> dict[str, Any]:
        """``filename``, ``data``, ``authorship`` and ``model``, once the form is valid."""
        return {**super().upload, **{name: self.cleaned_data[name] for name in ("authorship", "model")}}


class VersionForm(DeclaredForm):
    """A new version of a bot, and what changed."""

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
        self.limit_to(bot_upload_limits_of(author))

    @property
    def upload(self) -> dict[str, Any]:
        """The arguments for the version, once the form is valid."""
        return {**super().upload, "message": self.cleaned_data["message"]}


class BotForm(forms.ModelForm):  # type: ignore[type-arg]  # no parameters at run time
    """The name and description of a bot, who may enter and challenge it, and who reads its notes."""

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
    return teams_of(person) if is_in_any_team(person) else ()


def _team_choice(team: Team) -> tuple[str, AbstractUser, str]:
    return str(team.pk), team.account, gettext("team %(name)s") % {"name": team.name}


class NewBotForm(BotForm, DeclaredForm):
    """A bot and its first file."""

    field_order = ("owner", "name", "game", "blurb", "file", "authorship", "model")
    owner = forms.ChoiceField(label=_("For"), required=False)
    game = forms.ChoiceField(label=_("Game"), choices=bot_game_choices)

    class Meta(BotForm.Meta):
        fields = ("name", "game", "blurb")

    def __init__(self, *args: Any, author: AbstractUser, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.limit_to(bot_upload_limits_of(author))
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
        """``owner``, the account of the person or team that will own the bot, and ``alias`` if it has one."""
        return self._authors[self.cleaned_data.get("owner", "")]

    def described(self) -> dict[str, Any]:
        """Return the values about the bot, once the form is valid."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields}


def house_bots_field(bots: QuerySet[Bot]) -> Any:
    """Return the optional field of a form to enter bots in which organisers tick house bots."""
    ticks = forms.CheckboxSelectMultiple({"class": "ticks"})
    return forms.ModelMultipleChoiceField(bots, label=_("House bots"), required=False, widget=ticks)


class DeleteForm(forms.Form):
    """Confirms a deletion by typing the name."""

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
