"""Prepared files: register kinds, order files, and make the next one in a worker.

The state is in the database: a row waits, is made by one worker, and is ready. Every write of a worker requires its
``attempt``, so that a worker that lost its lease writes nothing, wherever it was stopped. One file is made at a time.
"""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from time import monotonic
from typing import Any, Final, TypeAlias

from celery import current_app
from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError

from web.database import database_after, database_now
from web.errors import Refusal
from web.models import PreparedFile, PreparedPiece, PreparedState

logger = logging.getLogger(__name__)

PLACES: Final = 2  # files of one user that may wait
WAITING_MOST: Final = 50  # files that may wait, of all users
LEASE: Final = timedelta(minutes=1)
BEAT: Final = 5.0  # seconds between two renewals of the lease
BROKEN_MOST: Final = 3  # workers that may be lost while making a file; then it fails
PIECE: Final = 2**18  # bytes of a piece, roughly
FILE_BYTES_MOST: Final = 2**30
STORED_BYTES_MOST: Final = 2**31  # bytes of all files together; the least recently used files are deleted first
STORED_MOST: Final = 200  # files
UNUSED_FOR: Final = timedelta(days=1)
FAILED_FOR: Final = timedelta(minutes=10)  # after this a failed file may be ordered again
USED_EVERY: Final = timedelta(hours=1)  # how often `used_at` is written at most


class QueueFull(Refusal):
    """Too many files are queued, for this user or in total."""

    code = "queue_full"
    status = 429
    wait = 30


class PreparingEnds(Exception):
    """The worker must stop making the file."""


def prepared_file_order(*, kind: str, subject: int, name: str, by: Any, ordered: Callable[[], None]) -> PreparedFile:
    """Order a file, and return it.

    If the file is missing or out of date, it is queued, and counts against the limit of the user ``by``. ``ordered`` is
    called before that. If ``ordered`` raises an error, nothing is queued.

    Raises:
        QueueFull: too many files are queued.
    """
    revision = KINDS[kind].revision(subject) or ""
    which = {"kind": kind, "subject": subject, "name": name}
    found = PreparedFile.objects.filter(**which).first()
    if found is not None and found.revision == revision:
        return found
    ordered()
    with transaction.atomic():
        # This lock keeps concurrent requests from exceeding the limit.
        get_user_model().objects.select_for_update().get(pk=by.pk)
        queue = PreparedFile.objects.filter(state__in=(PreparedState.WAITING, PreparedState.MAKING))
        if queue.filter(asked_by=by).exclude(**which).count() >= PLACES:
            raise QueueFull(_("Two files are being prepared for you. Wait until one is ready."))
        if queue.count() >= WAITING_MOST:
            raise QueueFull(_("Many files are being prepared. Try again in a minute."))
        fresh = {"revision": revision, "asked_by": by, "asked_at": Now(), "used_at": Now()}
        if found is not None:
            same = PreparedFile.objects.filter(pk=found.pk, revision=found.revision, state=found.state)
            same.update(
                **fresh,
                state=PreparedState.WAITING,
                attempt=F("attempt") + 1,
                broken=0,
                leased_until=None,
            )
        PreparedFile.objects.get_or_create(**which, defaults=fresh)  # the row may have been deleted since it was found
        transaction.on_commit(prepared_files_wake, robust=True)
    row: PreparedFile = PreparedFile.objects.get(**which)
    return row


def prepared_file(kind: str, subject: int, name: str) -> PreparedFile | None:
    """Return the file in any state; None if it was not ordered or is out of date."""
    found = PreparedFile.objects.filter(kind=kind, subject=subject, name=name).first()
    return found if found and found.revision == (KINDS[kind].revision(subject) or "") else None


def prepared_file_use(*, file: PreparedFile) -> Iterator[bytes]:
    """Return the pieces of a ready file, and record its use.

    If the file is deleted during the download, the pieces end early, and the reader gets fewer bytes than announced.
    """
    if file.used_at < timezone.now() - USED_EVERY:
        PreparedFile.objects.filter(pk=file.pk).update(used_at=database_now())
    return prepared_file_pieces(file)


def prepared_file_pieces(file: PreparedFile) -> Iterator[bytes]:
    for number in range(file.pieces):
        piece = PreparedPiece.objects.filter(file=file.pk, file__attempt=file.attempt, number=number)
        data = piece.values_list("data", flat=True).first()
        if data is None:
            logger.warning("the file %s was dropped while it was sent", file)
            return
        yield bytes(data)


def prepared_file_make_next(*, stopping: Callable[[], bool]) -> bool:
    """Make the file that has waited longest. Return True if it is ready: then call this again, because more files may
    wait.

    If ``stopping`` interrupts it or the worker dies, the file is made from the start later. If making it raises an
    error, the file fails.
    """
    prepared_file_leases_return()
    file = None if stopping() else _claimed()
    if file is None:
        return False
    held = PreparedFile.objects.filter(pk=file.pk, attempt=file.attempt, state=PreparedState.MAKING)
    try:
        _make(file, held, stopping)
        return True
    except PreparingEnds:
        held.update(state=PreparedState.WAITING, leased_until=None)
    except Exception:  # such as an error in a package, a full disk, a missing library
        logger.exception("the file %s could not be made", file)
        held.update(state=PreparedState.FAILED, leased_until=None, made_at=database_now())
        PreparedPiece.objects.filter(file=file.pk, file__state=PreparedState.FAILED).delete()
    return False


def prepared_files_tend() -> None:
    """Queue files with expired leases again, delete files that are unused, failed, out of date or too many, and wake a
    worker.

    Run it every minute.
    """
    prepared_file_leases_return()
    failed = Q(state=PreparedState.FAILED, made_at__lt=database_after(-FAILED_FOR))
    unused = Q(state=PreparedState.READY, used_at__lt=database_after(-UNUSED_FOR))
    _drop(failed | unused)
    for file in PreparedFile.objects.filter(state__in=(PreparedState.READY, PreparedState.FAILED)):
        kind = KINDS.get(file.kind)
        if kind is None or kind.revision(file.subject) != file.revision:
            _drop(Q(pk=file.pk, attempt=file.attempt, revision=file.revision))
    room, left = STORED_BYTES_MOST, STORED_MOST
    ready = PreparedFile.objects.filter(state=PreparedState.READY).order_by("-used_at", "-pk")
    for pk, size in list(ready.values_list("pk", "size")):
        room, left = room - size, left - 1
        if room < 0 or left < 0:
            _drop(Q(pk=pk, state=PreparedState.READY))
    if PreparedFile.objects.filter(state=PreparedState.WAITING).exists():
        prepared_files_wake()


def _drop(which: Q) -> None:
    """Delete the files that fulfil ``which``. They are locked, because somebody may order one of them meanwhile."""
    with transaction.atomic():
        locked = PreparedFile.objects.select_for_update().filter(which).order_by("pk")
        PreparedFile.objects.filter(pk__in=list(locked.values_list("pk", flat=True))).delete()


def prepared_file_leases_return() -> int:
    """Queue files again whose lease has expired. A file that has lost ``BROKEN_MOST`` workers fails.

    Return how many were queued again and how many failed, together.
    """
    lost = PreparedFile.objects.filter(state=PreparedState.MAKING, leased_until__lt=database_now())
    ended = {"leased_until": None, "attempt": F("attempt") + 1, "broken": F("broken") + 1}
    given_up = lost.filter(broken__gte=BROKEN_MOST - 1).update(
        **ended, state=PreparedState.FAILED, made_at=database_now()
    )
    return int(given_up + lost.update(**ended, state=PreparedState.WAITING))


def _claimed() -> PreparedFile | None:
    """Claim the file that has waited longest. Return None if none waits or another one is being made."""
    queue = PreparedFile.objects.filter(state=PreparedState.WAITING).order_by("asked_at", "pk")
    while (file := queue.first()) is not None:
        waits = PreparedFile.objects.filter(pk=file.pk, attempt=file.attempt, state=PreparedState.WAITING)
        kind = KINDS.get(file.kind)
        revision = kind.revision(file.subject) if kind else None
        if revision is None:
            _drop(Q(pk=file.pk, attempt=file.attempt, state=PreparedState.WAITING))
            continue
        try:
            with transaction.atomic():
                taken = waits.update(
                    state=PreparedState.MAKING,
                    attempt=F("attempt") + 1,
                    revision=revision,
                    leased_until=database_after(LEASE),
                    size=0,
                    pieces=0,
                    made_at=None,
                )
        except IntegrityError:  # another file is being made
            return None
        if taken:
            file.attempt, file.revision = file.attempt + 1, revision
            PreparedPiece.objects.filter(file=file.pk).delete()
            return file
    return None


def _make(file: PreparedFile, held: QuerySet[PreparedFile], stopping: Callable[[], bool]) -> None:
    beaten = monotonic()

    def beat() -> None:
        nonlocal beaten
        if stopping():
            raise PreparingEnds
        if monotonic() - beaten >= BEAT:
            beaten = monotonic()
            if not held.update(leased_until=database_after(LEASE)):
                raise PreparingEnds

    waiting, number, size = bytearray(), 0, 0

    def write() -> None:
        nonlocal number, size
        size += len(waiting)
        if size > FILE_BYTES_MOST:
            raise ValueError(f"more than {FILE_BYTES_MOST} bytes")
        with transaction.atomic():
            if not held.update(leased_until=database_after(LEASE), size=size, pieces=number + 1):
                raise PreparingEnds
            PreparedPiece.objects.create(file_id=file.pk, number=number, data=bytes(waiting))
        number += 1
        waiting.clear()

    for data in KINDS[file.kind].make(file.subject, file.name, beat):
        beat()
        waiting += data
        if len(waiting) >= PIECE:
            write()
    if waiting:
        write()
    if not held.update(state=PreparedState.READY, leased_until=None, made_at=database_now(), used_at=database_now()):
        raise PreparingEnds


def prepared_files_wake() -> None:
    """Wake a worker by a message. If the message is lost, ``prepared_files_tend`` sends another."""
    try:
        for task in WORKER_TASKS:
            current_app.send_task(task, expires=int(LEASE.total_seconds()))
    except (OperationalError, OSError):
        logger.exception("the broker is unavailable; files are prepared later")


Beat: TypeAlias = Callable[[], None]


@dataclass(frozen=True, slots=True)
class PreparedKind:
    """A kind of files.

    ``revision`` returns a digest of the data of a subject, or None if there is no file; it takes a query or two.
    ``make`` yields the file ``name`` of a subject. It calls ``beat`` every few seconds, and must not catch what that
    raises.
    """

    revision: Callable[[int], str | None]
    make: Callable[[int, str, Beat], Iterator[bytes]]


KINDS: Final[dict[str, PreparedKind]] = {}
WORKER_TASKS: Final[set[str]] = set()


def prepared_register(kind: str, prepared: PreparedKind) -> None:
    """Register a kind of files. Apps call this for each of their kinds when they start."""
    KINDS[kind] = prepared


def prepared_worker_register(task: str) -> None:
    """Register the Celery task that makes files with ``prepared_file_make_next``.

    The app whose workers run it calls this when it starts, because it knows when a worker must stop.
    """
    WORKER_TASKS.add(task)


def prepared_file_revision(*facts: Any) -> str:
    """Return a digest of the data of a file."""
    return sha256(repr(facts).encode()).hexdigest()
