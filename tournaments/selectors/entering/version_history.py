"""The versions of an entry: which version played in which rounds, and when a newer version will play."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import pairwise

from django.db.models import Max, Min, QuerySet

from bots.models import Bot
from matches.models import Seat as MatchSeat
from tournaments.models import Entry, NewVersions, Tournament, TournamentState
from tournaments.selectors.entering.entry_versions import takes_new_entry_versions
from tournaments.selectors.rounds.plans import round_plans_of
from tournaments.selectors.rounds.stages import stage_after


@dataclass(frozen=True, slots=True)
class VersionSpan:
    """The ``first`` and the ``last`` round in which a version played.

    ``last`` is None as long as the version plays on.
    """

    version: int
    first: int
    last: int | None


@dataclass(frozen=True, slots=True)
class VersionPlaying:
    """The version of a bot that plays on in a tournament that is not over.

    ``takes`` says when a newer version would play: "round" for the next round, "stage" for the next stage, and "" for
    never. ``is_newest`` tells whether the bot already plays with its current version.
    """

    entry: Entry
    takes: str
    is_newest: bool


def entry_version_spans(
    tournament: Tournament, entries: Collection[int] | None = None
) -> dict[int, tuple[VersionSpan, ...]]:
    """Return the versions of each entry that has played with several versions, in the order of their rounds.

    A version that played again after another version has two spans. ``entries`` restricts the result to these entries.
    Takes one query, and two if a bot went back to an earlier version. Takes no query if the tournament does not take
    new versions.
    """
    if not takes_new_entry_versions(tournament):
        return {}
    chosen = tournament.entries.all() if entries is None else tournament.entries.filter(pk__in=entries)
    by_bot = {entry.bot_id: entry for entry in chosen.select_related("version")}
    seats = MatchSeat.objects.filter(
        match__fixture__round__tournament=tournament,
        match__fixture__round__started_at__isnull=False,
        version__bot__in=by_bot,
    )
    number = "match__fixture__round__number"
    rows = seats.values_list("version__bot", "version__number").annotate(first=Min(number), last=Max(number))
    found: dict[int, list[VersionSpan]] = {}
    for bot, *span in rows.order_by("version__bot", "first", "version__number"):
        found.setdefault(bot, []).append(VersionSpan(*span))
    several = {bot: spans for bot, spans in found.items() if len(spans) > 1}
    back = [bot for bot, spans in several.items() if any((one.last or 0) >= two.first for one, two in pairwise(spans))]
    if back:
        several |= _runs(seats.filter(version__bot__in=back).values_list("version__bot", "version__number", number))
    return {
        by_bot[bot].pk: (*spans[:-1], _last_version_span(tournament, by_bot[bot], spans[-1]))
        for bot, spans in several.items()
    }


def _runs(rows: QuerySet[MatchSeat, tuple[int, int, int]]) -> dict[int, list[VersionSpan]]:
    """Return the spans of bots that went back to an earlier version, computed from their seats."""
    found: dict[int, list[VersionSpan]] = {}
    for bot, version, number in rows.order_by("version__bot", "match__fixture__round__number", "version__number"):
        spans = found.setdefault(bot, [])
        if spans and spans[-1].version == version:
            spans[-1] = replace(spans[-1], last=number)
        else:
            spans.append(VersionSpan(version, number, number))
    return found


def _last_version_span(tournament: Tournament, entry: Entry, span: VersionSpan) -> VersionSpan:
    """Return the last span of an entry. If the version plays on, the span has no end."""
    plays_on = not tournament.is_over and not entry.is_withdrawn
    is_current = entry.version is not None and entry.version.number == span.version
    return replace(span, last=None) if plays_on and is_current else span


PLAYS = (TournamentState.LOCKED, TournamentState.RUNNING, TournamentState.PAUSED)


def entry_version_playing(entry: Entry) -> VersionPlaying:
    """Return which version of a bot plays on. The tournament must not be over."""
    bot: Bot = entry.bot
    return VersionPlaying(entry, _later_versions_rule(entry.tournament), entry.version_id == bot.current_id)


def _later_versions_rule(tournament: Tournament) -> str:
    if not takes_new_entry_versions(tournament):
        return ""
    stages = list(tournament.stages.all())
    if any(stage.started_at is None for stage in stages[1:]) or stage_after(stages[-1]) is not None:
        is_later = True
    else:
        is_later = tournament.new_versions == NewVersions.BETWEEN_ROUNDS and _has_round_to_come(tournament)
    if not is_later:
        return ""
    return "stage" if tournament.new_versions == NewVersions.BETWEEN_STAGES else "round"


def _has_round_to_come(tournament: Tournament) -> bool:
    """Return whether a later round than the first is still to begin.

    The plans of rounds do not contain the second of two grand finals.
    """
    planned = round_plans_of(tournament)
    finals = sum(one.is_final for one in planned)
    return any(not one.begun for one in planned[1:]) or finals < tournament.stage.kind.final_rounds
