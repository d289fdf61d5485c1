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
