"""The state that the rulings lead to is made the one that is, as ``selectors.consequences`` has found it."""

from django.db.models import Q, QuerySet

from matches.models import Match
from matches.models import Seat as MatchSeat
from matches.services import (
    match_cancel,
    match_publish,
    match_release,
    match_restore,
    matches_reseed,
    seats_admit,
    seats_bar,
)
from tournaments.match_secrets import match_secret
from tournaments.models import Fixture, Ruling, Stage, Tournament, TournamentState
from tournaments.selectors.rulings.consequences import stage_outdated
from tournaments.selectors.rulings.corrections import rulings_of, shut_out_of
from tournaments.selectors.rulings.ruling_drafts import Consequences
from tournaments.services.leaving import entries_settle
from tournaments.services.publishing import audience_of
from tournaments.services.redrawing import round_reseat
from tournaments.services.reverting import (
    fixtures_restore,
    fixtures_undo,
    rounds_tidy,
    stage_reopen,
    stage_restore,
    stages_roll_back,
    stages_store,
)
from tournaments.standings import RulingCode, holding


def rulings_settle(ruling: Ruling, follows: Consequences) -> None:
    """Set fixtures, stages, matches and entries as they follow; ``ruling`` is what takes places away."""
    tournament = ruling.tournament
    entries_settle(tournament)
    kept = stages_store(ruling, follows.rewound)
    fixtures_undo(ruling, follows.undone, kept)
    if follows.rewound:
        stages_roll_back(follows.rewound)
    rounds_tidy(tournament)  # what comes back comes back to its own round, not to one drawn in its place
    fixtures_restore(follows.restored)
    for one in follows.revived:
        stage_restore(one)
        one.delete()
    rounds_tidy(tournament)
    match_cancel(matches=_matches([one.match_id for one in follows.called_off]))
    back = [one.match_id for one in follows.released] + [one.match_id for one in follows.restored]
    if follows.redraw is not None:
        round_reseat(follows.redraw)
    _play_on(tournament, back)
    seats_settle(tournament)
    if follows.to_play:
        stage_reopen(tournament)


def seats_settle(tournament: Tournament) -> None:
    """Have bots that are shut out forfeit their seats in what has not begun, and all others play."""
    out = shut_out_of(tournament)
    bots = tournament.entries.filter(pk__in=out).values("bot")
    drawn = MatchSeat.objects.filter(match__fixture__round__tournament=tournament)
    seats_bar(seats=drawn.filter(version__bot__in=bots))
    seats_admit(seats=drawn.exclude(version__bot__in=bots))


def _matches(ids: list[int]) -> QuerySet[Match]:
    return Match.objects.filter(pk__in=ids)


def _play_on(tournament: Tournament, ids: list[int]) -> None:
    """Play those that were called off from their start, once their rounds have begun and the tournament runs.
    Seeds of a secret that is known by now are not used again."""
    fixtures = Fixture.objects.filter(match__in=ids).select_related("round__tournament", "match")
    for fixture in fixtures:
        match_publish(matches=_matches([fixture.match_id]), **audience_of(fixture.round))
    if not match_restore(matches=_matches(ids)):
        return
    luck = tournament.luck
    value, secrets = luck.value, {}
    for fixture in fixtures.filter(~Q(luck=luck.number), match__state="held"):
        Fixture.objects.filter(pk=fixture.pk).update(luck=luck.number)
        secrets[fixture.match_id] = match_secret(value, fixture.round.number, fixture.table, fixture.attempt)
        Match.objects.filter(pk=fixture.match_id).update(attempt=0)
    matches_reseed(secrets=secrets)
    if tournament.state == TournamentState.RUNNING:
        begun = fixtures.filter(round__started_at__isnull=False).values_list("match", flat=True)
        match_release(matches=_matches(list(begun)))


def stages_mend(stage: Stage) -> bool:
    """Restart ``stage``, which is not the first, or one before it, if a match of the stage before that was replayed
    after it had begun, and others go on by its result; return whether that was so. Everything that is drawn has been
    decided.
    """
    held = holding(rulings_of(stage.tournament))
    new = [one.new for one in held if one.kind is RulingCode.REPLAY and one.new is not None]
    later = stage.tournament.stages.filter(number__range=(2, stage.number)).order_by("number")
    return bool(new) and any(_mend(one, new) for one in later)


def _mend(stage: Stage, new: list[int]) -> bool:
    """Restart this stage if it must; ``new``: the matches that were played in the place of others."""
    before = Fixture.objects.filter(match__in=new, round__stage__number=stage.number - 1)
    later = before.filter(match__finished_at__gt=stage.started_at)
    if not later.exists():
        return False
    follows = stage_outdated(stage)
    if follows is None:
        return False
    replayed = stage.tournament.rulings.filter(data__new__in=list(later.values_list("match", flat=True)))
    ruling = replayed.order_by("-number")[0]
    kept = stages_store(ruling, follows.rewound)
    fixtures_undo(ruling, follows.undone, kept)
    stages_roll_back(follows.rewound)
    stage_reopen(stage.tournament)
    return True
