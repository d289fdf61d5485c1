"""Contests that cannot continue because of the code of their game.

The code is missing or broken, it is not the version with which the matches were made, or it raises errors repeatedly.
Such contests are paused, and the reason is stored. They resume by themselves once missing code is installed again.
After errors in the code, or a change of its version, a person must read the reason and resume the contest. Then
``match_release`` lets the matches be played with the installed code.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import QuerySet

from games.catalogue import BROKEN, GAMES, PACKAGES, catalogue_has_ruleset
from games.catalogue.code import game_code_read
from matches.contest_kinds import ContestKey
from matches.models import Match, MatchState
from matches.queue.worker_status import MISSED_AFTER, workers_up
from web.errors import Refusal

logger = logging.getLogger(__name__)

REASON_MOST: Final = 500  # characters


@dataclass(frozen=True, slots=True)
class WatchedContest:
    """A contest that is running, or that was paused because of its game.

    ``because`` is the reason why it was paused; "" if it is running. ``matches`` are the matches of the contest that
    may be played.
    """

    key: ContestKey
    ruleset: str
    matches: QuerySet[Match]
    because: str
    pause: Callable[..., Any]  # called with ``because``
    resume: Callable[[], Any]


def stuck_contests_tend(contests: Iterable[WatchedContest]) -> None:
    """Pause the contests that are stuck, and resume those that are no longer stuck.

    An error of one contest is logged, and the others are still handled.
    """
    failed = _failed()
    for one in contests:
        reason = (_code_lacking(one.ruleset, one.matches) or failed.get(str(one.key), ""))[:REASON_MOST]
        if reason == one.because:
            continue
        try:
            if reason:
                logger.warning("%s is paused: %s", one.key, reason)
                one.pause(because=reason)
            else:
                logger.info("%s is resumed", one.key)
                one.resume()
        except Refusal as refused:  # somebody else has paused or resumed it meanwhile
            logger.info("%s: %s", one.key, refused)
        except Exception:
            logger.exception("%s was neither paused nor resumed", one.key)


def _failed() -> dict[str, str]:
    """Return, by the name of the contest, why its first held match is held. Only faults of the game's code count."""
    held = Match.objects.filter(state=MatchState.HELD, is_games_fault=True, contest__isnull=False)
    rows = held.order_by("-pk").values_list("contest", "pk", "last_platform_fault")
    return {contest: f"match {pk}: {fault}" for contest, pk, fault in rows}


def _code_lacking(ruleset: str, matches: QuerySet[Match]) -> str:
    """Return why no worker can play the waiting ``matches``; "" if a worker can, or if this is not known.

    It is not known if no worker is up, or if a worker does not report the code of its games. For a game that is part of
    the engine, no query is made.
    """
    game = ruleset.partition("/")[0]
    if game in BROKEN and game not in GAMES:  # a broken package may claim the name of a game that works
        return f"the package of the game {game} is broken: {BROKEN[game]}"
    if catalogue_has_ruleset(ruleset) and game not in PACKAGES:
        return ""
    waiting = matches.filter(state__in=[MatchState.QUEUED, MatchState.HELD]).order_by()
    wanted = [code for text in waiting.values_list("code", flat=True).distinct() if (code := game_code_read(text))]
    if not catalogue_has_ruleset(ruleset):
        needs = f"; its matches are of {', '.join(code.shown for code in wanted)}" if wanted else ""
        return f"{ruleset} is not installed{needs}"
    workers = list(workers_up(MISSED_AFTER).values_list("games", flat=True))
    reported = [games for games in workers if games is not None]
    if not reported or len(reported) < len(workers):  # a worker of the previous release does not report its games
        return ""
    there = {games[game] for games in reported if game in games}
    for code in wanted:
        if str(code) not in there:
            others = ", ".join(sorted(other.shown for text in there if (other := game_code_read(text))))
            return f"its matches are of {code.shown}; workers have {others or 'no package of this game'}"
    return ""
