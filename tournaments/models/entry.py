"""Who takes part."""

from django.db import models


class Entry(models.Model):
    """A bot in a tournament; ``version`` is frozen when entries close so that every round meets the same code."""

    tournament = models.ForeignKey("tournaments.Tournament", models.CASCADE, related_name="entries")
    bot = models.ForeignKey("bots.Bot", models.PROTECT, related_name="entries")
    version = models.ForeignKey("bots.BotVersion", models.PROTECT, null=True, blank=True, related_name="entries")
    withdrawn = models.BooleanField(default=False)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["created", "pk"]
        verbose_name_plural = "entries"
        constraints = [models.UniqueConstraint("tournament", "bot", name="bot_enters_once")]
