"""Asking to become an organiser, and deciding on it."""

from datetime import timedelta
from typing import Final

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from contests.hook_events import decided_notify
from contests.models import OrganiserChange, OrganiserRequest
from contests.permissions import may_organise

ASK_AGAIN_AFTER: Final = timedelta(days=7)


class RequestRefused(Exception):
    """Nothing was changed; the text says why."""


def organiser_ask(*, person: AbstractUser, reason: str) -> OrganiserRequest:
    """Ask staff to be made an organiser.

    Raises:
        RequestRefused: there is nothing to ask for, or it was asked already.
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
            return OrganiserRequest.objects.create(person_id=person.pk, reason=reason)
    except IntegrityError:  # one is waiting
        raise RequestRefused(_("You have asked already: staff has not decided yet.")) from None


def request_decide(*, request_id: int, granted: bool, by: AbstractUser) -> bool:
    """Grant or decline a request that waits, once, and notify the person. Return whether it was done."""
    with transaction.atomic():
        waiting = OrganiserRequest.objects.filter(pk=request_id, decided_at__isnull=True)
        if not waiting.update(is_granted=granted, decided_at=timezone.now(), decided_by=by):
            return False
        person_id = OrganiserRequest.objects.values_list("person", flat=True).get(pk=request_id)
        if granted:
            _set(person_id, True, by)
        decided_notify(person_id, granted=granted, asked=True)
    return True


def organiser_set(*, person_id: int, organiser: bool, by: AbstractUser) -> bool:
    """Make a person an organiser, or end it; a request of theirs that waits is granted with it. Return whether
    anything changed; what they have created already stays theirs to run."""
    with transaction.atomic():
        if not _set(person_id, organiser, by):
            return False
        if organiser:
            waiting = OrganiserRequest.objects.filter(person=person_id, decided_at__isnull=True)
            waiting.update(is_granted=True, decided_at=timezone.now(), decided_by=by)
        decided_notify(person_id, granted=organiser, asked=False)
    return True


def _set(person_id: int, organiser: bool, by: AbstractUser) -> bool:
    people = get_user_model().objects.filter(pk=person_id, is_organiser=not organiser)
    if not people.update(is_organiser=organiser):
        return False
    OrganiserChange.objects.create(person_id=person_id, is_granted=organiser, by_id=by.pk)
    return True
