"""Where a tournament's luck comes from: secrets that were committed, the entries they met, and what people added."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from bots.models import AUTHOR_ALIAS_MOST
from contests.models import Committed
from games.luck import entries_digest, luck


class LuckManager(models.Manager["Luck"]):
    """Leaves out the entries, of which there may be thousands: what follows from them is their digest."""

    def get_queryset(self) -> models.QuerySet["Luck"]:
        return super().get_queryset().defer("entries")


class Luck(Committed):
    """An epoch of a tournament: what is drawn and played from ``started_at`` to the next re-opening.

    The SHA-256 of ``secret`` is shown from the opening (the re-opening) on, the secret once the epoch is over.
    ``entries``: pairs of an entry and its package's SHA-256, by number, as they were at ``frozen_at``;
    ``frozen_digest``: theirs, by ``games.luck.entries_digest``. Nonces are taken from then until ``started_at``. An
    epoch that has begun and was never frozen is of the time before entries were mixed in: its luck is the secret
    itself.
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
        """See ``games.luck.entries_digest``; "" before the freeze."""
        if self.frozen_digest or self.frozen_at is None or self.entries is None:
            return self.frozen_digest
        return entries_digest(dict(self.entries))  # frozen by a release that kept no digest

    @property
    def takes_nonces(self) -> bool:
        """After the freeze and before anything is drawn."""
        return self.frozen_at is not None and self.started_at is None

    @property
    def mixes_entries(self) -> bool:
        """Its luck follows from the entries too, or will."""
        return self.started_at is None or self.frozen_at is not None

    @property
    def value(self) -> bytes:
        """What all seeds, draws and lots of the epoch follow from; final once it has begun."""
        if not self.mixes_entries:
            return bytes(self.secret)
        return luck(bytes(self.secret), self.entries_digest, [nonce.text for nonce in self.nonces.all()])


class Nonce(models.Model):
    """What somebody added to the luck after the freeze, the ``number``th. Without a person: the account is deleted."""

    luck = models.ForeignKey(Luck, models.CASCADE, related_name="nonces")
    number = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=100)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="nonces")
    alias = models.CharField(
        max_length=AUTHOR_ALIAS_MOST, blank=True, default="", db_default=""
    )  # instead of the account's
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
        """Who gave it, as everybody reads it; None once the account is deleted."""
        return (self.alias or self.by.get_username()) if self.by else None
