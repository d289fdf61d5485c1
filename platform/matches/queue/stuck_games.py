"""Contests that cannot go on because of the code of their game: it is missing, or broken, or another than their matches
were made with, or it raises again and again.

They are paused with the reason. Code that was away and is back lets them go on by themselves. After a fault of the
code, and with other code, somebody resumes them who has read the reason: ``match_release`` then has their matches
played by what is installed.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import QuerySet

from games.catalogue import BROKEN, GAMES, PACKAGES, is_played
from games.catalogue.code import read_code
from matches.contests import ContestKey
from matches.models import Match, MatchState
from matches.queue.worker_status import MISSED_AFTER, workers_up
from web.errors import Refusal

logger = logging.getLogger(__name__)

REASON_MOST: Final = 500  # letters


@dataclass(frozen=True, slots=True)
class WatchedContest:
    """A contest that goes on, or was paused ``because`` of its game; ``matches``: those of it that may be played."""

    key: ContestKey
    ruleset: str
    matches: QuerySet[Match]
    because: str
    pause: Callable[..., Any]  # takes ``because``
    resume: Callable[[], Any]


def stuck_contests_tend(contests: Iterable[WatchedContest]) -> None:
    """Pause those that are stuck, with the reason, and resume those that no longer are. What one raises is logged."""
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
                logger.info("%s goes on", one.key)
                one.resume()
        except Refusal as refused:  # somebody was first
            logger.info("%s: %s", one.key, refused)
        except Exception:
            logger.exception("%s was neither paused nor resumed", one.key)


def _failed() -> dict[str, str]:
    """Return by the name of a contest the first fault of the game's code for which a match of it is held."""
    held = Match.objects.filter(state=MatchState.HELD, is_games_fault=True, contest__isnull=False)
    rows = held.order_by("-pk").values_list("contest", "pk", "last_platform_fault")
    return {contest: f"match {pk}: {fault}" for contest, pk, fault in rows}


def _code_lacking(ruleset: str, matches: QuerySet[Match]) -> str:
    """Return why no worker can play what waits of ``matches``; "" if one can, or none is there to play anything.

    No query where the game is the engine's own.
    """
    game = ruleset.partition("/")[0]
    if game in BROKEN and game not in GAMES:  # another package may have wanted the name of one that is played
        return f"the package of the game {game} is broken: {BROKEN[game]}"
    if is_played(ruleset) and game not in PACKAGES:
        return ""
    waiting = matches.filter(state__in=[MatchState.QUEUED, MatchState.HELD]).order_by()
    wanted = [code for text in waiting.values_list("code", flat=True).distinct() if (code := read_code(text))]
    if not is_played(ruleset):
        needs = f"; its matches are of {', '.join(code.shown for code in wanted)}" if wanted else ""
        return f"{ruleset} is not installed{needs}"
    workers = list(workers_up(MISSED_AFTER).values_list("games", flat=True))
    said = [games for games in workers if games is not None]
    if not said or len(said) < len(workers):  # one of the release before does not say what it has
        return ""
    there = {games[game] for games in said if game in games}
    for code in wanted:
        if str(code) not in there:
            others = ", ".join(sorted(other.shown for text in there if (other := read_code(text))))
            return f"its matches are of {code.shown}; workers have {others or 'no package of this game'}"
    return ""
