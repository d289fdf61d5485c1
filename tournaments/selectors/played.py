"""The rounds of a stage for two that are over, as FIDE's rules and its report file see them."""

from collections import defaultdict

from django.db.models import Q

from matches.models import MatchState
from matches.models import Seat as MatchSeat
from tournaments.models import Bye, Fixture, Stage
from tournaments.selectors.corrections import corrections_of
from tournaments.selectors.results import entrants_of
from tournaments.trf import Game, RoundPlayed


def rounds_played_of(stage: Stage) -> list[RoundPlayed]:
    """Every round up to the first with a match that is not decided. A match without a result counts as not held, and so
    does one that was ruled void, or whose result was annulled."""
    entrants, held = entrants_of(stage), corrections_of(stage.tournament)
    undecided = Fixture.objects.filter(
        round__stage=stage, match__state__in=[MatchState.HELD, MatchState.QUEUED, MatchState.RUNNING]
    )
    first_open = undecided.order_by("round__number").values_list("round__number", flat=True).first()
    decided = Q(match__state=MatchState.FINISHED) | Q(match__in=list(held.given))
    seats = MatchSeat.objects.filter(decided, match__fixture__round__stage=stage).exclude(match__in=list(held.void))
    games: defaultdict[int, defaultdict[int, list[tuple[int, float, bool]]]] = defaultdict(lambda: defaultdict(list))
    for number, match, version, score, forfeited in seats.order_by("match__fixture__table", "index").values_list(
        "match__fixture__round__number", "match_id", "version_id", "score", "forfeited"
    ):
        given = held.given.get(match)
        share = (score or 0, forfeited) if given is None else (given.get(entrants[version], 0), False)
        games[number][match].append((entrants[version], *share))
    byes: defaultdict[int, list[int]] = defaultdict(list)
    for number, entry in Bye.objects.filter(round__stage=stage).values_list("round__number", "entry_id"):
        byes[number].append(entry)
    return [
        RoundPlayed(
            tuple(_game(*game) for game in games[number].values() if not any(held.annulled(one) for one, *_ in game)),
            tuple(byes[number]),
        )
        for number in stage.played.values_list("number", flat=True)
        if first_open is None or number < first_open
    ]


def _game(one: tuple[int, float, bool], other: tuple[int, float, bool]) -> Game:
    (first, mine, first_forfeited), (second, theirs, second_forfeited) = one, other
    if first_forfeited or second_forfeited:
        return Game((first, second), (float(not first_forfeited), float(not second_forfeited)), forfeited=True)
    # Scores of two are counted in halves: equal ones are equal.
    difference = round(2 * mine) - round(2 * theirs)
    points = (1.0, 0.0) if difference > 0 else (0.0, 1.0) if difference < 0 else (0.5, 0.5)
    return Game((first, second), points)
