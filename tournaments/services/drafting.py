"""Create a tournament, and change it until the first bot enters. For later changes see ``services.editing``."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from django.contrib.auth.models import AbstractUser
from django.db import IntegrityError, transaction
from django.utils.text import slugify

from contests.caps import caps_require
from contests.permissions import organiser_permission_require
from games.catalogue import current, find
from games.protocol import Limits
from luck import luck_value_of
from matches.models import Broadcast
from matches.services import match_create_stopping_check
from tournaments.errors import EditStale, UnknownTempo
from tournaments.formats import seating_smallest_table
from tournaments.formats.format import EVERYONE_MEETS
from tournaments.formats.registry import FIRST_OFFERED
from tournaments.models import Stage, Tournament, TournamentState
from tournaments.selectors.entering.editing import Editing, tournament_editing_of
from tournaments.services.editing import (
    tournament_edit_audience_require,
    tournament_edit_basis_require,
    tournament_edit_missed,
    tournament_edit_sources_require,
)
from tournaments.services.luck import tournament_luck_commit
from tournaments.services.tournament_chain import (
    tournament_chain_edit_append,
    tournament_chain_edit_content,
    tournament_chain_terms_append,
)
from tournaments.services.transitions import tournament_announce_later, tournament_locked
from tournaments.standings import LOT, TIE_BREAKS, TieBreakError
from tournaments.workload import workload_require

RESERVED_SLUGS: Final = frozenset({"", "new"})
ROUND_ROBIN_TIE_BREAKS: Final = (*EVERYONE_MEETS, LOT)


@dataclass(frozen=True, slots=True)
class StagePlan:
    """The settings of a stage that the organiser chooses; see ``models.Stage``."""

    format: str = FIRST_OFFERED
    players_per_table: int = 2
    rounds: int = 0
    blocks: int = 2
    entrants: int = 0
    has_third_place: bool = False
    stopping: Mapping[str, Any] = field(default_factory=dict)  # see matches.services.matches_create


def tournament_create(
    *,
    organiser: AbstractUser,
    name: str,
    ruleset: str,
    stages: Sequence[StagePlan] = (StagePlan(),),
    options: Mapping[str, Any] | None = None,
    limits: Limits | None = None,
    tie_breaks: Sequence[str] = ROUND_ROBIN_TIE_BREAKS,
    **fields: Any,
) -> Tournament:
    """Create a draft with a secret of its own. The address is derived from the name.

    ``fields`` are values for other fields of ``Tournament``.

    Raises:
        NotAnOrganiser: ``organiser`` may not create tournaments.
        UnknownRuleset, SeatError, OptionError: the game is unknown, or does not have these table sizes or options.
        MatchError: a stopping rule is invalid.
        TieBreakError, UnknownTempo: the code of a tie-break or of a tempo is unknown.
        OverCap, TooLarge: the limits of the site, or of the organiser's share of the workers, are exceeded.
    """
    organiser_permission_require(organiser)
    tournament = Tournament(organiser_id=organiser.pk, **fields)
    with transaction.atomic():
        _describe(tournament, name, ruleset, stages, options or {}, limits or Limits(), tie_breaks)
        _saved_at_a_free_address(tournament)
        tournament_luck_commit(tournament)
        _stages_create(tournament, stages)
        workload_require(tournament)
    return tournament


def tournament_draft_update(
    *,
    tournament: Tournament,
    basis: str,
    name: str,
    ruleset: str,
    stages: Sequence[StagePlan],
    options: Mapping[str, Any],
    limits: Limits,
    tie_breaks: Sequence[str] = ROUND_ROBIN_TIE_BREAKS,
    **fields: Any,
) -> Tournament:
    """Change a draft, or an open tournament without entries. Its address does not change.

    If terms of an open tournament change, they are appended to the chain. For ``basis`` see
    ``selectors.entering.editing.tournament_edit_basis``.

    Raises:
        WrongState: the tournament is neither a draft nor open.
        EditStale: the tournament was changed, or a bot has entered, since ``basis`` was computed.
        EditRefused: see ``tournament_edit_audience_require`` and ``tournament_edit_sources_require``.
        UnknownRuleset, SeatError, OptionError, MatchError, TieBreakError, UnknownTempo, OverCap, TooLarge: see
            ``tournament_create``.
    """
    with transaction.atomic():
        tournament = tournament_locked(tournament.pk, TournamentState.DRAFT, TournamentState.OPEN)
        tournament_edit_basis_require(tournament, basis)
        if tournament_editing_of(tournament) is not Editing.EVERYTHING:
            raise EditStale
        tournament_edit_audience_require(tournament, fields)
        tournament_edit_sources_require(tournament, fields)
        content = tournament_chain_edit_content(tournament)
        for attribute, value in {**fields, **tournament_edit_missed(tournament, fields)}.items():
            setattr(tournament, attribute, value)
        _describe(tournament, name, ruleset, stages, options, limits, tie_breaks)
        tournament.save()
        tournament.stages.all().delete()
        _stages_create(tournament, stages)
        workload_require(tournament)
        if tournament.state == TournamentState.OPEN:
            tournament_chain_terms_append(tournament)
            tournament_chain_edit_append(tournament, content)
            tournament_announce_later(tournament.pk)
    return tournament


def _describe(
    tournament: Tournament,
    name: str,
    game: str,
    stages: Sequence[StagePlan],
    options: Mapping[str, Any],
    limits: Limits,
    tie_breaks: Sequence[str],
) -> None:
    ruleset = current(game)
    for code in tie_breaks:
        if code not in TIE_BREAKS:
            raise TieBreakError(code)
    if tournament.tempo not in Broadcast.values:
        raise UnknownTempo
    caps_require(limits=limits, blocks=[stage.blocks for stage in stages], min_action_ms=tournament.min_action_ms)
    tournament.name = name
    tournament.ruleset = ruleset.id
    tournament.luck_value = luck_value_of(ruleset.id)
    tournament.options = {}
    for stage in stages:
        tournament.options |= ruleset.offer(stage.players_per_table, options)
    tournament.limits = limits.to_dict()
    tournament.tie_breaks = [*(code for code in tie_breaks if code != LOT), LOT]


def _stages_create(tournament: Tournament, plans: Sequence[StagePlan]) -> None:
    for stage in draft_stages_of(tournament, plans):
        stage.save()


def draft_stages_of(tournament: Tournament, plans: Sequence[StagePlan]) -> list[Stage]:
    """Return the stages of a tournament, without saving them.

    Raises:
        MatchError: a stopping rule is invalid.
    """
    least = find(tournament.ruleset).seats.start
    stages = []
    for number, plan in enumerate(plans, start=1):
        stage = Stage(tournament=tournament, number=number, **asdict(plan))
        stage.stopping = match_create_stopping_check(
            stopping=plan.stopping,
            blocks=plan.blocks,
            seats=plan.players_per_table,
            ruleset=tournament.ruleset,
        )
        fewest = max(seating_smallest_table(plan.players_per_table), least)
        stage.smallest_table = fewest if stage.kind.fills_up else plan.players_per_table
        stage.rounds = plan.rounds if stage.kind.takes_rounds else 0
        stages.append(stage)
    return stages


def _saved_at_a_free_address(tournament: Tournament) -> None:
    wish = slugify(tournament.name)[:80].strip("-")
    for number in range(1, 1000):
        slug = wish if number == 1 else f"{wish or 'tournament'}-{number}"
        if slug in RESERVED_SLUGS or Tournament.objects.filter(slug=slug).exists():
            continue
        tournament.slug = slug
        try:
            with transaction.atomic():
                tournament.save(force_insert=True)
        except IntegrityError:
            if not Tournament.objects.filter(slug=slug).exists():
                raise
            continue  # another process took the address meanwhile
        return
    raise RuntimeError(f"no free address for a tournament named {tournament.name!r}")
