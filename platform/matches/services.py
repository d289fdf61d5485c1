"""Create, hold, release and cancel matches. Playing them is in ``queue.leases`` and ``queue.results``.

Every change of state is one conditional update: what has already moved on is left alone.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet

from bots.models import BotVersion, VersionState
from games.catalogue import find, find_or_current
from games.protocol import Limits
from luck import value_of
from matches.errors import MatchError
from matches.live import announce
from matches.models import UNDECIDED, Audience, Broadcast, Contest, Game, Match, MatchLog, MatchState, Seat, SeatLog
from matches.queue.accounts import account_for, accounts_ready
from matches.queue.dispatch import wake_on_commit
from matches.referee import StoppingError, rule_of
from web.clock import database_now

SECRET_BYTES: Final = range(16, 33)
BLOCKS_MOST: Final = 1000
MIN_ACTION_MS_MOST: Final = 60_000


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """Who meets whom, in table order, and the secret from which their seeds are drawn."""

    versions: Sequence[BotVersion]
    secret: bytes


def match_create(
    *,
    ruleset: str,
    options: Mapping[str, Any],
    versions: Sequence[BotVersion],
    blocks: int,
    stopping: Mapping[str, Any] | None = None,
    limits: Mapping[str, Any],
    secret: bytes,
    min_action_ms: int = 0,
    tempo: str = Broadcast.NONE,
    premieres_at: datetime | None = None,
    on_finished_task: str = "",
    held: bool = False,
    audience: str = Audience.EVERYONE,
    organiser_id: int | None = None,
    contest: str = "",
    account: str = "",
) -> Match:
    """Create one match; see ``matches_create``."""
    (match,) = matches_create(
        ruleset=ruleset,
        options=options,
        pairings=[PlannedMatch(versions, secret)],
        blocks=blocks,
        stopping=stopping,
        limits=limits,
        min_action_ms=min_action_ms,
        tempo=tempo,
        premieres_at=premieres_at,
        on_finished_task=on_finished_task,
        held=held,
        audience=audience,
        organiser_id=organiser_id,
        contest=contest,
        account=account,
    )
    return match


def matches_create(
    *,
    ruleset: str,
    options: Mapping[str, Any],
    pairings: Sequence[PlannedMatch],
    blocks: int,
    stopping: Mapping[str, Any] | None = None,
    limits: Mapping[str, Any],
    min_action_ms: int = 0,
    tempo: str = Broadcast.NONE,
    premieres_at: datetime | None = None,
    on_finished_task: str = "",
    held: bool = False,
    audience: str = Audience.EVERYONE,
    organiser_id: int | None = None,
    contest: str = "",
    account: str = "",
) -> list[Match]:
    """Create a queued match for each pairing, in that order, all or none; workers are told on commit.

    Held ones await release.

    ``ruleset`` is an id; a game's name stands for its current version.

    ``options``, ``limits`` and ``stopping`` may be partial: the match keeps them complete. No ``stopping``, or an empty
    one, is a fixed number of ``blocks``; otherwise they are the most there may be, and the tables have two seats. The
    task ``on_finished_task`` is sent with a match's id once results of ``contest`` ("tournament.5") are committed. With
    a ``tempo`` the matches are broadcast, not before ``premieres_at``, see ``airing``. Workers are shared out between
    accounts ("leagues.5"); without an ``account`` it is the organiser's.

    Raises:
        UnknownRuleset, SeatError, OptionError, LimitError: from the engine.
        MatchError: a bad number of blocks, stopping rule, pace or secret, or versions that are not accepted or for
            another game.
    """
    rules = find_or_current(ruleset)
    full_limits = Limits.from_dict(limits).to_dict()
    if not 1 <= blocks <= BLOCKS_MOST:
        raise MatchError("blocks", f"{blocks} is not allowed; allowed: 1 to {BLOCKS_MOST}")
    seats = max((len(pairing.versions) for pairing in pairings), default=2)
    rule = stopping_check(stopping=stopping or {}, blocks=blocks, seats=seats, ruleset=rules.id)
    if tempo not in Broadcast.values:
        raise MatchError("tempo", f"{tempo[:20]!r} is not allowed; allowed: {', '.join(Broadcast.values[1:])}")
    if not 0 <= min_action_ms <= MIN_ACTION_MS_MOST:
        raise MatchError("min_action_ms", f"{min_action_ms} is not allowed; allowed: 0 to {MIN_ACTION_MS_MOST}")
    for pairing in pairings:
        if len(pairing.secret) not in SECRET_BYTES:
            raise MatchError("secret", f"{len(pairing.secret)} bytes are not allowed; allowed: 16 to 32")
    _check_entrants(pairings, rules.name)
    owner = account or ("nobody" if organiser_id is None else f"organiser.{organiser_id}")
    with transaction.atomic():
        paid_by = account_for(owner, paced=min_action_ms > 0)
        belongs_to = Contest.objects.get_or_create(name=contest)[0] if contest else None
        matches = Match.objects.bulk_create(
            Match(
                ruleset=rules.id,
                options=rules.validate(len(pairing.versions), options),
                limits=full_limits,
                blocks=blocks,
                stopping=rule,
                min_action_ms=min_action_ms,
                tempo=tempo,
                premieres_at=premieres_at,
                secret=pairing.secret,
                on_finished_task=on_finished_task,
                audience=audience,
                organiser_id=organiser_id,
                account=paid_by,
                contest=belongs_to,
                state=MatchState.HELD if held else MatchState.QUEUED,
                dispatch_at=database_now(),
            )
            for pairing in pairings
        )
        Seat.objects.bulk_create(
            Seat(match=match, index=index, version=version)
            for match, pairing in zip(matches, pairings, strict=True)
            for index, version in enumerate(pairing.versions)
        )
        if not held:
            wake_on_commit(len(matches))
    return matches


def match_hold(*, matches: QuerySet[Match]) -> int:
    """Keep those of ``matches`` that are queued from being played; those being played finish. Return how many."""
    return matches.filter(state=MatchState.QUEUED).update(state=MatchState.HELD)


def match_release(*, matches: QuerySet[Match]) -> int:
    """Queue those of ``matches`` that are held, platform faults forgiven, and tell the workers. Return how many."""
    with transaction.atomic():
        held = matches.filter(state=MatchState.HELD)
        accounts_ready(sorted(set(held.order_by().values_list("account", flat=True)) - {None}))
        released = held.update(
            state=MatchState.QUEUED,
            dispatch_at=database_now(),
            released_at=database_now(),
            platform_faults=0,
            workers_lost=0,
            last_platform_fault="",
        )
        wake_on_commit(released)
    return released


def match_publish(*, matches: QuerySet[Match], audience: str) -> int:
    """Let ``audience`` look at ``matches``, and nobody else. Return how many."""
    return matches.update(audience=audience)


def seats_assign(*, versions: Mapping[int, int], barred: Collection[int] = ()) -> bool:
    """Let other bots sit in seats of matches that nobody has played yet: the version of each seat, by their numbers.
    Versions that are ``barred`` forfeit theirs.

    False, and no change, if one of the matches has been let go to the workers.
    """
    with transaction.atomic():
        concerned = set(Seat.objects.filter(pk__in=versions).values_list("match", flat=True))
        held = Match.objects.select_for_update().filter(pk__in=concerned, state=MatchState.HELD, attempt=0)
        if len(held) < len(concerned):
            return False
        for seat, version in versions.items():
            Seat.objects.filter(pk=seat).update(version=version, has_forfeited=version in barred)
    return True


def matches_reseed(*, secrets: Mapping[int, bytes]) -> None:
    """Give those matches, by number, other secrets that nobody has played yet; the others are left alone."""
    fresh = list(Match.objects.filter(pk__in=secrets, state=MatchState.HELD, attempt=0).only("pk"))
    for match in fresh:
        match.secret = secrets[match.pk]
    Match.objects.bulk_update(fresh, ["secret"])


def match_reseat(
    *,
    match_id: int,
    versions: Sequence[int],
    options: Mapping[str, Any],
    tempo: str = Broadcast.NONE,
    premieres_at: datetime | None = None,
) -> bool:
    """Let those versions, in order, sit in a match that nobody has been given to play, which may have been called off;
    it is held then, and to be broadcast as is said now. ``options`` may be partial. False, and no change, if it has
    been let go to the workers."""
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=match_id)
        if match.state not in (MatchState.HELD, MatchState.CANCELLED) or match.attempt:
            return False
        match.state, match.options = MatchState.HELD, find(match.ruleset).validate(len(versions), options)
        match.tempo, match.premieres_at = tempo, premieres_at
        match.save(update_fields=["state", "options", "tempo", "premieres_at"])
        match.seats.filter(index__gte=len(versions)).delete()
        for index, version in enumerate(versions):
            Seat.objects.update_or_create(
                match=match, index=index, defaults={"version_id": version, "has_forfeited": False}
            )
    return True


def match_restore(*, matches: QuerySet[Match]) -> int:
    """Hold those of ``matches`` that were called off, to be played from their start. Return how many."""
    with transaction.atomic():
        called_off = list(matches.filter(state=MatchState.CANCELLED).values_list("pk", flat=True))
        restored = Match.objects.filter(pk__in=called_off)
        Seat.objects.filter(match__in=called_off).update(has_forfeited=False, cpu_ms=None, slowest_ms=None)
        return restored.update(
            state=MatchState.HELD,
            blocks_kept=0,
            duration_ms=None,
            platform_faults=0,
            workers_lost=0,
            last_platform_fault="",
        )


def matches_drop(*, matches: QuerySet[Match]) -> None:
    """Delete those that were called off before anybody was given them to play."""
    matches.filter(state=MatchState.CANCELLED, attempt=0).delete()


def match_cancel(*, matches: QuerySet[Match]) -> int:
    """Call off those of ``matches`` that are not finished; a worker playing one drops it at its next heartbeat."""
    with transaction.atomic():
        watched = list(matches.filter(state__in=UNDECIDED).values_list("pk", flat=True))
        cancelled = matches.filter(state__in=UNDECIDED).update(state=MatchState.CANCELLED, lease_expires_at=None)
        called_off = matches.filter(state=MatchState.CANCELLED)
        MatchLog.objects.filter(match__in=called_off).delete()
        Game.objects.filter(match__in=called_off).delete()
        SeatLog.objects.filter(seat__match__in=called_off).delete()
        transaction.on_commit(partial(announce, *(f"match.{pk}" for pk in watched)))
    return cancelled


def seats_bar(*, seats: QuerySet[Seat]) -> int:
    """Forfeit those of ``seats`` whose match has not begun: the stand-in plays them. Return how many."""
    return _not_begun(seats).filter(has_forfeited=False).update(has_forfeited=True)


def seats_admit(*, seats: QuerySet[Seat]) -> int:
    """Let the bots play those of ``seats`` that were barred, if the match has not begun. Return how many."""
    return _not_begun(seats).filter(has_forfeited=True).update(has_forfeited=False)


def _not_begun(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    return seats.filter(match__state__in=[MatchState.HELD, MatchState.QUEUED], match__blocks_kept=0)


def stopping_check(*, stopping: Mapping[str, Any], blocks: int, seats: int, ruleset: str) -> dict[str, Any]:
    """Return the stopping rule, complete, for matches of so many seats with ``blocks`` blocks at most; ``{}`` for none.

    Raises:
        MatchError: "stopping", no such rule, a table for more than two, or a value that is not the ruleset's;
            "blocks", too few to decide anything.
    """
    try:
        rule = rule_of(stopping)
    except StoppingError as error:
        raise MatchError("stopping", str(error)) from error
    if rule is None:
        return {}
    if seats > 2:
        raise MatchError("stopping", f"a table of {seats} seats plays a fixed number of blocks; allowed: tables of 2")
    if rule.luck_value and rule.luck_value != value_of(ruleset):
        allowed = value_of(ruleset) or f"none, nothing tells the luck of {ruleset}"
        raise MatchError("stopping", f"value {rule.luck_value:.40} is not allowed; allowed: {allowed}")
    if blocks < rule.least_blocks:
        allowed = f"allowed with this stopping rule: {rule.least_blocks} or more"
        raise MatchError("blocks", f"{blocks} is too few to decide anything; {allowed}")
    return rule.to_dict()


def _check_entrants(pairings: Sequence[PlannedMatch], game: str) -> None:
    ids = {version.pk for pairing in pairings for version in pairing.versions}
    playable = BotVersion.objects.filter(pk__in=ids, state=VersionState.ACCEPTED, bot__game=game)
    missing = ids - set(playable.values_list("pk", flat=True))
    if missing:
        named = ", ".join(
            str(version) for version in BotVersion.objects.filter(pk__in=missing).select_related("bot")[:5]
        )
        raise MatchError("versions", f"not accepted, or not for {game}: {named or sorted(missing)[:5]}")
