"""Begin stages, draw their rounds, and end stages, until the tournament is finished.

If the tournament takes new versions, entries are updated to the current versions of their bots when a round or stage
begins. This happens in the transaction in which the round begins, while the tournament is locked, so it happens once.
A waiting round is drawn with the earlier versions. When a round begins, its seats are updated, and so are the seats of
all waiting rounds.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from bots.models import BotVersion, VersionState
from matches.models import UNDECIDED, MatchState
from matches.models import Seat as MatchSeat
from matches.services import PlannedMatch, match_held_seats_assign
from tournaments.entry_events import entry_versions_event_publish
from tournaments.follow_events import (
    bracket_round_event_publish,
    stage_cut_event_publish,
    tournament_places_event_publish,
)
from tournaments.formats.draw_position import DrawnRound, draw_position_next_rounds
from tournaments.hook_events import (
    FINISHED,
    Stop,
    tournament_rounds_event_publish,
    tournament_state_event_publish,
    tournament_stop_event_publish,
)
from tournaments.match_secrets import tournament_match_secret, tournament_match_secret_attempts
from tournaments.models import Bye, Entry, Fixture, Round, RoundPlan, Seed, Stage, Tournament, TournamentState
from tournaments.selectors.entering.entry_versions import PLAYABLE, is_new_entry_version_due, takes_new_entry_versions
from tournaments.selectors.rounds.forbidden_pairs import forbidden_author_groups_of
from tournaments.selectors.rounds.plans import Calendar
from tournaments.selectors.rounds.stage_draws import stage_draw_position_of
from tournaments.selectors.rounds.stages import is_stage_round_undecided, stage_after, stage_first_seeds
from tournaments.selectors.rulings.corrections import entries_shut_out_by_rulings
from tournaments.selectors.standings.ranking import standings_of
from tournaments.services.consequences import ruling_consequences_mend
from tournaments.services.leaving import entries_withdraw_ineligible
from tournaments.services.round_matches import round_matches_create
from tournaments.services.ruling_chain import ruling_chain_changes_append, ruling_chain_state
from tournaments.services.tournament_chain import (
    NewLink,
    tournament_chain_link_append,
    tournament_chain_links_append,
    tournament_chain_results_append,
    tournament_chain_standings_content,
)
from tournaments.services.transitions import tournament_announce_later, tournament_state_move

STEPS: Final = 10  # steps of one call, e.g. the end of a stage, the first round of the next, and a repeated draw


def tournament_advance(*, tournament_id: int) -> bool:
    """Advance a running tournament if all its matches are decided. Return False, and change nothing, if nothing is due.

    Draw the next rounds. If the stage has no rounds left, end it and begin the next stage. If there is no next stage,
    finish the tournament. Repeat this until there are matches to play.

    Rounds are computed without a lock. Then they are written in one short transaction, which locks the tournament. If
    the revision of the tournament, or the entries that play on, have changed meanwhile, nothing is written and the
    rounds are computed again. So only one of several concurrent calls writes. If a call is killed, the next call
    continues.
    """
    moved = False
    for _ in range(STEPS):
        if is_stage_round_undecided(tournament_id):
            break
        stage = _due(Tournament.objects.filter(pk=tournament_id))
        if stage is None:
            break
        present = list(_present(stage))
        moved |= _step(stage, present, draw_position_next_rounds(stage_draw_position_of(stage, present)))
    return moved


def stage_rounds_begin(stage: Stage) -> None:
    """Begin a stage. From now on, ``tournament_advance`` draws its rounds."""
    stage.started_at = timezone.now()
    stage.save(update_fields=["started_at"])
    if stage.number == 1 and stage.kind.has_bracket:
        _seed(stage, stage_first_seeds(stage, _present(stage)))
    seeds = list(stage.seeds.values_list("entry_id", flat=True))
    tournament_chain_link_append(stage.tournament_id, "stage", {"stage": stage.number, "seeds": seeds})


def _due(chosen: QuerySet[Tournament]) -> Stage | None:
    """Return the current stage of the ``chosen`` tournament, if it is running and all its matches are decided.

    Call this before reading anything else. Any later change raises the revision of the tournament, so ``_step`` can see
    that the data is out of date.
    """
    tournament = chosen.filter(state=TournamentState.RUNNING).first()
    if tournament is None:
        return None
    undecided = Fixture.objects.filter(round__tournament=tournament, match__state__in=UNDECIDED)
    return None if undecided.exists() else tournament.stage


def _step(read: Stage, present: Sequence[int], rounds: Sequence[DrawnRound]) -> bool:
    """Write the ``rounds``, or end the stage if there are none. Return whether anything was changed.

    Do nothing if the tournament or its entries have changed since the rounds were computed from ``read`` and
    ``present``. If a stage must restart or an entry must be withdrawn first, do only that.
    """
    with transaction.atomic():
        stage = _due(Tournament.objects.select_for_update().filter(pk=read.tournament_id))
        if stage is None or stage.pk != read.pk:
            return False
        tournament_chain_results_append(tournament_id=read.tournament_id)
        if stage.number > 1:
            before = ruling_chain_state(stage.tournament)
            if ruling_consequences_mend(stage):
                ruling_chain_changes_append(stage.tournament, before, "mended")
                tournament_announce_later(stage.tournament_id)
                return True
        if entries_withdraw_ineligible(tournament_id=stage.tournament_id):
            return True
        versions = _present(stage)
        # Deleting a version does not raise the revision, so the entries are compared too.
        if (stage.tournament.revision, list(versions)) != (read.tournament.revision, present):
            return False
        if rounds:
            if stage.kind.has_bracket and stage.drawn:
                playing = {entry for drawn in rounds for table in drawn.tables for entry in table.seating}
                bracket_round_event_publish(stage, stage.tournament.next_round - 1, present, playing)
            _rounds_create(stage, rounds, versions)
        else:
            _stage_finish(stage)
        tournament_announce_later(stage.tournament_id)
    return True


def _stage_finish(stage: Stage) -> None:
    stage.finished_at = timezone.now()
    stage.save(update_fields=["finished_at"])
    rows = standings_of(stage)
    tournament_chain_link_append(
        stage.tournament_id, "stage_end", {"stage": stage.number, "standings": tournament_chain_standings_content(rows)}
    )
    following = stage_after(stage)
    going_on = following.kind.going_on(following.terms, rows, _present(stage)) if following else []
    if following is not None and len(going_on) >= following.smallest_field:
        following.save()
        if (
            not following.kind.is_play_off
        ):  # before a play-off, the other bots are not out, because they keep their places
            stage_cut_event_publish(stage, going_on, _present(stage))
        _seed(following, going_on)
        stage_rounds_begin(following)
    else:
        tournament_state_move(
            stage.tournament_id, [TournamentState.RUNNING], TournamentState.FINISHED, finished_at=timezone.now()
        )
        tournament_chain_link_append(stage.tournament_id, "end", {})
        tournament_state_event_publish(stage.tournament_id, FINISHED)
        tournament_places_event_publish(Tournament.objects.get(pk=stage.tournament_id))


def _seed(stage: Stage, entries: Sequence[int]) -> None:
    """Store the seeds of a stage. ``entries`` has the best first. Bots of the same author are seeded apart."""
    seeds = stage.kind.seeded(stage.terms, entries, forbidden_author_groups_of(stage.tournament))
    Seed.objects.bulk_create(
        Seed(stage=stage, number=number, entry_id=entry) for number, entry in enumerate(seeds, start=1)
    )


def _rounds_create(stage: Stage, rounds: Sequence[DrawnRound], versions: Mapping[int, BotVersion]) -> None:
    first, luck = stage.tournament.next_round, stage.tournament.luck
    value = luck.value
    beginnings = _beginnings(stage, first, rounds)
    begun = [number for number, one in enumerate(beginnings, start=first) if not one.waits]
    if begun and round_entry_versions_update(stage, begun[0]):
        versions = _present(stage)
    links = (
        NewLink("round", _round_create(stage, number, beginning, drawn, versions, luck.number, value))
        for number, (beginning, drawn) in enumerate(zip(beginnings, rounds, strict=True), start=first)
    )
    tournament_chain_links_append(stage.tournament_id, links)
    if stage.tournament.has_round_review:
        tournament_stop_event_publish(stage.tournament, Stop.REVIEW, str(first))
    else:
        tournament_rounds_event_publish(stage.tournament_id, range(first, first + len(rounds)))
    stage.drawn += len(rounds)
    stage.save(update_fields=["drawn"])


def _present(stage: Stage) -> dict[int, BotVersion]:
    """Return the version of each entry that plays on in the stage, in the order of their seeds."""
    entries = Entry.objects.filter(
        tournament=stage.tournament_id, is_withdrawn=False, version__state=VersionState.ACCEPTED
    ).select_related("version")
    if stage.number > 1:
        entries = entries.filter(seeds__stage=stage).order_by("seeds__number")
    return {entry.pk: entry.version for entry in entries if entry.version is not None}


class _Beginning(NamedTuple):
    """The plan of a new round, its earliest start, and whether it waits (for this time, or for the organiser)."""

    plan: RoundPlan | None
    starts_at: datetime | None
    waits: bool


def _beginnings(stage: Stage, first: int, rounds: Sequence[DrawnRound]) -> list[_Beginning]:
    """Return the beginning of each of the new ``rounds``. ``first`` is the number of the first round."""
    calendar, now, found = Calendar(stage), timezone.now(), []
    for place, drawn in enumerate(rounds):
        plan = calendar.plan(stage.drawn + 1 + place, [table.reasons for table in drawn.tables if table.reasons])
        starts_at = calendar.starts_at(first + place, plan)
        waits = stage.tournament.has_round_review or (starts_at is not None and starts_at > now)
        found.append(_Beginning(plan, starts_at, waits))
    return found


def _round_create(
    stage: Stage,
    number: int,
    beginning: _Beginning,
    drawn: DrawnRound,
    versions: Mapping[int, BotVersion],
    luck: int,
    value: bytes,
) -> dict[str, Any]:
    """Create a round with its matches and byes. Return the content of its link in the chain.

    The seeds of the matches are derived from ``value``, which is the value of the luck with the number ``luck``.
    """
    tournament, (plan, starts_at, waits) = stage.tournament, beginning
    played = Round.objects.create(
        tournament=tournament,
        stage=stage,
        number=number,
        luck=luck,
        starts_at=starts_at,
        started_at=None if waits else timezone.now(),
        premieres_at=plan.premieres_at if plan else None,
        tempo=plan.tempo if plan else "",
    )
    attempt = tournament_match_secret_attempts(tournament, number)
    matches = round_matches_create(played, _pairings(value, number, drawn, versions, attempt), held=waits)
    Fixture.objects.bulk_create(
        Fixture(
            round=played,
            table=number,
            match=match,
            attempt=attempt(number),
            luck=luck,
            reasons=table.reasons,
        )
        for number, (table, match) in enumerate(zip(drawn.tables, matches, strict=True), start=1)
    )
    Bye.objects.bulk_create(
        Bye(round=played, entry_id=bye.entry, points=stage.bye_points, reasons=bye.reasons) for bye in drawn.byes
    )
    tables = [
        {"table": at, "attempt": attempt(at), "seats": list(table.seating), "reasons": table.reasons}
        for at, table in enumerate(drawn.tables, start=1)
    ]
    byes = [{"entry": bye.entry, "points": stage.bye_points, "reasons": bye.reasons} for bye in drawn.byes]
    return {
        "round": number,
        "stage": stage.number,
        "luck": luck,
        "waits": waits,
        "tables": tables,
        "byes": byes,
    }


def _pairings(
    luck: bytes,
    number: int,
    drawn: DrawnRound,
    versions: Mapping[int, BotVersion],
    attempt: Callable[[int], int],
) -> Sequence[PlannedMatch]:
    return [
        PlannedMatch(
            [versions[entry] for entry in place.seating], tournament_match_secret(luck, number, table, attempt(table))
        )
        for table, place in enumerate(drawn.tables, start=1)
    ]


def round_entry_versions_update(stage: Stage, number: int) -> int:
    """Update the entries to the current versions of their bots, and notify the owners. Return how many were updated.

    Call it when round ``number`` of ``stage`` begins. Do nothing if the tournament does not take new versions. A
    version that is not accepted does not become current. So the bot keeps playing with its earlier version.

    The seats of waiting rounds are checked even if no entry was updated. A ruling may have restored a round, and such a
    round still has the versions that it had when it was undone.
    """
    if not takes_new_entry_versions(stage.tournament):
        return 0
    updated = _entries_update(stage.tournament, number) if is_new_entry_version_due(stage) else 0
    _seats_update(stage.tournament)
    return updated


def _entries_update(tournament: Tournament, number: int) -> int:
    playing = Entry.objects.filter(PLAYABLE, tournament=tournament, is_withdrawn=False, version__isnull=False)
    updated = list(playing.exclude(version=F("bot__current")).select_related("bot__current").order_by("pk"))
    if not updated:
        return 0
    for entry in updated:
        entry.version = entry.bot.current
    Entry.objects.bulk_update(updated, ["version"])
    packages = [{"entry": one.pk, "package": one.version.sha256} for one in updated if one.version is not None]
    tournament_chain_link_append(tournament.pk, "versions", {"entries": packages})
    entry_versions_event_publish(tournament, number, updated)
    return len(updated)


def _seats_update(tournament: Tournament) -> None:
    """Update the seats in matches of waiting rounds to the versions of the entries.

    Cancelled matches are included, because they may be played after all if a ruling is taken back.
    """
    versions = dict(tournament.entries.filter(version__isnull=False).values_list("bot", "version"))
    waiting = MatchSeat.objects.filter(
        match__fixture__round__tournament=tournament,
        match__fixture__round__started_at__isnull=True,
        match__state__in=[MatchState.HELD, MatchState.CANCELLED],
        match__attempt=0,
    )
    seats = {
        seat: versions[bot]
        for seat, bot, version in waiting.values_list("pk", "version__bot", "version")
        if versions.get(bot, version) != version
    }
    if seats:
        out = tournament.entries.filter(pk__in=entries_shut_out_by_rulings(tournament), version__isnull=False)
        match_held_seats_assign(versions=seats, barred=out.values_list("version", flat=True), called_off=True)
