"""The decisions that cost a bot most in its analysed games: as lists for pages, and as the file for ``peck drill``.

A worker prepares the file. The author gets the decisions of all games that authors may see.
"""

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext

from bots.models import Bot
from contests.audience import audience_groups_of_team
from games.catalogue import GAMES
from games.record import Record
from groups.models import GroupMember
from luck import UNIT
from matches.bot_history.analysed_games import POINTS, AnalysedGame, games_analysed
from matches.bot_history.selectors import ListReader, ResultOpponent, bot_match_tables
from matches.models import Analysis, Game
from matches.referee.costly_positions import MOST, costly_positions_drill, costly_positions_of_game
from web.prepared.answers import prepared_response
from web.prepared.services import Beat, PreparedKind, prepared_file_revision, prepared_register

DRILL: Final = "drill"  # the kind of prepared file
DRILL_NAME: Final = "drill.jsonl"
SHOWN: Final = MOST  # the page shows as many decisions as the drill contains
LEAST: Final = UNIT // 2000  # pages would show smaller losses as 0.0 points


@dataclass(frozen=True, slots=True)
class ActionWorth:
    """An action, its meaning in words, and its value.

    ``meaning`` is "" if the game has no words for the action. ``share`` is the expected share of opponents beaten after
    the action, in percentage points.
    """

    action: str
    meaning: str
    share: float


@dataclass(frozen=True, slots=True)
class CostlyRow:
    """A costly decision: it lost ``lost`` percentage points at ``step`` of ``game``.

    ``game`` and ``step`` are counted as in addresses. ``played`` and ``best`` are None once the text of the analysis is
    deleted.
    """

    match: int
    game: int
    step: int
    version: int
    kind: str
    lost: float
    opponents: Sequence[ResultOpponent] = ()
    played: ActionWorth | None = None
    best: ActionWorth | None = None


@dataclass(frozen=True, slots=True)
class Costliest:
    """The costliest decisions of a bot, as ``rows``, among the ``games`` newest games that ``value`` analysed.

    ``decisions`` is the number of all decisions in these games. ``lost`` is their total loss in percentage points.
    """

    value: str
    games: int
    decisions: int
    lost: float
    rows: Sequence[CostlyRow]

    @property
    def held(self) -> float:
        """The part of all losses that the rows have, from 0 to 1."""
        return sum(row.lost for row in self.rows) / self.lost if self.lost else 0.0


def costliest_of(bot: Bot) -> Costliest:
    """Return the costliest decisions of ``bot`` in all games that its author may see."""
    games = _by_newest_value(bot)
    value = games[0].value if games else ""
    decisions = sum(one.decisions for one in games)
    return Costliest(value, len(games), decisions, _lost(games), costliest_rows(bot, games, SHOWN))


def costliest_rows(
    bot: Bot, games: Sequence[AnalysedGame], most: int, known: Mapping[int, Sequence[ResultOpponent]] = {}
) -> list[CostlyRow]:
    """Return the ``most`` costliest decisions of ``games``, costliest first. Two queries.

    Games are sorted by their costliest decision, and only the first ``most`` games are read: no other game can
    contribute. ``known`` maps match ids to seats that are already loaded.
    """
    worst = _worst(games, most)
    if not worst:
        return []
    sums = dict(Analysis.objects.filter(pk__in=[one.analysis for one in worst]).values_list("pk", "told"))
    tables = {**known, **bot_match_tables({one.match for one in worst if one.match not in known})}
    rows: list[CostlyRow] = []
    for one in worst:
        others = [each for each in tables[one.match] if each.seat != one.seat]
        rows += _rows(bot, one, sums.get(one.analysis), others)
    return sorted(rows, key=lambda row: -row.lost)[:most]


def _by_newest_value(bot: Bot) -> list[AnalysedGame]:
    games = games_analysed(bot, ListReader(bot.owner_id))
    return [one for one in games if one.value == games[0].value]


def _worst(games: Sequence[AnalysedGame], most: int) -> list[AnalysedGame]:
    """Return the ``most`` games with the costliest single decision, costliest first."""
    return sorted((one for one in games if one.worst[1] > 0), key=lambda one: -one.worst[1])[:most]


def _lost(games: Sequence[AnalysedGame]) -> float:
    return sum(one.lost for one in games)


def _rows(bot: Bot, game: AnalysedGame, told: Any, others: Sequence[ResultOpponent]) -> Iterator[CostlyRow]:
    at = (game.match, game.game)
    if told is None:
        yield CostlyRow(*at, game.worst[0], game.version, "", game.worst[1] * POINTS, others)
        return
    for one in json.loads(zlib.decompress(bytes(told)))["decisions"]:
        if one["seat"] != game.position or one["stand_in"] or one["lost"] < LEAST:
            continue
        worth = {option["action"]: option["value"] for option in one["options"]}
        actions = (_worth(bot.game, one[which], worth) for which in ("action", "best"))
        yield CostlyRow(*at, one["step"], game.version, one["kind"], one["lost"] * POINTS, others, *actions)


def _worth(game: str, action: str, worth: Mapping[str, int]) -> ActionWorth:
    meaning = GAMES[game].meaning_of(action) if game in GAMES else ""
    return ActionWorth(action, gettext(meaning) if meaning else "", worth[action] * POINTS)


def _revision(bot_id: int) -> str | None:
    """Return the revision of the drill file. It changes once a day.

    It also changes with a new version, and when the groups of the author change. New games do not change it: otherwise
    the file would be out of date before it is sent.
    """
    bot = Bot.objects.filter(pk=bot_id).first()
    if bot is None:
        return None
    groups = GroupMember.objects.filter(person=bot.owner_id).values_list("group", flat=True)
    seen_in = sorted({*groups, *audience_groups_of_team(bot.owner_id).values_list("pk", flat=True)})
    return prepared_file_revision(bot.slug, bot.owner_id, bot.current_id, seen_in, timezone.now().date())


def _drill(bot_id: int, _name: str, beat: Beat) -> Iterator[bytes]:
    """Yield the drill file with the costliest positions."""
    bot = Bot.objects.get(pk=bot_id)
    games = _by_newest_value(bot)
    looked_at = []
    for one in _worst(games, MOST):
        beat()
        data = bytes(Game.objects.values_list("record", flat=True).get(match=one.match, index=one.game - 1))
        name = f"match-{one.match}.{one.game}"
        looked_at.append(costly_positions_of_game(name, data, Record.decode(data), [one.position], one.value))
    drill = costly_positions_drill(bot.slug, looked_at, MOST, least=LEAST)
    lost = round(_lost(games) / POINTS)
    drill = replace(drill, games=len(games), decisions=sum(one.decisions for one in games), lost=lost)
    yield drill.encode().encode()


def bot_costliest_drill_prepared(request: HttpRequest, bot: Bot, *, page: str = "") -> HttpResponseBase:
    """Request the drill file of a bot, or send it if it is ready; see ``prepared_response``.

    The caller checks that the user may read what the author of the bot may read.
    """
    return prepared_response(request, DRILL, bot.pk, DRILL_NAME, f"{bot.slug}-{DRILL_NAME}", page=page)


def register() -> None:
    """Register the drill as a kind of prepared file."""
    prepared_register(DRILL, PreparedKind(_revision, _drill))
