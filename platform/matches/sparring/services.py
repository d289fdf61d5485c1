"""Create sparring matches, hold them when their author's time is used up, and cancel them.

Sparring matches use the same queue, referee and stopping rules as other matches. Each author has an account of their
own, so that workers take turns between authors. Quotas limit an author's matches.
"""

import secrets
from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bots.models import BotVersion, VersionState
from contests.caps import contest_blocks_cap
from contests.game_settings_form import game_settings_missing_message
from games.catalogue import GAMES, UnknownRuleset, ruleset_find_or_current
from games.ruleset import OptionError, SeatError
from matches.models import UNDECIDED, Audience, Challenge, ChallengeState, Match, Seat, Sparring
from matches.queue.claims import SPARRING
from matches.queue.leases import PLATFORM_FAULTS_AT_MOST, WORKERS_LOST_AT_MOST
from matches.services import MatchTerms, match_cancel, match_create, match_hold, match_release
from matches.services.creating import MatchError
from matches.sparring.selectors import sparring_has_time, sparring_seconds_used
from teams.selectors import acts_for_owner
from web.errors import Refusal


class SparringRefused(Refusal):
    """Raised when no match was created.

    ``code`` is "not_accepted", "other_game", "not_yours", "too_many", "no_time", or "invalid" with the wrong ``field``.
    """

    def __init__(self, code: str, sentence: str, field: str = "", *, status: int = 400, wait: int = 0) -> None:
        self.code = code
        self.field = field
        self.status = status
        self.wait = wait
        super().__init__(sentence)


BUSY: Final = 429
WAIT: Final = 600  # seconds until clients should retry, if the day's time is used up


def sparring_create(
    *,
    author: AbstractUser,
    version: BotVersion,
    opponent: BotVersion,
    blocks: int,
    players: int = 2,
    ruleset: str = "",
    options: Mapping[str, Any] | None = None,
    stopping: Mapping[str, Any] | None = None,
) -> Sparring:
    """Queue a private match: ``version`` in the first seat, ``opponent`` in all others.

    Both may be the same version, and ``opponent`` may be a house bot. Without ``ruleset``, the current ruleset of the
    bot's game is used. Limits are the default ones.

    Raises:
        SparringRefused: the versions may not meet, the game or the site rejects the settings, or a quota is used
            up.
    """
    _check_owners(author, version, opponent)
    sparring_versions_check(version, opponent)
    if not 1 <= blocks <= contest_blocks_cap():
        raise SparringRefused("invalid", _("Allowed: 1 to %(most)d.") % {"most": contest_blocks_cap()}, "blocks")
    with transaction.atomic():
        sparring_quota_check(author.pk)
        return sparring_match_queue(
            author.pk, version, opponent, blocks, players, ruleset, options or {}, stopping or {}
        )


def sparring_stop(*, sparring: Sparring) -> bool:
    """Cancel the match; its games are lost. If the match is over, return False and change nothing."""
    return bool(match_cancel(matches=Match.objects.filter(pk=sparring.match_id)))


def sparrings_tend() -> None:
    """Hold the waiting matches of authors without time, and release them when there is time again.

    Also cancel matches of deleted versions. Idempotent; call it periodically.
    """
    going_on = Match.objects.filter(sparring__isnull=False, state__in=UNDECIDED)
    authors = list(going_on.order_by().values_list("sparring__author", flat=True).distinct())
    for author in authors:
        mine = going_on.filter(sparring__author=author)
        if author is not None and sparring_has_time(author):
            match_release(matches=_held_for_time(mine))
        else:
            match_hold(matches=mine)
    deleted = Seat.objects.filter(match=OuterRef("pk"), version__state=VersionState.DELETED)
    found = list(going_on.filter(Exists(deleted)).values_list("pk", flat=True)) if authors else []
    if found:
        match_cancel(matches=Match.objects.filter(pk__in=found))


def _held_for_time(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Return ``matches`` without those that are held because they failed too often on the platform.

    Staff have to look at those.
    """
    return matches.filter(platform_faults__lt=PLATFORM_FAULTS_AT_MOST, workers_lost__lt=WORKERS_LOST_AT_MOST)


def _check_owners(author: AbstractUser, version: BotVersion, opponent: BotVersion) -> None:
    owner = version.bot.owner_id
    if not acts_for_owner(author, owner) or not (opponent.bot.is_house or opponent.bot.owner_id == owner):
        raise SparringRefused(
            "not_yours",
            _("Only your own bots can play test matches, against each other or a house bot."),
            "opponent",
            status=403,
        )


def sparring_versions_check(version: BotVersion, opponent: BotVersion) -> None:
    """Raise ``SparringRefused`` if these versions cannot play each other. Does not check who owns them."""
    for one, field in ((version, "version"), (opponent, "opponent_version")):
        if one.state != VersionState.ACCEPTED:
            sentence = _("Version %(number)d of %(bot)s is not accepted: it cannot play.")
            raise SparringRefused("not_accepted", sentence % {"number": one.number, "bot": one.bot.name}, field)
    if version.bot.game != opponent.bot.game:
        raise SparringRefused("other_game", _("%(bot)s plays another game.") % {"bot": opponent.bot.name}, "opponent")


def sparring_quota_check(author: int) -> None:
    """Raise ``SparringRefused`` if the author may have no further match now.

    The author's row is locked until the transaction ends, so that simultaneous requests are counted one by one.
    """
    get_user_model().objects.select_for_update(no_key=True).get(pk=author)
    if not sparring_has_time(author):
        most = settings.SPARRING_MINUTES_MOST
        sentence = ngettext(
            "Your test matches have used %(used)d of %(most)d minute of machine time in the last 24 hours. Try again"
            " later.",
            "Your test matches have used %(used)d of %(most)d minutes of machine time in the last 24 hours. Try again"
            " later.",
            most,
        )
        values = {"used": sparring_seconds_used(author) // 60, "most": most}
        raise SparringRefused("no_time", sentence % values, status=BUSY, wait=WAIT)
    waiting = Match.objects.filter(sparring__author=author, state__in=UNDECIDED).count()
    waiting += Challenge.objects.filter(author=author, state=ChallengeState.ASKED).count()
    if waiting >= settings.SPARRING_OPEN_MOST:
        most = settings.SPARRING_OPEN_MOST
        sentence = ngettext(
            "You have %(most)d test match or challenge waiting or being played. Wait until it ends, or cancel it.",
            "You have %(most)d test matches and challenges waiting or being played. Wait until one ends, or cancel "
            "one.",
            most,
        )
        raise SparringRefused("too_many", sentence % {"most": most}, status=BUSY, wait=10)


def sparring_match_queue(
    author: int,
    version: BotVersion,
    opponent: BotVersion,
    blocks: int,
    players: int,
    ruleset: str,
    options: Mapping[str, Any],
    stopping: Mapping[str, Any],
    group_id: int | None = None,
) -> Sparring:
    """Queue a match that is charged to ``author``, with ``opponent`` in all seats but the first.

    With ``group_id``, only members of the group may see it. Raise ``SparringRefused`` if the game or the site rejects
    the settings.
    """
    try:
        if version.bot.game not in GAMES:
            raise SparringRefused("invalid", game_settings_missing_message(version.bot.game), "ruleset", status=409)
        rules = ruleset_find_or_current(ruleset or version.bot.game)
        if rules.name != version.bot.game:
            raise SparringRefused("other_game", _("%(bot)s plays another game.") % {"bot": version.bot.name}, "ruleset")
        terms = MatchTerms(
            ruleset=rules.id,
            options=rules.offer(players, options),
            limits={},
            blocks=blocks,
            stopping=stopping,
            audience=Audience.AUTHORS,
            group_id=group_id,
            account=f"{SPARRING}{author}",
        )
        versions = [version, *[opponent] * (players - 1)]
        match = match_create(terms=terms, versions=versions, secret=secrets.token_bytes(32))
        return Sparring.objects.create(match=match, author_id=author)
    except UnknownRuleset as error:
        raise SparringRefused("invalid", str(error), "ruleset") from error
    except SeatError as error:
        raise SparringRefused("invalid", str(error), "players") from error
    except OptionError as error:
        raise SparringRefused("invalid", str(error), "options") from error
    except MatchError as error:
        raise SparringRefused("invalid", error.detail, error.field) from error
