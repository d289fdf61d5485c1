"""Tables of the API's stored answers and of snapshots."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class KeptAnswer(models.Model):
    """The answer to a POST that named itself by a key; without ``status`` while it is being made, or if that broke off.

    ``digest``: SHA-256 of what was asked, hexadecimal. ``body``: JSON.
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

    ``revision``: of the topic, read before the data. ``made_at``: when the computation began, by the database's clock.
    ``refresh_at``: when the next one may begin. ``payload``: MessagePack,
    compressed by zlib.
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
    """waiting -> making -> ready | failed; making -> waiting, if the worker ended or is to end. A ready or failed file
    that is asked for when it is another one waits again."""

    WAITING = "waiting"
    MAKING = "making"
    READY = "ready"
    FAILED = "failed"


class PreparedFile(models.Model):
    """A download that a worker makes once for all who may have it: ``name`` of a ``subject``, such as a tournament, of
    a ``kind``; see ``web.prepared``.

    ``revision``: of what it is made of. ``asked_by``: whose place in the queue it takes. ``attempt`` counts who made
    it; ``leased_until``: then another may; ``broken``: how often that was so. ``size`` in bytes, of so many ``pieces``.
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
    """A piece of a prepared file; they are numbered from 0."""

    file = models.ForeignKey(PreparedFile, models.CASCADE, related_name="+", db_index=False)
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint("file", "number", name="prepared_piece_once_per_number")]
