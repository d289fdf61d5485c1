"""What shares the workers out among all who have matches to play, and the workers themselves."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Account(models.Model):
    """Whose work it is: an organiser's tournaments, or all their leagues.

    ``queue.claims`` shares the workers out between the accounts.
    ``spent`` counts seconds of workers. Matches that are slowed down to be watched have accounts of their own.
    """

    name = models.CharField(max_length=60, primary_key=True)  # "organiser.5", "leagues.5", "organiser.5.paced"
    is_paced = models.BooleanField(default=False)
    spent = models.FloatField(default=0)

    def __str__(self) -> str:
        return self.name


class Contest(models.Model):
    """What several matches belong to: a tournament or a season of a league.

    ``is_quiet``: it plays so many that no webhook events are sent. ``news_at``: since when there are results for
    which no task has been sent.
    """

    name = models.CharField(max_length=60, primary_key=True)  # "tournament.5", "season.3"
    block_seconds = models.FloatField(null=True, blank=True)  # that a worker needs for a block, by the last matches
    is_quiet = models.BooleanField(default=False)
    news_at = models.DateTimeField(null=True, blank=True)
    notified_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name


class WorkerPresence(models.Model):
    """A worker that was seen; ``denied`` says why it may not run bots, naming the missing layers and their fixes.

    It plays ``slots`` matches at once; one that ``is_drained`` takes no more until staff lets it go on.
    ``clock_ahead``, in seconds, is its clock's time less the database's.
    """

    name = models.CharField(max_length=100, unique=True)
    seen_at = models.DateTimeField()
    denied = models.TextField(blank=True)
    slots = models.PositiveIntegerField(default=1)
    clock_ahead = models.FloatField(default=0)
    games = models.JSONField(null=True)  # the codes of packages' games that it has, by name
    is_drained = models.BooleanField(_("drained"), default=False, db_default=False)

    class Meta:
        verbose_name = _("worker")
        verbose_name_plural = _("workers")

    def __str__(self) -> str:
        return self.name
