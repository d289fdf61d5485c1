"""Create, answer and withdraw challenges. Each is a sparring match and counts against the challenger's quota."""

from typing import Final

from django.contrib.auth.models import AbstractUser
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from bots.models import Bot, ChallengedBy
from contests.caps import contest_blocks_cap
from matches.challenges.hook_events import challenge_answered_event_publish, challenge_received_event_publish
from matches.challenges.selectors import (
    ANSWER_WITHIN,
    challenge_challengers,
    challenge_opponents,
    challenges_taken_by,
    challenges_with_matches,
)
from matches.models import CHALLENGES_A_DAY, Challenge, ChallengeState, Match, MatchState, Sparring
from matches.services import match_cancel
from matches.sparring.services import (
    BUSY,
    SparringRefused,
    sparring_match_queue,
    sparring_quota_check,
    sparring_stop,
    sparring_versions_check,
)
from web.database import database_after, database_now

BLOCKS: Final = 200  # maximum length of the match
EFFECT: Final = 0.1  # the lead to detect: a share of 0.6 against 0.4, as in ``peck gate``


def challenge_create(*, author: AbstractUser, bot: Bot, opponent: Bot) -> Challenge:
    """Let ``bot`` challenge ``opponent``.

    If everyone may challenge ``opponent``, the match is queued at once. Otherwise it is queued when the author of
    ``opponent`` accepts.

    Raises:
        SparringRefused: "not_open" if the user may not challenge ``opponent``, "not_yours", "too_many_today",
            "asked_already", or a code of ``sparring_create`` about a version or a quota.
    """
    how = challenges_taken_by(opponent, author)
    if how == ChallengedBy.NOBODY:
        sentence = _("%(bot)s does not take challenges.") % {"bot": opponent.name}
        raise SparringRefused("not_open", sentence, "opponent", status=403)
    if not challenge_challengers(opponent, author).filter(pk=bot.pk).exists():
        sentence = _("Choose a bot of yours for the same game, with an accepted version, to challenge somebody else's.")
        raise SparringRefused("not_yours", sentence, "bot", status=403)
    try:
        with transaction.atomic():
            sparring_quota_check(author.pk)
            today = timezone.now().date()
            turn = Challenge.objects.filter(author=author.pk, opponent=opponent, day=today).count()
            if turn >= CHALLENGES_A_DAY:
                sentence = _("You cannot challenge %(bot)s again today. Try again tomorrow.")
                raise SparringRefused("too_many_today", sentence % {"bot": opponent.name}, status=BUSY)
            made = Challenge.objects.create(bot=bot, opponent=opponent, author_id=author.pk, day=today, turn=turn)
            if how == ChallengedBy.EVERYONE:
                _accept(made)
            made.refresh_from_db()
            challenge_received_event_publish(made)
    except IntegrityError as error:
        sentence = _("%(bot)s is waiting for an answer to its last challenge.") % {"bot": bot.name}
        raise SparringRefused("asked_already", sentence, status=409) from error
    return made


def challenge_accept(*, challenge: Challenge) -> bool:
    """Queue the match of an unanswered challenge. If it was answered or has ended, return False and change nothing.

    Raises:
        SparringRefused: a bot no longer has an accepted version, its game is no longer installed, or one of the two
            authors has left the group in which the bots play.
    """
    with transaction.atomic():
        accepted = _accept(challenge)
        if accepted:
            challenge_answered_event_publish(_read(challenge))
    return accepted


def challenge_decline(*, challenge: Challenge) -> bool:
    """Decline a challenge that is unanswered, or that was accepted but whose match has not begun.

    Otherwise return False and change nothing.
    """
    with transaction.atomic():
        found = Challenge.objects.filter(pk=challenge.pk)
        declined = {"state": ChallengeState.DECLINED, "answered_at": database_now()}
        done = found.filter(state=ChallengeState.ASKED).update(**declined)
        waiting = Match.objects.filter(challenge=challenge.pk, blocks_kept=0)
        if not done and match_cancel(matches=waiting, states=[MatchState.HELD, MatchState.QUEUED]):
            done = found.filter(state=ChallengeState.ACCEPTED).update(**declined)
        if done:
            challenge_answered_event_publish(_read(challenge))
    return bool(done)


def challenge_withdraw(*, challenge: Challenge) -> bool:
    """Withdraw an unanswered challenge, or call off the open match of an accepted one.

    Otherwise return False and change nothing.
    """
    unanswered = Challenge.objects.filter(pk=challenge.pk, state=ChallengeState.ASKED)
    if unanswered.update(state=ChallengeState.WITHDRAWN):
        return True
    sparring = Sparring.objects.filter(match__challenge=challenge.pk).first()
    return sparring is not None and sparring_stop(sparring=sparring)


def challenges_tend() -> None:
    """End unanswered challenges: those older than ``ANSWER_WITHIN``, and those with a deleted bot or challenger.

    Call it periodically.
    """
    late = Q(created_at__lt=database_after(-ANSWER_WITHIN))
    gone = Q(bot__deleted_at__isnull=False) | Q(opponent__deleted_at__isnull=False) | Q(author=None)
    asked = Challenge.objects.filter(state=ChallengeState.ASKED).order_by()
    asked.filter(pk__in=asked.filter(late | gone).values("pk")).update(state=ChallengeState.LAPSED)


def _accept(challenge: Challenge) -> bool:
    """Queue the match and store it with the challenge, in the caller's transaction. The current versions play."""
    asked = Challenge.objects.filter(pk=challenge.pk, state=ChallengeState.ASKED)
    if not asked.select_for_update(no_key=True):  # the second of two simultaneous answers waits here
        return False
    read = _read(challenge)
    version, other = read.bot.current, read.opponent.current
    if version is None or other is None or read.author_id is None:
        gone = read.opponent if version else read.bot
        raise SparringRefused("no_version", _("%(bot)s has no accepted version.") % {"bot": gone.name}, status=409)
    inside = set(
        challenge_opponents(read.opponent).filter(pk__in=(read.bot_id, read.opponent_id)).values_list("pk", flat=True)
    )
    for out, other_one in ((read.bot, read.opponent), (read.opponent, read.bot)):
        if out.pk not in inside:
            sentence = _("%(bot)s does not play in the group of %(other)s any more: decline the challenge.")
            raise SparringRefused("not_a_member", sentence % {"bot": out.name, "other": other_one.name}, status=409)
    sparring_versions_check(version, other)
    sparring = sparring_match_queue(
        read.author_id,
        version,
        other,
        min(BLOCKS, contest_blocks_cap()),
        2,
        "",
        {},
        {"effect": EFFECT},
        read.opponent.alias_group_id,
    )
    return bool(asked.update(state=ChallengeState.ACCEPTED, match=sparring.match_id, answered_at=database_now()))


def _read(challenge: Challenge) -> Challenge:
    found = challenges_with_matches(Challenge.objects.filter(pk=challenge.pk))
    return found.select_related("bot__current__bot", "opponent__current__bot").get()
