"""The part of an organiser's form that says who can see a contest."""

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import ErrorDetail, ValidationError

from contests.audience import OPENING, ContestAudience, Visitor, WithAudience, audience_groups_managed_by
from groups.models import Group

OF_GROUP: Final = "group:"  # prefix of a group's slug in the value of its choice


AUDIENCE_HELP: Final = "Who can see it: everyone, anyone with the link, or the members of a group."
GROUP_HELP: Final = "The group, by its address, where the audience is `group`; null for any other."


class AudienceField(forms.ChoiceField):
    """A choice field. Pages always send it. If a request does not send it, the audience is not changed."""

    def clean(self, value: Any) -> Any:
        return super().clean(value) if value else ""


class AudienceForm(forms.Form):
    """A form with an audience. It offers the groups of ``organiser``. For its value see ``audience_form_settings``.

    If the initial group is not offered, the form shows the choice for unlisted contests.
    """

    audience = AudienceField(
        label=_("Who can see it"),
        initial=ContestAudience.PUBLIC,
        help_text=_(
            "Anyone with the link: it is not in lists or search, but anyone with the link can see it; use a group for"
            " what must stay private. Once announced, it can only be opened to more people."
        ),
    )

    def __init__(self, *args: Any, organiser: Visitor | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        groups = audience_groups_managed_by(organiser) if organiser is not None else Group.objects.none()
        choices = {
            ContestAudience.PUBLIC.value: gettext("Everyone"),
            ContestAudience.UNLISTED.value: gettext("Anyone with the link"),
            **{f"{OF_GROUP}{one.slug}": gettext("Members of %(group)s") % {"group": one.name} for one in groups},
        }
        self.fields["audience"].choices = [*choices.items()]  # type: ignore[attr-defined]
        if organiser is not None and self.initial.get("audience", ContestAudience.PUBLIC) not in choices:
            # Otherwise browsers would select the first choice, which is everyone.
            self.initial = {**self.initial, "audience": ContestAudience.UNLISTED.value}

    def only_wider(self, contest: WithAudience) -> None:
        """Offer only the current audience of ``contest`` and wider audiences."""
        field: Any = self.fields["audience"]
        wider = OPENING[OPENING.index(ContestAudience(contest.audience)) + 1 :]
        if contest.group is not None:  # the organiser may no longer manage the group
            self.initial = {**self.initial, "audience": audience_value(contest)}
            now = audience_value(contest), gettext("Members of %(group)s") % {"group": contest.group.name}
            field.choices = [*(one for one in field.choices if one[0] in wider), now]
        else:
            field.choices = [one for one in field.choices if one[0] in (*wider, contest.audience)]


def audience_form_for_api(contest: WithAudience) -> dict[str, str | None]:
    """Return the audience of ``contest`` for the API."""
    return {"audience": str(contest.audience), "group": contest.group.slug if contest.group is not None else None}


def audience_value(contest: WithAudience) -> str:
    """Return the form's choice for the audience of ``contest``."""
    return f"{OF_GROUP}{contest.group.slug}" if contest.group is not None else str(contest.audience)


def audience_form_settings(value: str) -> dict[str, Any]:
    """Return the arguments of services for a choice; empty if ``value`` is empty."""
    if not value:
        return {}
    slug = value.removeprefix(OF_GROUP)
    if slug == value:
        return {"audience": ContestAudience(value), "group_id": None}
    return {"audience": ContestAudience.GROUP, "group_id": Group.objects.values_list("pk", flat=True).get(slug=slug)}


def audience_form_from_request(data: Mapping[str, Any]) -> dict[str, Any]:
    """Convert ``audience`` and ``group`` of an API request to the form's choice.

    Raises:
        ValidationError: there is a group, but the audience is not ``group``; or the reverse.
    """
    rest = {name: value for name, value in data.items() if name not in ("audience", "group")}
    audience, group = data.get("audience"), data.get("group")
    if audience is None and group is None:
        return rest
    if (audience or ContestAudience.GROUP) != ContestAudience.GROUP and not group:
        return rest | {"audience": audience}
    if not group or (audience or ContestAudience.GROUP) != ContestAudience.GROUP:
        sentence = gettext("Name a group exactly where the audience is “group”.")
        raise ValidationError({"group": [ErrorDetail(sentence, "invalid")]})
    return rest | {"audience": f"{OF_GROUP}{group}"}
