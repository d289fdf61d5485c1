"""The luck of a tournament: committed secrets, the entries, and the nonces that people added."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from bots.models import AUTHOR_ALIAS_MOST
from contests.models import Committed
from games.contest_luck import contest_luck_mixed, entries_digest


class LuckManager(models.Manager["Luck"]):
    """Does not load ``entries``. There may be thousands of them, and most queries need only their digest."""

    def get_queryset(self) -> models.QuerySet["Luck"]:
        return super().get_queryset().defer("entries")


class Luck(Committed):
    """The luck from which everything in an epoch of a tournament is drawn and played.

    An epoch lasts from ``started_at`` to the next re-opening of the tournament. The SHA-256 of ``secret`` is public as
    soon as entries are opened (or opened again). The secret itself is public once the epoch is over.

    ``entries`` has pairs: the number of an entry, and the SHA-256 of its package at ``frozen_at``. ``frozen_digest`` is
    the ``games.contest_luck.entries_digest`` of these pairs. Nonces are accepted between ``frozen_at`` and
    ``started_at``. In early releases, the luck was the secret alone; such an epoch has begun and was never frozen.
    """

    tournament = models.ForeignKey("tournaments.Tournament", models.CASCADE, related_name="lucks")
    number = models.PositiveSmallIntegerField(default=1)
    entries = models.JSONField(null=True, blank=True)
    frozen_digest = models.CharField(max_length=64, blank=True, default="", db_default="")
    created_at = models.DateTimeField(auto_now_add=True)
    frozen_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)

    objects = LuckManager()

    class Meta:
        ordering = ["number"]
        verbose_name_plural = "lucks"
        constraints = [
            models.UniqueConstraint("tournament", "number", name="luck_number_unique_per_tournament"),
            models.CheckConstraint(condition=Q(number__gte=1), name="luck_numbered_from_one"),
            models.CheckConstraint(
                condition=Q(frozen_at__isnull=True) | Q(entries__isnull=False), name="luck_frozen_has_entries"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, luck {self.number}"

    @property
    def entries_digest(self) -> str:
        """The digest of the frozen entries, see ``games.contest_luck.entries_digest``; "" before the freeze."""
        if self.frozen_digest or self.frozen_at is None or self.entries is None:
            return self.frozen_digest
        return entries_digest(dict(self.entries))  # frozen by a release that did not store the digest

    @property
    def takes_nonces(self) -> bool:
        """Whether nonces are accepted: after the freeze and before anything is drawn."""
        return self.frozen_at is not None and self.started_at is None

    @property
    def mixes_entries(self) -> bool:
        """Whether the value of the luck depends on the entries too, or will depend on them once they are frozen."""
        return self.started_at is None or self.frozen_at is not None

    @property
    def value(self) -> bytes:
        """The value from which all seeds, draws and lots of the epoch are derived. It is final once the epoch began."""
        if not self.mixes_entries:
            return bytes(self.secret)
        return contest_luck_mixed(bytes(self.secret), self.entries_digest, [nonce.text for nonce in self.nonces.all()])


class Nonce(models.Model):
    """A text that somebody added to the luck after the freeze. ``by`` is None if the account was deleted."""

    luck = models.ForeignKey(Luck, models.CASCADE, related_name="nonces")
    number = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=100)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="nonces")
    alias = models.CharField(
        max_length=AUTHOR_ALIAS_MOST, blank=True, default="", db_default=""
    )  # shown instead of the username
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint("luck", "number", name="nonce_number_unique_per_luck"),
            models.UniqueConstraint("luck", "by", name="one_nonce_of_each_person"),
            models.CheckConstraint(condition=~Q(text=""), name="nonce_says_something"),
        ]

    def __str__(self) -> str:
        return self.text

    @property
    def by_name(self) -> str | None:
        """The public name of the person who added the nonce; None if the account was deleted."""
        return (self.alias or self.by.get_username()) if self.by else None
