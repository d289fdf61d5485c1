"""The chain: everything that a tournament's results follow from, link after link. Links are added, never changed."""

from typing import Any

from django.db import models

from tournaments.models.tournament import Tournament


class ChainLink(models.Model):
    """See ``proof.chain.Link``. ``content`` is text, because a database writes JSON in its own way. ``match``: whose
    result it tells, so that none is told twice."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="chain")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=12)
    at = models.CharField(max_length=27)
    content = models.TextField()
    previous = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    match = models.OneToOneField("matches.Match", models.PROTECT, null=True, blank=True, related_name="link")

    class Meta:
        ordering = ["number"]
        verbose_name_plural = "chain"
        constraints = [
            models.UniqueConstraint("tournament", "number", name="link_number_unique_per_tournament"),
            models.UniqueConstraint("tournament", "previous", name="one_link_after_each"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, link {self.number}"

    def save(self, *args: Any, **fields: Any) -> None:
        """Add it.

        Raises:
            TypeError: it stands already.
        """
        if not self._state.adding:
            raise TypeError("a link of a chain is never changed")
        super().save(*args, **fields)


class SealedName(models.Model):
    """A name as it stood when the chain told its digest: of an entry ("entry/12"), of somebody who ruled
    ("person/3"), or an alias ("alias/5", by the nonce). Once the pages show another one, ``salt`` is told to nobody."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="sealed_names")
    whose = models.CharField(max_length=30)
    salt = models.CharField(max_length=32)
    digest = models.CharField(max_length=64)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint("tournament", "digest", name="name_sealed_once_per_tournament")]

    def __str__(self) -> str:
        return f"{self.tournament}, {self.whose}"
