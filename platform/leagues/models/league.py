"""A league: the game, the terms that all its matches share, and who runs it."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from web.name_keys import Keyed, KeyedManager, KeyField


class LeagueState(models.TextChoices):
    """draft -> open -> closed"""

    DRAFT = "draft", _("draft")
    OPEN = "open", _("open")
    CLOSED = "closed", _("closed")


class League(Keyed):
    """The terms are fixed once it opens: results of one season must compare, and who joins has agreed to them.
    ``enters_cups``: as long as a bot is in the league, its organiser may enter it in cups of the league."""

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
    season_days = models.PositiveSmallIntegerField(_("days per season"), default=0)  # 0: until the organiser ends it
    enters_cups = models.BooleanField(_("bots may be entered in its cups"), default=False, db_default=False)
    state = models.CharField(max_length=10, choices=LeagueState.choices, default=LeagueState.DRAFT)
    paused_at = models.DateTimeField(_("paused"), null=True, blank=True)  # by staff; no further matches are chosen
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[KeyedManager["League"]] = KeyedManager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=LeagueState.values), name="league_state_known"),
            models.CheckConstraint(condition=Q(players_per_table__range=(2, 7)), name="league_table_size"),
            models.CheckConstraint(condition=Q(blocks__gte=1), name="league_has_a_block"),
            models.CheckConstraint(condition=Q(bots_per_author__gte=1), name="league_lets_authors_join"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def game(self) -> str:
        """The ruleset's name without its version: "pickomino"."""
        return self.ruleset.partition("/")[0]

    @property
    def takes_bots(self) -> bool:
        """Whether bots may join."""
        return self.state == LeagueState.OPEN
