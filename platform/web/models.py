"""Tables of the API's stored answers and of snapshots."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class KeptAnswer(models.Model):
    """The stored response to a POST with an idempotency key.

    ``status`` is null while the request runs, or if it was interrupted. ``digest`` is the SHA-256 of the request in
    hexadecimal, ``body`` is JSON.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    key = models.CharField(max_length=255)
    digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    body = models.TextField(default="null")
    location = models.CharField(max_length=400, blank=True)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("user", "key", name="kept_answer_once_per_key"),
            models.CheckConstraint(
                condition=Q(status__isnull=True) | Q(status__range=(200, 299)), name="kept_answer_is_a_success"
            ),
        ]

    def __str__(self) -> str:
        return self.key


class Snapshot(models.Model):
    """A computed ``part`` of a ``topic``, such as the standings of a tournament; see ``web.snapshots``.

    ``revision`` is the revision of the topic, which was read before the data. ``made_at`` is the database's time when
    the computation began. ``refresh_at`` is the earliest time for the next computation. ``payload`` is MessagePack,
    compressed with zlib.
    """

    topic = models.CharField(max_length=60)  # "tournament.5"
    part = models.CharField(max_length=60)  # "standings.7"
    revision = models.PositiveBigIntegerField()
    made_at = models.DateTimeField(db_index=True)
    refresh_at = models.DateTimeField()
    payload = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["topic", "part"], name="snapshot_once_per_part")]

    def __str__(self) -> str:
        return f"{self.topic}/{self.part}"


class PreparedState(models.TextChoices):
    """Transitions:

    - waiting -> making -> ready | failed;
    - making -> waiting, if the worker died or has to stop;
    - ready | failed -> waiting, if the file is ordered and out of date.
    """

    WAITING = "waiting"
    MAKING = "making"
    READY = "ready"
    FAILED = "failed"


class PreparedFile(models.Model):
    """A download that a worker makes once for all readers; see ``web.prepared``.

    It is the file ``name`` about a ``subject``, such as a tournament; ``kind`` is the kind of the file. ``revision`` is
    a digest of its data. While it waits, it counts against the limit of the user ``asked_by``. ``attempt`` is the
    number of the worker's attempt, and ``leased_until`` the end of its lease; ``broken`` counts expired leases.
    ``size`` is in bytes; ``pieces`` is the number of pieces.
    """

    kind = models.CharField(max_length=40)
    subject = models.PositiveBigIntegerField()
    name = models.CharField(max_length=60)
    revision = models.CharField(max_length=64)
    state = models.CharField(max_length=10, choices=PreparedState.choices, default=PreparedState.WAITING)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    asked_at = models.DateTimeField(db_index=True)
    attempt = models.PositiveIntegerField(default=0)
    broken = models.PositiveSmallIntegerField(default=0)
    leased_until = models.DateTimeField(null=True)
    size = models.PositiveBigIntegerField(default=0)
    pieces = models.PositiveIntegerField(default=0)
    made_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint("kind", "subject", "name", name="prepared_file_once_per_name"),
            models.UniqueConstraint("state", condition=Q(state="making"), name="one_prepared_file_is_made_at_a_time"),
            models.CheckConstraint(condition=Q(state__in=PreparedState.values), name="prepared_file_state_known"),
            models.CheckConstraint(
                condition=Q(state="making", leased_until__isnull=False)
                | (~Q(state="making") & Q(leased_until__isnull=True)),
                name="prepared_file_is_leased_while_made",
            ),
            models.CheckConstraint(
                condition=~Q(state="ready") | Q(made_at__isnull=False, pieces__gte=1),
                name="prepared_file_ready_is_made",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind}/{self.subject}/{self.name}"


class PreparedPiece(models.Model):
    """A piece of a prepared file. Pieces are numbered from 0."""

    file = models.ForeignKey(PreparedFile, models.CASCADE, related_name="+", db_index=False)
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint("file", "number", name="prepared_piece_once_per_number")]
