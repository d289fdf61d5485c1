"""Who sees which games of a check, and the replay player's data for them."""

from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from bots.models import BotVersion, VersionState
from games.catalogue import GAMES
from games.protocol import Limits
from games.record import Record
from matches.bot_history.selectors import FAULT_FIELDS
from matches.models import CheckGame, Match, MatchState
from matches.pages.match_page import player_data
from matches.referee.failure_bundle import bundle_file, seat_at_fault
from matches.referee.rotation import seats_by_position
from matches.referee.trial import CANDIDATE, MIRROR
from teams.selectors import acts_for


def check_games(version: BotVersion, user: AbstractBaseUser | AnonymousUser) -> QuerySet[CheckGame]:
    """Return the games of the last check of ``version`` that have ended, for its author and staff; none for others."""
    may_watch = acts_for(user, version.bot.owner_id) or getattr(user, "is_staff", False)
    if not may_watch or version.state == VersionState.DELETED:
        return CheckGame.objects.none()
    return CheckGame.objects.filter(version=version, attempt=version.check_attempt)


def check_player(version: BotVersion, stage: str, games: list[CheckGame]) -> tuple[Match, dict[str, Any]]:
    """Return an unsaved match that represents the ``games`` of a stage, and the replay player's data for them."""
    record = Record.decode(bytes(games[0].record))
    match = Match(pk=0, ruleset=record.ruleset, options=record.options, state=MatchState.FINISHED, blocks=1)
    match._prefetched_objects_cache = {"seats": []}  # type: ignore[attr-defined]  # who sits there is said below
    mine, house = version.bot.name, GAMES[record.ruleset.partition("/")[0]].house_bots[0].title
    others = [{"name": mine, "version": version.number} if stage == MIRROR else {"name": house, "version": 1}]
    where = [version.bot.slug, version.number, stage]
    player = player_data(match) | {
        "games": len(games),
        "seats": [{"name": mine, "version": version.number}, *others * (record.players - 1)],
        "frames": reverse("bots:check-frames", args=[*where, 0]).replace("/0/", "/{game}/"),
        "page": reverse("bots:check", args=where),
        "conceal": False,
    }
    return match, {name: value for name, value in player.items() if name not in ("luck", "luck_later")}


def failed_game(version: BotVersion, user: AbstractBaseUser | AnonymousUser) -> CheckGame | None:
    """Return the game in which a version failed its check, for its author alone; None if it failed otherwise, or its
    file or the game is no longer kept."""
    if not acts_for(user, version.bot.owner_id) or version.state != VersionState.REFUSED or not version.kept:
        return None
    game = check_games(version, user).last()
    return game if game is not None and Record.decode(bytes(game.record)).interventions else None


def check_bundle(version: BotVersion, game: CheckGame) -> bytes:
    """Return the failure in ``game``, the last of a check, as a file; see ``matches.referee.failure_bundle``.

    Raises:
        RecordError: the record does not replay.
    """
    record = Record.decode(bytes(game.record))
    seats = seats_by_position(game.index, record.players)
    seat = seat_at_fault(record) if game.stage == MIRROR else seats.index(CANDIDATE)
    fault = {name: version.report.get(name) for name in FAULT_FIELDS}
    return bundle_file(record, seat, Limits(), fault, match=0, game=int(version.report.get("games") or 1))


def stage_title(stage: str) -> str:
    """Return what is played in a stage, in the reader's language."""
    return _("Against itself") if stage == MIRROR else _("Against a house bot")
