"""Check the terms of matches, and create matches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

from bots.models import BotVersion, VersionState
from games.catalogue import ruleset_find_or_current
from games.catalogue.code import game_code
from games.protocol import Limits
from luck import luck_value_announced, luck_value_of
from matches.contest_kinds import ContestKey
from matches.models import Audience, Broadcast, Contest, Match, MatchState, Seat
from matches.queue.claims import claim_account_for
from matches.queue.dispatch import dispatch_workers_on_commit
from matches.referee import StoppingError, stopping_rule_of
from web.database import database_now

SECRET_BYTES: Final = range(16, 33)
BLOCKS_MOST: Final = 1000
MIN_ACTION_MS_MOST: Final = 60_000


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """The ``versions`` of one match in the order of seats, and the ``secret`` from which its seeds are derived."""

    versions: Sequence[BotVersion]
    secret: bytes


@dataclass(frozen=True, slots=True)
class MatchTerms:
    """The terms that all matches of a round or a season have in common.

    ``ruleset`` is the id of a ruleset, or the name of a game for its current ruleset. ``options``, ``limits`` and
    ``stopping`` may be partial; a match stores them completely. Without ``stopping``, a match has a fixed number of
    ``blocks``. With ``stopping``, a match must have two seats, and ``blocks`` is the maximum. With a ``tempo``, the
    matches are broadcast, but not before ``premieres_at``; see ``airing``.

    The time of workers is shared fairly between accounts such as "leagues.5". The default ``account`` is that of the
    organiser. ``luck_value`` is the id of the value that was announced for measuring luck. By default it is the newest
    value of the ruleset.
    """

    ruleset: str
    options: Mapping[str, Any]
    limits: Mapping[str, Any]
    blocks: int
    stopping: Mapping[str, Any] = field(default_factory=dict)
    min_action_ms: int = 0
    tempo: str = Broadcast.NONE
    premieres_at: datetime | None = None
    audience: str = Audience.EVERYONE
    group_id: int | None = None
    organiser_id: int | None = None
    contest: ContestKey | None = None
    account: str = ""
    luck_value: str | None = None


def match_create(*, terms: MatchTerms, versions: Sequence[BotVersion], secret: bytes, held: bool = False) -> Match:
    """Create one match; see ``matches_create``."""
    (match,) = matches_create(terms=terms, pairings=[PlannedMatch(versions, secret)], held=held)
    return match


def matches_create(*, terms: MatchTerms, pairings: Sequence[PlannedMatch], held: bool = False) -> list[Match]:
    """Create a match for each pairing, in this order. Create all or none.

    The matches are queued, and workers are woken after the commit. With ``held``, the matches wait for their release.

    Raises:
        UnknownRuleset, SeatError, OptionError, LimitError: the engine does not accept the terms.
        MatchError: the number of blocks, stopping rule, tempo, pace or secret is invalid; or a version is not accepted
            or is for another game.
    """
    rules = ruleset_find_or_current(terms.ruleset)
    full_limits = Limits.from_dict(terms.limits).to_dict()
    if not 1 <= terms.blocks <= BLOCKS_MOST:
        raise MatchError("blocks", f"{terms.blocks} is not allowed; allowed: 1 to {BLOCKS_MOST}")
    seats = max((len(pairing.versions) for pairing in pairings), default=2)
    value = luck_value_of(rules.id) if terms.luck_value is None else luck_value_announced(rules.id, terms.luck_value)
    rule = match_create_stopping_check(
        stopping=terms.stopping, blocks=terms.blocks, seats=seats, ruleset=rules.id, luck_value=value
    )
    if terms.tempo not in Broadcast.values:
        raise MatchError("tempo", f"{terms.tempo[:20]!r} is not allowed; allowed: {', '.join(Broadcast.values[1:])}")
    if not 0 <= terms.min_action_ms <= MIN_ACTION_MS_MOST:
        raise MatchError("min_action_ms", f"{terms.min_action_ms} is not allowed; allowed: 0 to {MIN_ACTION_MS_MOST}")
    for pairing in pairings:
        if len(pairing.secret) not in SECRET_BYTES:
            raise MatchError("secret", f"{len(pairing.secret)} bytes are not allowed; allowed: 16 to 32")
    _check_entrants(pairings, rules.name)
    owner = terms.account or ("nobody" if terms.organiser_id is None else f"organiser.{terms.organiser_id}")
    with transaction.atomic():
        paid_by = claim_account_for(owner, paced=terms.min_action_ms > 0)
        if terms.contest is not None:
            _ensure_contest(terms.contest)
        matches = Match.objects.bulk_create(
            Match(
                ruleset=rules.id,
                code=str(game_code(rules.name)),
                options=rules.validate(len(pairing.versions), terms.options),
                limits=full_limits,
                blocks=terms.blocks,
                stopping=rule,
                min_action_ms=terms.min_action_ms,
                tempo=terms.tempo,
                premieres_at=terms.premieres_at,
                secret=pairing.secret,
                on_finished_task=terms.contest.kind.finished_task if terms.contest else "",
                audience=terms.audience,
                group_id=terms.group_id,
                organiser_id=terms.organiser_id,
                account=paid_by,
                luck_value=value,
                contest_id=str(terms.contest) if terms.contest else None,
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
            dispatch_workers_on_commit(len(matches))
    return matches


def match_create_stopping_check(
    *, stopping: Mapping[str, Any], blocks: int, seats: int, ruleset: str, luck_value: str | None = None
) -> dict[str, Any]:
    """Return the complete stopping rule for matches of ``seats`` seats and at most ``blocks`` blocks; ``{}`` for none.

    ``luck_value`` is the id of the value with which the rule may subtract luck. By default it is the newest value of
    the ruleset.

    Raises:
        MatchError: with the field "stopping" if the rule is unknown, if it names another value, or if there are more
            than two seats; with the field "blocks" if there are too few blocks to decide anything.
    """
    try:
        rule = stopping_rule_of(stopping)
    except StoppingError as error:
        raise MatchError("stopping", str(error)) from error
    if rule is None:
        return {}
    if seats > 2:
        raise MatchError("stopping", f"a table of {seats} seats plays a fixed number of deals; allowed: tables of 2")
    value = luck_value_of(ruleset) if luck_value is None else luck_value
    if rule.luck_value and rule.luck_value != value:
        allowed = value or f"none, nothing tells the luck of {ruleset}"
        raise MatchError("stopping", f"value {rule.luck_value:.40} is not allowed; allowed: {allowed}")
    if blocks < rule.least_blocks:
        sentence = _("A match that ends when it is decided needs at least %(least)d deals.")
        raise MatchError("blocks", sentence % {"least": rule.least_blocks})
    return rule.to_dict()


def _ensure_contest(key: ContestKey) -> None:
    contest, _created = Contest.objects.get_or_create(name=str(key), defaults={"is_quiet": key.kind.is_quiet})
    if contest.is_quiet != key.kind.is_quiet:
        Contest.objects.filter(pk=contest.pk).update(is_quiet=key.kind.is_quiet)


def _check_entrants(pairings: Sequence[PlannedMatch], game: str) -> None:
    ids = {version.pk for pairing in pairings for version in pairing.versions}
    playable = BotVersion.objects.filter(pk__in=ids, state=VersionState.ACCEPTED, bot__game=game)
    missing = ids - set(playable.values_list("pk", flat=True))
    if missing:
        named = ", ".join(
            str(version) for version in BotVersion.objects.filter(pk__in=missing).select_related("bot")[:5]
        )
        raise MatchError("versions", f"not accepted, or not for {game}: {named or sorted(missing)[:5]}")


class MatchError(ValueError):
    """Raised for terms that are not allowed.

    ``field`` is "versions", "secret", "blocks", "stopping", "min_action_ms", "tempo" or "premieres_at".
    """

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(f"match, {field}: {detail}")
        self.field = field
        self.detail = detail
