"""The log of rulings by the organiser and arbiters, and the chain of a tournament.

The chain has all events that determine the results. The log and the chain are as public as the results. Rulings and
links are only added, never changed.
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
    """A ruling of the organiser or an arbiter.

    ``names`` is the ruling that this one takes back. The keys of ``data`` depend on the kind:

    - "round" and "table", for a ruling about a match;
    - "new" is the match that is played in a replay;
    - "scores" has the scores of a replaced result, by entry;
    - "annuls" tells whether a disqualification annuls results;
    - "because" and "since" are why and when the rules had withdrawn a bot that is reinstated;
    - "finished" and "stage" are when a tournament that is re-opened, and its last stage, had finished.

    ``basis`` is a digest of the proposed ruling and of the state on which the proposal is based. It is unique, so a
    form that is sent twice makes only one ruling.
    """

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
    """A match that lost its table because of a ruling, and no longer counts.

    It was the match with the number ``attempt`` of its table. Its seeds are from the luck with the number ``luck``. If
    the ruling is taken back, the match can be restored with its ``reasons``. For this, ``stage``, ``round``,
    ``starts_at`` and ``started_at`` describe the round in which it was. ``rewound`` is set if the match is restored
    only together with its whole stage.
    """

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
    """The state that a stage had before a ruling restarted it.

    ``seeds`` has the entries, the best seed first. ``byes`` has a list for each bye: its round, entry, points and
    reasons. ``times`` has a list for each stage of the tournament: its number, start, end and number of drawn rounds.
    """

    ruling = models.ForeignKey(Ruling, models.CASCADE, related_name="rewound")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="rewound")
    seeds = models.JSONField(default=list)
    byes = models.JSONField(default=list)
    times = models.JSONField(default=list)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "rewound"


class ChainLink(models.Model):
    """A link of a tournament's chain: see ``matches.proof.chain.Link``.

    ``content`` is JSON as text. It has no JSON column, because a database may change the order or the spaces, and then
    the digest would be wrong. ``match`` is the match whose result the link records. A match has only one such link, so
    no result is recorded twice.
    """

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
        """Add the link.

        Raises:
            TypeError: the link was added before.
        """
        if not self._state.adding:
            raise TypeError("a link of a chain is never changed")
        super().save(*args, **fields)


class SealedName(models.Model):
    """A name that is in the chain only as a digest.

    ``whose`` is an entry ("entry/12"), a person who acted ("person/3"), or the alias of a nonce ("alias/5"). ``salt``
    is needed to check the digest. Once pages show another name, nobody sees the salt any more.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="sealed_names")
    whose = models.CharField(max_length=30)
    salt = models.CharField(max_length=32)
    digest = models.CharField(max_length=64)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint("tournament", "digest", name="name_sealed_once_per_tournament")]

    def __str__(self) -> str:
        return f"{self.tournament}, {self.whose}"
