"""The link that lets bots into a tournament by invitation."""

from django.db import models
from django.db.models import Q

from tournaments.models.tournament import Tournament


class Invitation(models.Model):
    """The link that was made last. Of its token only ``digest`` is kept, SHA-256 in hexadecimal; "" once the link is
    withdrawn. ``number`` goes up with each link and each withdrawal: a request to change it says which one it saw.
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="invitation")
    number = models.PositiveIntegerField(default=0)
    digest = models.CharField(max_length=64, blank=True)
    made_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("digest", condition=~Q(digest=""), name="invitation_digest_unique"),
            models.CheckConstraint(
                condition=Q(digest="") | Q(made_at__isnull=False, number__gte=1), name="invitation_that_holds_was_made"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, link {self.number}"
