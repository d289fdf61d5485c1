"""The events about who may organise, for webhooks and notices: a request to staff, and staff's decision."""

from collections.abc import Mapping
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from hooks.kinds import KindSection, hook_kind_register
from hooks.services import Event
from notices.models import EmailRate
from notices.services import notice_events_publish
from web.email import email_link_to

REQUESTED: Final = "organiser.requested"
DECIDED: Final = "organiser.decided"
DECISION_PERMISSION: Final = "accounts.change_user"  # the permission of staff who decide


class RequestedDataSerializer(serializers.Serializer[Any]):
    """A request to become an organiser, for staff. It does not name the person, who may be deleted later."""

    page = serializers.CharField()


class DecidedDataSerializer(serializers.Serializer[Any]):
    """Whether I may create tournaments and leagues."""

    is_organiser = serializers.BooleanField()
    has_asked = serializers.BooleanField(help_text="Whether this is the answer to my request.")
    page = serializers.CharField()


def organiser_events_register() -> None:
    """Register the event kinds."""
    hook_kind_register(
        REQUESTED,
        gettext_lazy("somebody asks to become an organiser (for staff)"),
        RequestedDataSerializer,
        lambda _data: _("Somebody asks to become an organiser."),
        email=EmailRate.DAILY,
        section=KindSection.ORGANISING,
    )
    hook_kind_register(
        DECIDED,
        gettext_lazy("staff has decided whether I may organise"),
        DecidedDataSerializer,
        _sentence,
        email=EmailRate.NOW,
        email_more=_decision_email_text,
        section=KindSection.ORGANISING,
    )


def organiser_request_event_publish(request_id: int) -> None:
    """Notify the staff who may decide on a request. Call it in the transaction that stores the request."""
    staff = get_user_model().objects.with_perm(DECISION_PERMISSION).filter(is_staff=True)
    data = {"page": email_link_to("admin:organisers_organiserrequest_change", request_id)}
    notice_events_publish(events=[Event(REQUESTED, set(staff.values_list("pk", flat=True)), data)])


def organiser_decision_event_publish(person_id: int, *, granted: bool, has_asked: bool) -> None:
    """Notify a person of the decision. Call it in the transaction that stores the decision."""
    data = {"is_organiser": granted, "has_asked": has_asked, "page": email_link_to("organisers:ask")}
    notice_events_publish(events=[Event(DECIDED, {person_id}, data)])


def _sentence(data: Mapping[str, Any]) -> str:
    if data["is_organiser"]:
        return _("You may organise tournaments and leagues.")
    if data["has_asked"]:
        return _("Your request to become an organiser was declined. After a week you may ask again.")
    return _("You are no longer an organiser. You still run the tournaments and leagues that you have created.")


def _decision_email_text(data: Mapping[str, Any]) -> str:
    if not data["is_organiser"]:
        return ""
    links = {"tournaments": email_link_to("tournaments:create"), "leagues": email_link_to("leagues:create")}
    return _("Create a tournament on %(tournaments)s or a league on %(leagues)s.") % links
