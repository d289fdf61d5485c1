"""Every property a Swiss promises, over whole tournaments in which bots come and go as they like."""

import json
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tournaments.formats import (
    EntrantsError,
    Float,
    PairedBye,
    PairedTable,
    Past,
    RankedEntrant,
    pairings_contenders_of,
    seating_smallest_table,
    seating_table_sizes,
    swiss_round,
)
from tournaments.formats.swiss.pairing_cost import swiss_seating_of_least_cost

SECRET = b"committed"
EVERY_SIZE = [2, 3, 4, 5, 6, 7]


class Event:
    """A Swiss being played; at each table those with the higher number finish ahead, the first seat wins ties."""

    def __init__(self, entrants, seats, upset=lambda round_number, entrant: entrant, secret=SECRET):
        self.secret = secret
        self.seats, self.smallest, self.upset = seats, seating_smallest_table(seats), upset
        self.scores = dict.fromkeys(entrants, 0.0)
        self.away = set()
        self.past = []

    def players(self):
        return [
            one for one in pairings_contenders_of(self.scores, self.past, self.seats) if one.entrant not in self.away
        ]

    def play(self):
        """Draw a round and its results; the players before it, and the draw."""
        players, number = self.players(), len(self.past) + 1
        draw = swiss_round(players, self.seats, self.smallest, self.secret, number)
        for table in draw.tables:
            order = sorted(table.seating, key=lambda entrant: self.upset(number, entrant))
            for beaten, entrant in enumerate(order):
                self.scores[entrant] += beaten * (self.seats - 1) / (len(order) - 1)
        for bye in draw.byes:
            self.scores[bye.entrant] += self.seats - 1
        self.past.append(Past(tuple(table.seating for table in draw.tables), tuple(bye.entrant for bye in draw.byes)))
        return {one.entrant: one for one in players}, draw


@st.composite
def events(draw, most=24):
    """An event before its first round, and for each of its rounds who leaves and how many come."""
    seats = draw(st.sampled_from(EVERY_SIZE))
    count = draw(st.integers(seating_smallest_table(seats), most))
    chance = draw(st.randoms(use_true_random=False))
    strength = {}
    event = Event(range(count), seats, lambda number, entrant: strength.setdefault((number, entrant), chance.random()))
    changes = draw(st.lists(st.tuples(st.lists(st.integers(0, most - 1), max_size=2), st.integers(0, 2)), max_size=6))
    return event, changes


def rounds(event, changes):
    """Plays the event; entrants leave and come between the rounds, as long as a table can be filled."""
    yield event.play()
    for leaving, coming in changes:
        for entrant in leaving:
            if entrant in event.scores and len(event.players()) > event.smallest and entrant not in event.away:
                event.away.add(entrant)
        for _ in range(coming):
            event.scores[len(event.scores)] = 0.0
        yield event.play()


@given(events())
@examples(60)
def test_every_entrant_sits_at_one_table_or_has_the_bye(case):
    for players, draw in rounds(*case):
        seated_once = [entrant for table in draw.tables for entrant in table.seating]
        assert sorted(seated_once + [bye.entrant for bye in draw.byes]) == sorted(players)
        sizes = {len(table.chairs) for table in draw.tables}
        event = case[0]
        assert max(sizes) <= event.seats
        assert min(sizes) >= event.smallest
        assert max(sizes) - min(sizes) <= 1


@given(events())
@examples(60)
def test_nobody_idles_twice_while_somebody_has_not_idled(case):
    for players, draw in rounds(*case):
        idle = {bye.entrant for bye in draw.byes}
        for entrant in idle:
            assert all(players[entrant].byes <= other.byes for one, other in players.items() if one not in idle)


@pytest.mark.parametrize("count", [8, 10, 16, 40])
@pytest.mark.parametrize("seats", [2, 4])
def test_forbidden_pairs_do_not_meet_even_if_that_takes_rematches(count, seats):
    event = Event(range(count), seats)
    clique = range(count - 1, count - 4, -1)  # the best three: they would meet in every round
    forbidden = [frozenset(pair) for pair in combinations(clique, 2)]
    for number in range(1, 5 if seats == 2 else 4):
        draw = swiss_round(event.players(), seats, event.smallest, SECRET, number, forbidden)
        if count // seats >= 3:  # there are tables enough to keep them apart
            assert not any(pair <= set(table.seating) for table in draw.tables for pair in forbidden)
        event.past.append(Past(tuple(table.seating for table in draw.tables)))
        for table in draw.tables:
            for beaten, entrant in enumerate(sorted(table.seating)):
                event.scores[entrant] += beaten


def test_a_forbidden_pair_meets_where_nobody_else_is_left():
    (table,) = swiss_round(Event(range(2), 2).players(), 2, 2, SECRET, 1, [frozenset((0, 1))]).tables
    assert set(table.seating) == {0, 1}


@pytest.mark.parametrize("count", [5, 7, 9, 11, 17])
def test_an_odd_number_in_pairs_gives_every_bot_one_bye_before_any_has_two(count):
    event = Event(range(count), 2)
    for _ in range(count):
        event.play()
    assert [one.byes for one in event.players()] == [1] * count


def unmet(players, sizes, byes):
    """Whether tables of these sizes can be formed of ``players`` (less so many byes) without a rematch: by trial."""
    fewest = sorted(one.byes for one in players)[byes - 1] if byes else 0
    may = [one for one in players if one.byes <= fewest]
    for idle in combinations(may, byes):
        if all(one in idle for one in players if byes and one.byes < fewest):
            left = [one for one in players if one not in idle]
            if fits(left, list(sizes)):
                return True
    return False


def fits(left, sizes):
    if not left:
        return True
    first, *others = left
    for size in set(sizes):
        rest_sizes = sizes.copy()
        rest_sizes.remove(size)
        for companions in combinations(others, size - 1):
            table = (first, *companions)
            if any(b.entrant in a.met for a, b in combinations(table, 2)):
                continue
            if fits([one for one in others if one not in companions], rest_sizes):
                return True
    return False


@given(events(most=9))
@examples(120)
def test_there_is_no_rematch_while_a_round_without_one_exists(case):
    event = case[0]
    for players, draw in rounds(*case):
        if len(players) > 10:
            break
        sizes = seating_table_sizes(len(players), event.seats, event.smallest)
        rematch = any(b in players[a].met for table in draw.tables for a, b in combinations(table.seating, 2))
        if rematch:
            assert not unmet(list(players.values()), sizes.tables, sizes.byes)


@pytest.mark.parametrize("count", [4, 6, 8, 10])
def test_four_rounds_short_of_a_round_robin_there_is_no_rematch(count):
    event = Event(range(count), 2)
    for _ in range(max(1, count - 4)):
        _, draw = event.play()
        assert not any(table.repeated for table in draw.tables)


@pytest.mark.parametrize(("count", "seats", "number"), [(64, 2, 6), (64, 4, 9), (30, 3, 8), (100, 5, 8), (120, 7, 6)])
def test_fields_too_large_to_try_everything_have_no_rematches_either(count, seats, number):
    event = Event(range(count), seats, lambda number, entrant: entrant + 37 * (number * entrant % 11))
    for _ in range(number):
        _, draw = event.play()
        assert not any(table.repeated for table in draw.tables)


@given(events())
@examples(50)
def test_a_seat_order_within_one_is_found_wherever_there_is_one(case):
    for players, draw in rounds(*case):
        for table in draw.tables:
            if len(table.chairs) > 4:
                continue
            orders = permutations(table.seating)
            best = min(spreads(order, players) for order in orders)
            assert spreads(table.seating, players) == best


def spreads(order, players):
    """How far apart the seats of a table's entrants come to be, the furthest first; one apart is as good as none."""
    after = []
    for seat, entrant in enumerate(order):
        sat = list(players[entrant].sat)
        sat[seat] += 1
        after.append(max(1, max(sat) - min(sat)))
    return sorted(after, reverse=True)


@given(st.integers(2, 7).flatmap(lambda k: st.lists(st.tuples(*[st.integers(0, 3)] * k), min_size=k, max_size=k)))
@examples(60)
def test_the_seat_order_is_the_best_of_all_orders(histories):
    table = list(range(len(histories)))
    players = {n: RankedEntrant(n, 0, {}, tuple(history)) for n, history in enumerate(histories)}
    worth = {order: badness(order, players) for order in (permutations(table) if len(table) < 7 else [])}
    order = swiss_seating_of_least_cost(table, histories)
    assert sorted(order) == table
    if worth:
        assert badness(order, players) == min(worth.values())


def badness(order, players):
    return spreads(order, players), sum(2 * players[e].sat[seat] + 1 for seat, e in enumerate(order))


@given(events(), st.randoms())
@examples(60)
def test_a_round_depends_on_the_standings_the_secret_and_its_number_alone(case, chance):
    event, _ = case
    event.play()
    players = event.players()
    again = list(players)
    chance.shuffle(again)
    first = swiss_round(players, event.seats, event.smallest, SECRET, 2)
    assert swiss_round(again, event.seats, event.smallest, SECRET, 2) == first


def test_another_secret_or_round_gives_another_shuffle():
    players = Event(range(32), 2).players()
    draws = {swiss_round(players, 2, 2, secret, number).tables for secret in (b"a", b"b") for number in (1, 2, 3)}
    assert len(draws) == 6


def test_equals_meet_and_the_odd_one_of_a_group_floats():
    players = [RankedEntrant(n, score, {}, (0, 0)) for n, score in enumerate([3, 3, 3, 2, 1, 1])]
    draw = swiss_round(players, 2, 2, SECRET, 4)
    assert sorted(sorted(chair.score for chair in table.chairs) for table in draw.tables) == [[1, 1], [2, 3], [3, 3]]
    floats = {(chair.score, chair.float) for table in draw.tables for chair in table.chairs}
    assert floats == {(3, Float.NONE), (2, Float.UP), (1, Float.NONE)}


@pytest.mark.parametrize("first", [14_999, 15_047, 15_195, 15_784])
def test_a_gap_is_widened_where_seats_would_come_to_be_three_apart(first, monkeypatch):
    scores, past, wide = dict.fromkeys(range(first, first + 16), 0.0), [], []
    for number in range(1, 5):
        players = pairings_contenders_of(scores, past, 2)
        draw = swiss_round(players, 2, 2, b"s" * 32, number)
        with monkeypatch.context() as without:
            without.setattr("tournaments.formats.swiss.pairing.swiss_seats_cap", lambda _field, _tables: None)
            even = swiss_round(players, 2, 2, b"s" * 32, number)
        if gaps(draw) > gaps(even):
            wide.append((players, draw, even))
        for table in draw.tables:
            scores[max(table.seating)] += 1
        past.append(Past(tuple(table.seating for table in draw.tables), ()))
    assert wide
    for players, draw, even in wide:
        by_entrant = {one.entrant: one for one in players}
        assert max(max(spreads(table.seating, by_entrant)) for table in even.tables) == 3
        assert max(max(spreads(table.seating, by_entrant)) for table in draw.tables) < 3


def gaps(draw):
    return sum((table.chairs[0].score - table.chairs[1].score) ** 2 for table in draw.tables)


def test_a_rematch_avoided_across_groups_is_explained_at_both_tables():
    met = {0: {1: 1}, 1: {0: 1}, 2: {}, 3: {}}
    players = [RankedEntrant(n, score, met[n], (1, 1)) for n, score in enumerate([2, 2, 1, 1])]
    draw = swiss_round(players, 2, 2, SECRET, 3)
    assert sorted(len(set(table.seating) & {0, 1}) for table in draw.tables) == [1, 1]
    avoided = {(one.one, one.other, one.times) for table in draw.tables for one in table.avoided}
    assert avoided == {(0, 1, 1), (1, 0, 1)}


def test_an_unavoidable_rematch_is_explained():
    players = [RankedEntrant(0, 1, {1: 2}, (1, 1)), RankedEntrant(1, 0, {0: 2}, (1, 1))]
    (table,) = swiss_round(players, 2, 2, SECRET, 3).tables
    assert [(one.one, one.other, one.times) for one in table.repeated] == [(0, 1, 2)]


def test_the_bye_goes_to_the_lowest_of_those_without_one_and_says_so():
    players = [RankedEntrant(n, n, {}, (0, 0), byes=int(n == 0)) for n in range(5)]
    (bye,) = swiss_round(players, 2, 2, SECRET, 2).byes
    assert bye == PairedBye(1, 1, 0, 1)


@given(events())
@examples(40)
def test_the_reasons_survive_being_written_and_read(case):
    for _, draw in rounds(*case):
        assert tuple(PairedTable.read(json.loads(json.dumps(table.write()))) for table in draw.tables) == draw.tables
        assert tuple(PairedBye.read(json.loads(json.dumps(bye.write()))) for bye in draw.byes) == draw.byes


@pytest.mark.parametrize("secret", [b"1", b"2", b"3", b"4", b"5", b"6", b"7", b"8"])
def test_nobody_sits_at_a_short_table_again_for_a_gap_of_scores(secret):
    event = Event(range(41), 4, lambda number, entrant: (entrant * 7 + number * 13) % 41, secret)
    for _ in range(4):
        before, draw = event.play()
        # 41 bots at tables of four: three tables of three a round, so 36 seats in four rounds, and no need for a
        # second time; only a rematch avoided is worth one.
        for table, place in short_again(draw, before):
            assert all(
                rematches(exchanged, before) > 0
                for other_table in draw.tables
                for other in other_table.seating
                if len(other_table.seating) == 4 and not before[other].short
                for exchanged in [exchange(table.seating, place, other_table.seating, other)]
            )


def short_again(draw, before):
    return [
        (table, entrant)
        for table in draw.tables
        for entrant in table.seating
        if len(table.seating) == 3 and before[entrant].short
    ]


def exchange(table, one, other_table, other):
    """Both tables after the exchange."""
    return [other if player == one else player for player in table], [
        one if player == other else player for player in other_table
    ]


def rematches(tables, players):
    return sum(b in players[a].met for table in tables for a, b in combinations(table, 2))


@pytest.mark.parametrize("seats", EVERY_SIZE)
def test_sizes_add_up_and_byes_are_rare(seats):
    smallest = seating_smallest_table(seats)
    assert 2 * smallest > seats
    for count in range(200):
        sizes = seating_table_sizes(count, seats, smallest)
        if count < smallest:
            assert sizes is None
            continue
        assert sum(sizes.tables) + sizes.byes == count
        assert len(sizes.tables) == -(-(count - sizes.byes) // seats)
        if sizes.byes:
            assert (seats, sizes.byes) == (2, 1) or (seats, count, sizes.byes) in [(4, 5, 1), (6, 7, 1)]


def test_too_few_for_the_smallest_table_are_refused_with_the_figures():
    with pytest.raises(EntrantsError) as refused:
        swiss_round(Event(range(2), 4).players(), 4, 3, SECRET, 1)
    assert (refused.value.entrants, refused.value.seats) == (2, 3)
