"""The terms of a contest in the API. A request is converted to the data of the organiser's form, which checks it."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail
from rest_framework.request import Request

from contests.game_settings_form import LIMIT_LABELS, TermsForm
from games.protocol import MIB, SECONDS
from games.ruleset import OptionError
from web.api_examples import api_example_shown
from web.api_view import OneOf
from web.serializers import GAME_CHOICES


class Strict(serializers.Serializer[Any]):
    """Reject unknown fields: a misspelt one would otherwise be ignored."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            known = ", ".join(self.fields)
            sentence = _("There is no such field. The fields are: %(known)s.") % {"known": known}
            unknown = [str(name)[:40] for name in data if name not in self.fields]
            if unknown:
                raise serializers.ValidationError(
                    {name: [ErrorDetail(sentence, "unknown_field")] for name in unknown[:10]}
                )
        return super().to_internal_value(data)


class LimitsSerializer(Strict):
    """Limits of bots, in seconds and bytes. Memory must be whole MiB."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {
            name: (serializers.FloatField if name in SECONDS else serializers.IntegerField)(required=False)
            for name in LIMIT_LABELS
        }


@api_example_shown(
    name="Harvest Cup", description="A cup for my class.", players_per_table=2, options={}, limits={"act_cpu": 0.1}
)
class TermsSerializer(Strict):
    """The terms of a contest's matches. Missing fields keep their value, or get the default of the form."""

    name = serializers.CharField(max_length=80, required=False)
    description = serializers.CharField(max_length=2000, required=False, allow_blank=True)
    game = OneOf(choices=GAME_CHOICES, required=False)
    players_per_table = serializers.IntegerField(required=False)
    options = serializers.DictField(required=False, help_text="Options of the game by name; see `games/NAME/`.")
    limits = LimitsSerializer(required=False)
    blocks = serializers.IntegerField(required=False, help_text="The largest number of seeds for a match.")


def terms_request_values(request: Request, serializer: type[TermsSerializer]) -> dict[str, Any]:
    """Return the values of a request after checking their types.

    Raises:
        ValidationError: a field is unknown or has the wrong type.
    """
    given = serializer(data=request.data)
    given.is_valid(raise_exception=True)
    return dict(given.validated_data)


def terms_form_data(shown: forms.Form, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data that a browser would send: the values of the form ``shown``, updated by ``asked``.

    Raises:
        ValidationError: the game has no such option, or does not allow the value.
    """
    data = {name: value for name in shown.fields if (value := shown[name].value()) is not None}
    data |= {name: value for name, value in asked.items() if name not in ("options", "limits")}
    if isinstance(shown, TermsForm):
        data |= _options(shown, asked.get("options", {}))
    for name, value in asked.get("limits", {}).items():
        in_mib = value // MIB if value % MIB == 0 else value / MIB  # the form accepts only whole MiB
        data[f"limit_{name}"] = in_mib if name == "memory" else value
    return data


def terms_form_require_valid(form: forms.Form) -> None:
    """Require that the form is valid.

    Raises:
        ValidationError: all errors, by the names of the fields in the API.
    """
    if form.is_valid():
        return
    found: dict[str, list[ErrorDetail]] = {}
    for name, errors in form.errors.as_data().items():
        for error in errors:
            details = [ErrorDetail(message, error.code or "invalid") for message in error.messages]
            found.setdefault(_named(name), []).extend(details)
    raise serializers.ValidationError(found)


def _options(shown: TermsForm, options: Mapping[str, Any]) -> dict[str, str]:
    written = {}
    for name, value in options.items():
        option = shown.ruleset.options.get(name)
        if option is None:
            known = {"known": ", ".join(shown.ruleset.options)}
            sentence = _("This game has no such option. Its options are: %(known)s.") % known
            raise serializers.ValidationError({f"options.{name[:40]}": [ErrorDetail(sentence, "unknown_option")]})
        try:
            written[f"option_{name}"] = option.write(option.settle(name, value))
        except OptionError as error:
            raise serializers.ValidationError({f"options.{name}": [ErrorDetail(str(error), "invalid")]}) from error
    return written


def _named(field: str) -> str:
    """Return the name of a form's field in the API."""
    part, _dash, rest = field.partition("_")
    if part in ("option", "limit"):
        return f"{part}s.{rest}"
    if field.startswith("tie_break_"):
        return f"tie_breaks.{int(field.rpartition('_')[2]) - 1}"
    return "" if field == NON_FIELD_ERRORS else field
