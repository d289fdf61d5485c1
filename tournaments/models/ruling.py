"""The log of rulings, which the organiser or an arbiter decided, and the chain of everything that a tournament's
results follow from, link after link. Both are for all to read; lines and links are added, never changed.
"""

from typing import Any, Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.entry import Entry
from tournaments.models.stage import Stage
from tournaments.models.tournament import Tournament
from tournaments.standings import RulingCode

RULING_LABELS: Final = {
    RulingCode.VOID: _("match void"),
    RulingCode.REPLAY: _("match replayed"),
    RulingCode.REPLACE: _("result replaced"),
    RulingCode.DISQUALIFY: _("bot disqualified"),
    RulingCode.REINSTATE: _("bot taken back in"),
    RulingCode.WITHDRAW: _("bot withdrawn"),
    RulingCode.TAKE_BACK: _("ruling taken back"),
    RulingCode.REOPEN: _("tournament re-opened"),
    RulingCode.NOTE: _("note"),
}
RULING_CHOICES: Final = [(code.value, label) for code, label in RULING_LABELS.items()]


class Ruling(models.Model):
    """``names``: the ruling that this one takes back; it is about the same match or bot. ``data`` holds what belongs to
    the kind: the "round" and "table" of the match; of a replay the "new" match; of a replacement the "scores" by
    entry; of a disqualification whether to "annul"; where a bot is taken back in that the rules had withdrawn, why
    ("because") and "since" when. ``basis``: a digest of what
    is ruled and of the state it was ruled on; on each state at most one is made, so a form sent twice rules once."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="rulings")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=12, choices=RULING_CHOICES)
    match = models.ForeignKey("matches.Match", models.PROTECT, null=True, blank=True, related_name="rulings")
    entry = models.ForeignKey(Entry, models.CASCADE, null=True, blank=True, related_name="rulings")
    names = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="taken_back_by")
    data = models.JSONField(default=dict, blank=True)
    reason = models.TextField(_("reason"), max_length=1000)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="rulings")
    basis = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint("tournament", "number", name="ruling_number_unique_per_tournament"),
            models.UniqueConstraint("tournament", "basis", name="one_ruling_on_each_state"),
            models.CheckConstraint(condition=Q(kind__in=[code.value for code in RulingCode]), name="ruling_kind_known"),
            models.CheckConstraint(condition=~Q(reason=""), name="ruling_has_a_reason"),
            models.CheckConstraint(
                condition=~Q(kind__in=["void", "replay", "replace"]) | Q(match__isnull=False, entry__isnull=True),
                name="ruling_about_a_match_names_it",
            ),
            models.CheckConstraint(
                condition=~Q(kind__in=["disqualify", "withdraw"]) | Q(entry__isnull=False, match__isnull=True),
                name="ruling_about_a_bot_names_it",
            ),
            models.CheckConstraint(
                condition=~Q(kind="reinstate")
                | Q(match__isnull=False, entry__isnull=True)
                | Q(match__isnull=True, entry__isnull=False),
                name="ruling_taken_back_names_one",
            ),
            models.CheckConstraint(
                condition=Q(kind="take_back", names__isnull=False) | (~Q(kind="take_back") & Q(names__isnull=True)),
                name="ruling_names_what_it_takes_back",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, ruling {self.number}"


class SupersededMatch(models.Model):
    """A match that lost its place to a ruling: it was the ``attempt``th of that table, with seeds of the ``luck`` of
    that number, and counts for nobody. It may come back if what took its place away no longer holds: to ``stage``, to a
    round that ``started`` or ``starts_at`` then, with its ``reasons``; with a whole stage that was ``rewound``."""

    ruling = models.ForeignKey(Ruling, models.CASCADE, related_name="superseded")
    match = models.OneToOneField("matches.Match", models.PROTECT, related_name="superseded")
    round = models.PositiveIntegerField()
    table = models.PositiveIntegerField()
    attempt = models.PositiveSmallIntegerField()
    luck = models.PositiveSmallIntegerField(default=1)
    stage = models.ForeignKey(Stage, models.CASCADE, null=True, blank=True, related_name="superseded")
    reasons = models.JSONField(null=True, blank=True)
    starts_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    rewound = models.ForeignKey("Rewound", models.SET_NULL, null=True, blank=True, related_name="superseded")

    class Meta:
        ordering = ["round", "table", "attempt"]
        verbose_name_plural = "superseded matches"
        constraints = [models.CheckConstraint(condition=Q(attempt__gte=1), name="superseded_match_was_an_attempt")]


class Rewound(models.Model):
    """A stage that restarted by a ruling, as it was: ``seeds`` are entries, the best first; ``byes`` lists of round,
    entry, points and reasons; ``times`` of every stage of the tournament its number, start, end and rounds drawn."""

    ruling = models.ForeignKey(Ruling, models.CASCADE, related_name="rewound")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="rewound")
    seeds = models.JSONField(default=list)
    byes = models.JSONField(default=list)
    times = models.JSONField(default=list)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "rewound"


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
