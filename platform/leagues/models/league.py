"""A league, the bots that are its members, and the public log of exclusions."""

from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from contests.audience import WithAudience, audience_constraints
from web.name_keys import Keyed, KeyedManager, KeyField

DIVISIONS_MOST: Final = 10
DIVISION_SIZE_MOST: Final = 1000


class LeagueState(models.TextChoices):
    """draft -> open -> closed"""

    DRAFT = "draft", _("draft")
    OPEN = "open", _("open")
    CLOSED = "closed", _("closed")


class League(WithAudience, Keyed):
    """A league.

    The terms of a league are fixed once it opens. So members know the terms, and the results of a season are
    comparable. With ``enters_cups``, the organiser may enter the members in cups of the league. For ``divisions`` see
    ``leagues.divisions``; 1 means that the league has no divisions.
    """

    name = models.CharField(_("name"), max_length=80)
    name_key = KeyField(of="name")
    slug = models.SlugField(max_length=90, unique=True)
    description = models.TextField(_("description"), max_length=2000, blank=True)
    organiser = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="leagues")
    ruleset = models.CharField(_("game"), max_length=30)  # "pickomino/1"
    options = models.JSONField(default=dict, blank=True)
    players_per_table = models.PositiveSmallIntegerField(_("players per table"), default=2)
    blocks = models.PositiveIntegerField(_("blocks per match"), default=2)
    limits = models.JSONField(default=dict, blank=True)
    min_action_ms = models.PositiveIntegerField(_("pace"), default=0)
    bots_per_author = models.PositiveSmallIntegerField(_("bots per author"), default=3)
    team_size = models.PositiveSmallIntegerField(_("people per team"), null=True, blank=True)  # None: any
    season_days = models.PositiveSmallIntegerField(_("days per season"), default=0)  # 0: until the organiser ends it
    divisions = models.PositiveSmallIntegerField(_("divisions"), default=1, db_default=1)
    division_size = models.PositiveSmallIntegerField(_("bots per division"), default=10, db_default=10)
    division_moves = models.PositiveSmallIntegerField(_("promoted and relegated"), default=2, db_default=2)
    enters_cups = models.BooleanField(_("bots may be entered in its cups"), default=False, db_default=False)
    state = models.CharField(max_length=10, choices=LeagueState.choices, default=LeagueState.DRAFT)
    paused_at = models.DateTimeField(_("paused"), null=True, blank=True)  # since then, no further matches are chosen
    # Why the site paused the league, for the organiser and staff; see ``matches.queue.stuck_contests``.
    paused_because = models.CharField(max_length=500, default="", db_default="", blank=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[KeyedManager["League"]] = KeyedManager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            *audience_constraints("league"),
            models.CheckConstraint(condition=Q(state__in=LeagueState.values), name="league_state_known"),
            models.CheckConstraint(condition=Q(players_per_table__range=(2, 7)), name="league_table_size"),
            models.CheckConstraint(condition=Q(blocks__gte=1), name="league_has_a_block"),
            models.CheckConstraint(condition=Q(bots_per_author__gte=1), name="league_lets_authors_join"),
            models.CheckConstraint(
                condition=Q(team_size__isnull=True) | Q(team_size__gte=1), name="league_team_size_lets_join"
            ),
            models.CheckConstraint(condition=Q(divisions__range=(1, DIVISIONS_MOST)), name="league_divisions_few"),
            models.CheckConstraint(
                condition=Q(division_moves__gte=1, division_size__gte=2 * F("division_moves")),
                name="league_division_moves_half_at_most",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def game(self) -> str:
        """The name of the ruleset without its version, e.g. "pickomino"."""
        return self.ruleset.partition("/")[0]

    @property
    def is_everyones(self) -> bool:
        """Whether everybody with the address may see the league. Then all readers without a part in it see the same."""
        return self.state != LeagueState.DRAFT and self.is_open

    @property
    def is_stuck(self) -> bool:
        """Whether the site paused the league because the code of its game fails."""
        return self.state == LeagueState.OPEN and self.paused_at is not None and self.paused_because != ""

    @property
    def takes_bots(self) -> bool:
        """Whether bots may join."""
        return self.state == LeagueState.OPEN


class LeagueDigest(models.Model):
    """The digest of a league for the week that begins on the Monday ``week``.

    It is sent in the order of the recipients' primary keys. ``last_recipient`` is the last recipient to whom it was
    sent. ``done_at`` is the time at which it had been sent to all.
    """

    league = models.ForeignKey(League, models.CASCADE, related_name="digests")
    week = models.DateField()
    last_recipient = models.PositiveBigIntegerField(default=0)
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint("league", "week", name="league_digest_once_a_week")]

    def __str__(self) -> str:
        return f"{self.league_id} {self.week}"


REASON_MOST: Final = 300  # characters


class MembershipState(models.TextChoices):
    ACTIVE = "active", _("active")
    LEFT = "left", _("left")


class Membership(models.Model):
    """The membership of a bot in a league, for all seasons until it leaves. The bot may come back."""

    league = models.ForeignKey(League, models.CASCADE, related_name="memberships")
    bot = models.ForeignKey("bots.Bot", models.PROTECT, related_name="leagues")
    state = models.CharField(max_length=10, choices=MembershipState.choices, default=MembershipState.ACTIVE)
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["joined_at", "pk"]
        constraints = [
            models.UniqueConstraint("league", "bot", name="bot_joins_a_league_once"),
            models.CheckConstraint(condition=Q(state__in=MembershipState.values), name="membership_state_known"),
        ]


class ExclusionAct(models.TextChoices):
    OUT = "out", _("taken out")
    IN = "in", _("let in again")


class ExclusionBy(models.TextChoices):
    ORGANISER = "organiser", _("the organiser")
    STAFF = "staff", _("staff")


class Exclusion(models.Model):
    """A public log entry: the organiser or staff excluded or readmitted a bot.

    For each membership, only the last entry is in force.
    """

    membership = models.ForeignKey(Membership, models.CASCADE, related_name="exclusions")
    act = models.CharField(max_length=3, choices=ExclusionAct.choices)
    by = models.CharField(max_length=10, choices=ExclusionBy.choices)
    reason = models.CharField(_("reason"), max_length=REASON_MOST, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(act__in=ExclusionAct.values), name="exclusion_act_known"),
            models.CheckConstraint(condition=Q(by__in=ExclusionBy.values), name="exclusion_by_known"),
            models.CheckConstraint(condition=~Q(act="out") | ~Q(reason=""), name="exclusion_out_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.membership_id} {self.act}"
