"""What devices are to be sent: a row for each notice and device, written in the transaction of the notice."""

import logging
from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from typing import Final

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

from notices.models import Notice, PushDelivery, PushSubscription

logger = logging.getLogger(__name__)

PUSH_TASK: Final = "notices.push"
AT_ONCE: Final = 1000  # rows that are written in one statement


def pushes_schedule() -> None:
    """Wake the sending task. A lost message costs a minute: then the periodic task sends."""
    try:
        current_app.send_task(PUSH_TASK, expires=60)
    except (OperationalError, OSError):
        logger.exception("the broker took no message; devices get notices later")


def pushes_write(*, notices: Collection[Notice], since: datetime) -> None:
    """Write what each device of their people is to be sent, once. ``notices`` were written a moment ago, without
    learning their primary keys; what was there before ``since`` was written with its own.
    """
    devices = defaultdict[int, list[int]](list)
    people = {one.person_id for one in notices}
    for person, device in PushSubscription.objects.filter(person__in=people).values_list("person", "pk"):
        devices[person].append(device)
    events = {(one.person_id, one.event) for one in notices if one.person_id in devices}
    if not events:
        return
    written = Notice.objects.filter(person__in=devices, event__in={event for _person, event in events})
    rows = [
        PushDelivery(subscription_id=device, notice_id=pk, due_at=since)
        for pk, person, event in written.filter(created_at__gte=since).values_list("pk", "person", "event")
        if (person, event) in events
        for device in devices[person]
    ]
    PushDelivery.objects.bulk_create(rows, batch_size=AT_ONCE, ignore_conflicts=True)
    transaction.on_commit(pushes_schedule)
