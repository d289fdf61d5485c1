"""Send waiting deliveries: many POST requests at once, but only a few at once for the hooks of one person.

The requests run in an event loop in its own thread; this thread reads and writes the database. Deliveries are claimed
for a limited time by the database's clock. If the process is killed, its deliveries are due again when their claims
expire. So a delivery is sent once or more often, each time with the same id.
"""

import asyncio
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Coroutine, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, TypeVar

from django.db import transaction
from django.db.models import Count, F, Min, Q, QuerySet
from django.utils import timezone

from hooks.hook_events import hook_paused_event_publish
from hooks.http_post import SECONDS, Unsent, hook_post
from hooks.messages import hook_message_headers_signed
from hooks.models import Delivery, DeliveryState, Hook, PausedBecause
from hooks.services import hook_deliveries_schedule, hook_pause
from web.database import database_after, database_now, database_persistent

logger = logging.getLogger(__name__)
SLOTS: Final = 32  # requests that are sent at once
ON_FOR: Final = 30.0  # seconds after which the task ends, so that the pool may use its process for others

Claim = TypeVar("Claim")


def deliveries_send_concurrently(
    *,
    claim: Callable[[int], Collection[Claim]],
    send: Callable[[Claim], Coroutine[Any, Any, int]],
    note: Callable[[Claim, int | None, str], bool],
    on_for: float,
) -> int:
    """Send what ``claim`` returns, until it returns nothing or ``on_for`` seconds are over. Return the number of
    outcomes that were written.

    ``claim(slots)`` returns at most ``slots`` claims. ``send(claim)`` returns the status code of the response, or
    raises ``Unsent``. ``note(claim, status, problem)`` writes the outcome, and returns whether it was written; if there
    was no response, ``status`` is None and ``problem`` is a code. Requests that are under way after ``on_for`` seconds
    are finished.
    """
    until, written = time.monotonic() + on_for, 0
    under_way: dict[Future[int], Claim] = {}
    with _loop() as loop:
        while True:
            if time.monotonic() < until and len(under_way) < SLOTS:
                for one in claim(SLOTS - len(under_way)):
                    under_way[asyncio.run_coroutine_threadsafe(send(one), loop)] = one
            if not under_way:
                break
            done, _going_on = wait(under_way, timeout=0.5, return_when=FIRST_COMPLETED)
            for sent in done:
                one = under_way.pop(sent)
                written += note(one, *_outcome(sent, one))
    return written


def _outcome(sent: "Future[int]", claimed: object) -> tuple[int | None, str]:
    try:
        return sent.result(), ""
    except Unsent as error:
        return None, error.problem
    except Exception:  # an error in our code: the delivery is tried again, as after an error of the receiver
        logger.exception("%s could not be sent", claimed)
        return None, "ours"


@contextmanager
def _loop() -> Iterator[asyncio.AbstractEventLoop]:
    """Run an event loop in its own thread, because this thread uses the database.

    Host names are resolved in a pool of threads that may outlive the loop. The pool has twice as many threads as there
    are requests at once. So even if as many look-ups hang, all requests have a thread.
    """
    loop = asyncio.new_event_loop()
    names = ThreadPoolExecutor(2 * SLOTS, "names")
    loop.set_default_executor(names)
    thread = threading.Thread(target=loop.run_forever, name="webhooks", daemon=True)
    thread.start()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        names.shutdown(wait=False, cancel_futures=True)
        loop._default_executor = None  # type: ignore[attr-defined]
        loop.close()


SLOTS_OF_ONE: Final = 4  # requests that are sent at once for one person
CLAIM: Final = timedelta(seconds=3 * SECONDS)
RETRIES: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 480))
GONE: Final = 410


@dataclass(frozen=True, slots=True)
class Claimed:
    """A delivery that was claimed for sending. ``claim`` is the number of the claim."""

    delivery: Delivery
    claim: int


def hook_deliveries_send_due(*, on_for: float = ON_FOR) -> int:
    """Send due deliveries until none is due, or ``on_for`` seconds are over. Return how many outcomes were written."""
    until = time.monotonic() + on_for
    written = deliveries_send_concurrently(
        claim=lambda most: hook_deliveries_claim(most=most),
        send=lambda one: _send(one.delivery),
        note=lambda one, status, problem: hook_sending_attempt_note(claimed=one, status=status, problem=problem),
        on_for=on_for,
    )
    if time.monotonic() >= until and _due().exists():
        hook_deliveries_schedule()
    return written


@database_persistent
def hook_deliveries_claim(*, most: int) -> list[Claimed]:
    """Claim at most ``most`` due deliveries, beginning with the oldest of each person.

    At most ``SLOTS_OF_ONE`` deliveries of a person are claimed at once. Deliveries that are being sent are included.
    """
    claimed: list[Claimed] = []
    with transaction.atomic():
        owners = _due().values_list("hook__owner").annotate(first=Min("due_at")).order_by("first")[:most]
        sending = Delivery.objects.filter(state=DeliveryState.WAITING, claimed_until_at__gt=database_now())
        held = Counter(dict(sending.order_by().values_list("hook__owner").annotate(Count("pk"))))
        queues = {
            owner: list(
                _due()
                .filter(hook__owner=owner)
                .select_related("hook")
                .order_by("due_at", "pk")[: max(0, SLOTS_OF_ONE - held[owner])]
            )
            for owner, _first in owners
        }
        for place in range(SLOTS_OF_ONE):
            for queue in queues.values():
                if place < len(queue) and len(claimed) < most and (one := _claim(queue[place])):
                    claimed.append(one)
    return claimed


def _due() -> QuerySet[Delivery]:
    free = Q(claimed_until_at=None) | Q(claimed_until_at__lte=database_now())
    active = Q(hook__paused_because=PausedBecause.NOT, hook__owner__is_active=True)
    return Delivery.objects.filter(free, active, state=DeliveryState.WAITING, due_at__lte=database_now())


def _claim(delivery: Delivery) -> Claimed | None:
    mine = Delivery.objects.filter(pk=delivery.pk, state=DeliveryState.WAITING, claims=delivery.claims)
    if mine.update(claims=F("claims") + 1, claimed_until_at=database_after(CLAIM)):
        return Claimed(delivery, delivery.claims + 1)
    return None


async def _send(delivery: Delivery) -> int:
    hook, body = delivery.hook, delivery.body.encode()
    now = timezone.now()
    salts = [hook.salt]
    if hook.old_salt_until_at is not None and now < hook.old_salt_until_at:
        salts.append(hook.old_salt)
    return await hook_post(
        hook.url, hook_message_headers_signed(salts, str(delivery), int(now.timestamp()), body), body
    )


@database_persistent
def hook_sending_attempt_note(*, claimed: Claimed, status: int | None, problem: str) -> bool:
    """Write the outcome of an attempt: delivered, to be tried again later, or failed, which pauses the hook.

    Return False, and change nothing, if the claim was lost.
    """
    delivery = claimed.delivery
    last = {"delivery_id": delivery.pk, "claim": claimed.claim, "status_code": status, "problem": problem}
    if status is not None and 200 <= status < 300:
        return hook_delivery_close(state=DeliveryState.DELIVERED, **last)  # type: ignore[arg-type]  # by name
    if delivery.tries < len(RETRIES) and status != GONE:
        held = Delivery.objects.filter(pk=delivery.pk, state=DeliveryState.WAITING, claims=claimed.claim)
        return bool(
            held.exclude(claimed_until_at=None).update(
                due_at=database_after(RETRIES[delivery.tries]),
                claimed_until_at=None,
                tries=F("tries") + 1,
                status_code=status,
                problem=problem,
            )
        )
    with transaction.atomic():
        if not hook_delivery_close(state=DeliveryState.FAILED, **last):  # type: ignore[arg-type]
            return False
        because = PausedBecause.GONE if status == GONE else PausedBecause.FAILING
        if hook_pause(hook_id=delivery.hook_id, because=because):
            hook_paused_event_publish(Hook.objects.get(pk=delivery.hook_id))
    return True


def hook_delivery_close(
    *, delivery_id: int, claim: int, state: DeliveryState, status_code: int | None, problem: str
) -> bool:
    """Record how a delivery ended. Return False, and change nothing, if ``claim`` does not hold the delivery."""
    held = Delivery.objects.filter(pk=delivery_id, state=DeliveryState.WAITING, claims=claim)
    return bool(
        held.exclude(claimed_until_at=None).update(
            state=state,
            ended_at=database_now(),
            claimed_until_at=None,
            tries=F("tries") + 1,
            status_code=status_code,
            problem=problem,
        )
    )
