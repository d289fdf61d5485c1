"""Requests to become an organiser, and decisions about them."""

from datetime import timedelta
from typing import Final

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from contests.hook_events import organiser_decision_event_publish, organiser_request_event_publish
from contests.models import OrganiserChange, OrganiserRequest
from contests.permissions import may_organise

ASK_AGAIN_AFTER: Final = timedelta(days=7)


class RequestRefused(Exception):
    """The request was rejected, and nothing was changed. The text says why."""


def organiser_ask(*, person: AbstractUser, reason: str) -> OrganiserRequest:
    """Request to become an organiser, and notify the staff who decide.

    Raises:
        RequestRefused: the person may organise already, has a waiting request, or was declined recently.
    """
    if may_organise(person):
        raise RequestRefused(_("You may create tournaments and leagues already."))
    recent = OrganiserRequest.objects.filter(
        person=person.pk, is_granted=False, decided_at__gt=timezone.now() - ASK_AGAIN_AFTER
    )
    if recent.exists():
        raise RequestRefused(_("Your last request was declined less than a week ago."))
    try:
        with transaction.atomic():
            request = OrganiserRequest.objects.create(person_id=person.pk, reason=reason)
            organiser_request_event_publish(request.pk)
            return request
    except IntegrityError:  # another request is waiting
        raise RequestRefused(_("You have asked already: staff has not decided yet.")) from None


def organiser_request_decide(*, request_id: int, granted: bool, by: AbstractUser) -> bool:
    """Grant or decline a waiting request, once, and notify the person. Return False if it was not waiting."""
    with transaction.atomic():
        waiting = OrganiserRequest.objects.filter(pk=request_id, decided_at__isnull=True)
        if not waiting.update(is_granted=granted, decided_at=timezone.now(), decided_by=by):
            return False
        person_id = OrganiserRequest.objects.values_list("person", flat=True).get(pk=request_id)
        if granted:
            _set(person_id, True, by)
        organiser_decision_event_publish(person_id, granted=granted, has_asked=True)
    return True


def organiser_set(*, person_id: int, organiser: bool, by: AbstractUser) -> bool:
    """Make a person an organiser, or revoke this. Return whether anything changed.

    If the person has a waiting request, it is granted too. After a revocation, the person can still manage the contests
    that exist already.
    """
    with transaction.atomic():
        if not _set(person_id, organiser, by):
            return False
        if organiser:
            waiting = OrganiserRequest.objects.filter(person=person_id, decided_at__isnull=True)
            waiting.update(is_granted=True, decided_at=timezone.now(), decided_by=by)
        organiser_decision_event_publish(person_id, granted=organiser, has_asked=False)
    return True


def _set(person_id: int, organiser: bool, by: AbstractUser) -> bool:
    people = get_user_model().objects.filter(pk=person_id, is_organiser=not organiser)
    if not people.update(is_organiser=organiser):
        return False
    OrganiserChange.objects.create(person_id=person_id, is_granted=organiser, by_id=by.pk)
    return True
