"""FIDE's Dutch system through its library: what its rules promise, and what happens when the process does not."""

from itertools import pairwise
from random import Random

import pytest

from tournaments.formats import EntrantsError, Float, pairings_contenders_of
from tournaments.formats.dutch import pairing as dutch
from tournaments.formats.dutch.pairing import DutchError, DutchFailure, Edition, dutch_is_installed, dutch_round
from tournaments.trf import RoundPlayed, TrfGame

needs_library = pytest.mark.skipif(not dutch_is_installed(), reason="no wheel for this machine")


class Event:
    """A Dutch being played; results by chance."""

    def __init__(self, entrants, rounds, seed=1):
        self.order, self.rounds = list(range(100, 100 + entrants)), rounds
        self.present = set(self.order)
        self.played, self.draws = [], []
        self.chance = Random(seed)

    def play(self):
        draw = dutch_round(self.order, self.played, self.present, self.rounds, first_white=True)
        points = [(1, 0), (1, 0), (0, 1), (0.5, 0.5)]
        games = tuple(TrfGame(table.seating, self.chance.choice(points)) for table in draw.tables)
        self.played.append(RoundPlayed(games, tuple(bye.entrant for bye in draw.byes)))
        self.draws.append(draw)
        return draw

    def colours(self, entrant):
        return [game.seating.index(entrant) for one in self.played for game in one.games if entrant in game.seating]


@needs_library
@pytest.mark.parametrize(
    ("entrants", "rounds"), [(8, 5), *(pytest.param(each, 6, marks=pytest.mark.exhaustive) for each in (13, 16))]
)
def test_nobody_meets_twice_or_idles_twice_and_colours_are_never_three_alike(entrants, rounds):
    event = Event(entrants, rounds)
    for _ in range(rounds - 1):  # in the last round leaders may have a colour they should not
        draw = event.play()
        seated = [one for table in draw.tables for one in table.seating] + [bye.entrant for bye in draw.byes]
        assert sorted(seated) == event.order
        assert not any(table.repeated for table in draw.tables)
    pairs = [frozenset(game.seating) for one in event.played for game in one.games]
    byes = [bye for one in event.played for bye in one.byes]
    assert len(set(pairs)) == len(pairs)
    assert len(set(byes)) == len(byes)
    for entrant in event.order:
        colours = event.colours(entrant)
        assert abs(len(colours) - 2 * sum(colours)) <= 2
        assert all(not a == b == c for (a, b), (_, c) in pairwise(pairwise(colours)))


@needs_library
def test_the_first_round_is_the_upper_half_against_the_lower_with_colours_in_turn():
    # C.04.3, first round: S1 in order against S2 in order; odd pairing numbers of S1 get the initial colour.
    assert [table.seating for table in Event(8, 5).play().tables] == [(100, 104), (105, 101), (102, 106), (107, 103)]


@needs_library
def test_the_second_round_pairs_winners_and_gives_scores_floats_and_seats():
    event = Event(8, 5)
    event.chance.choice = lambda points: points[0]
    event.play()
    second = event.play()
    assert [table.group for table in second.tables] == [1, 1, 0, 0]
    assert all(chair.float is Float.NONE for table in second.tables for chair in table.chairs)
    known = {one.entrant: one for one in pairings_contenders_of(
        dict.fromkeys(event.order, 0.0), [_past(event.played[0])], 2
    )}  # fmt: skip
    assert all(chair.sat == known[chair.entrant].sat for table in second.tables for chair in table.chairs)


def _past(played):
    from tournaments.formats import Past

    return Past(tuple(game.seating for game in played.games), played.byes)


@needs_library
def test_bots_come_late_and_leave():
    event = Event(9, 5)
    event.play()
    event.present -= {100, 104}
    event.order.append(300)
    event.present.add(300)
    draw = event.play()
    assert sorted(one for table in draw.tables for one in table.seating) == sorted(event.present)
    floats = {chair.float for table in draw.tables for chair in table.chairs if table.chairs[0].score != table.group}
    assert floats <= {Float.UP, Float.DOWN}


@needs_library
def test_the_same_history_gives_the_same_round():
    assert [Event(11, 4, seed=3).play() for _ in range(2)] == [Event(11, 4, seed=3).play() for _ in range(2)]


@needs_library
def test_forbidden_pairs_do_not_meet():
    draw = dutch_round([1, 2, 3, 4], [], {1, 2, 3, 4}, 2, True, forbidden=[(1, 3)])
    assert {frozenset(table.seating) for table in draw.tables} == {frozenset((1, 4)), frozenset((2, 3))}


@needs_library
def test_a_bye_says_why():
    (bye,) = Event(5, 3).play().byes
    assert (bye.entrant, bye.before, bye.lowest) == (104, 0, 0)


@needs_library
def test_when_everyone_has_met_the_rules_allow_no_round():
    event = Event(2, 3)
    event.play()
    with pytest.raises(DutchError) as refused:
        event.play()
    assert refused.value.failure is DutchFailure.IMPOSSIBLE


@needs_library
@pytest.mark.parametrize(
    ("program", "failure"),
    [
        ("while True: pass", DutchFailure.TOO_SLOW),
        ("raise SystemExit(1)", DutchFailure.BROKEN),
        ("print('[[1, 2]]')", DutchFailure.BROKEN),
    ],
)
def test_a_library_that_hangs_breaks_or_forgets_somebody_draws_nothing(program, failure, tmp_path, monkeypatch):
    engine = tmp_path / "engine.py"
    limits = "import resource, sys; resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[1]),) * 2)\n"
    engine.write_text(limits + program)
    monkeypatch.setitem(dutch.ENGINES, Edition.UNTIL_2026, engine)
    with pytest.raises(DutchError, match="Choose the Swiss") as refused:
        dutch_round([1, 2, 3, 4], [], {1, 2, 3, 4}, 3, True, seconds=1)
    assert refused.value.failure is failure


def test_a_machine_without_the_library_says_so(monkeypatch):
    monkeypatch.setattr(dutch, "find_spec", lambda name: None)
    with pytest.raises(DutchError, match="not installed") as refused:
        dutch_round([1, 2], [], {1, 2}, 3, True)
    assert refused.value.failure is DutchFailure.MISSING


def test_more_than_256_and_fewer_than_two_are_refused():
    with pytest.raises(DutchError) as refused:
        dutch_round(range(257), [], set(range(257)), 3, True)
    assert refused.value.failure is DutchFailure.TOO_MANY
    with pytest.raises(EntrantsError):
        dutch_round([1, 2], [], {1}, 3, True)
