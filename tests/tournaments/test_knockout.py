"""Knockouts in the app: a bracket drawn round by round, walkovers, places, and a Swiss whose best play one."""

import json
import re

import pytest
from django.urls import reverse

from matches.models import Match
from tests.arena.factories import OrganiserFactory
from tests.arena.pages import assert_clean_page
from tests.tournaments.factories import TournamentFactory, finish_match, finish_matches, running_tournament
from tests.tournaments.test_forms import typed
from tests.tournaments.test_swiss import no_broker, play_round  # noqa: F401  a fixture
from tournaments import services
from tournaments.formats.knockout import DecidedBy, Part
from tournaments.formats.knockout.pages.labels import bracket_slot_short_label
from tournaments.formats.knockout.plan import EliminationType
from tournaments.formats.knockout.plan import knockout_plan_of as bracket_nodes
from tournaments.forms import TournamentForm, tournament_form_initial
from tournaments.models import Entry, Stage, Tournament
from tournaments.selectors.rounds.stages import stage_bracket_current, stage_seeding_of
from tournaments.selectors.standings.ranking import standings_of
from tournaments.workload import workload_plan

pytestmark = pytest.mark.django_db


def knockout(entries=8, kind="single_elimination", **fields):
    return running_tournament(entries, format=kind, **fields)


def best_seed_wins(cup):
    seeds = {entry: number for number, entry in enumerate(stage_seeding_of(cup.stage), start=1)}
    return lambda table: [float(seeds[one] == min(seeds[other] for other in table)) for one in table]


def play(cup, judge=None):
    """Round after round to the end of the stage; how many matches each had."""
    stage, sizes = cup.stage, []
    while not stage.finished_at:
        sizes.append(len(finish_matches(cup, judge or best_seed_wins(cup))))
        services.tournament_advance(tournament_id=cup.pk)
        stage.refresh_from_db()
        cup.refresh_from_db()
    return sizes


@pytest.mark.parametrize(
    ("entries", "kind", "fields", "sizes"),
    [
        (2, "single_elimination", {}, [1]),
        (6, "single_elimination", {}, [2, 2, 1]),
        (8, "single_elimination", {"has_third_place": True}, [4, 2, 2]),
        (8, "double_elimination", {}, [4, 4, 3, 1, 1, 1]),
    ],
)
def test_a_knockout_is_played_round_by_round_to_the_end(entries, kind, fields, sizes):
    cup = knockout(entries, kind, **fields)
    seeds = stage_seeding_of(cup.stage)
    assert play(cup) == sizes
    assert cup.state == "finished"
    assert cup.rounds.count() == len(sizes)
    assert cup.fixtures.count() == sum(sizes) <= workload_plan(cup, entries).matches
    assert [row.entrant for row in standings_of(cup.stage)] == seeds
    if entries == 6:
        assert [row.rank for row in standings_of(cup.stage)] == [1, 2, 3, 3, 5, 5]


def test_the_seeds_of_a_first_stage_come_by_lot_and_stay():
    one, other = (knockout(8, secret=bytes([number]) * 32) for number in range(2))
    orders = [
        [entry - min(stage_seeding_of(cup.stage)) for entry in stage_seeding_of(cup.stage)] for cup in (one, other)
    ]
    assert orders[0] != orders[1]
    services.entry_withdraw(entry=one.entries.first(), by=one.organiser)
    assert len(stage_seeding_of(one.stage)) == 8


def test_a_bot_that_leaves_between_rounds_loses_by_walkover():
    cup = knockout(8)
    seeds = stage_seeding_of(cup.stage)
    finish_matches(cup, best_seed_wins(cup))
    services.entry_withdraw(entry=Entry.objects.get(pk=seeds[0]), by=cup.organiser)
    services.tournament_advance(tournament_id=cup.pk)
    bracket = stage_bracket_current(cup.stage)
    walkover = next(bout for bout in bracket.bouts if bout.verdict and bout.verdict.by is DecidedBy.WALKOVER)
    assert (walkover.verdict.loser, walkover.place.round) == (seeds[0], 2)
    assert cup.rounds.last().fixtures.count() == 1
    play(cup)
    assert [row.entrant for row in standings_of(cup.stage)][:2] == [seeds[1], seeds[3]]


def test_a_walkover_stands_though_the_one_that_passed_leaves_too():
    cup = running_tournament(4, format="single_elimination")
    seeds = stage_seeding_of(cup.stage)
    worst_wins = lambda table: [float(one == max(table, key=seeds.index)) for one in table]  # noqa: E731
    finish_matches(cup, worst_wins)
    for out in (seeds[2], seeds[3]):  # the finalists; the one with the better seed first
        services.entry_withdraw(entry=cup.entries.get(pk=out), by=cup.organiser)
    services.tournament_advance(tournament_id=cup.pk)
    cup.refresh_from_db()
    assert cup.state == "finished"
    assert [row.entrant for row in standings_of(cup.stage)][:2] == [seeds[3], seeds[2]]


def test_a_level_match_goes_to_the_better_game_points_then_to_the_better_seed():
    cup = knockout(2)
    seeds = stage_seeding_of(cup.stage)
    match = Match.objects.get()
    finish_match(match, [1.0, 1.0], [3, 5])
    (bout,) = stage_bracket_current(cup.stage).bouts
    assert (bout.verdict.winner, bout.verdict.by) == (seeds[1], DecidedBy.GAME_POINTS)
    finish_match(match, [1.0, 1.0], [5, 5])
    (bout,) = stage_bracket_current(cup.stage).bouts
    assert (bout.verdict.winner, bout.verdict.by) == (seeds[0], DecidedBy.SEED)


@pytest.mark.parametrize(
    ("ending", "scores", "phrase"),
    [
        ("too_close", [3.0, 1.0], "wins (too close to call after 2 deals; more games won)."),
        ("undecided", [2.0, 2.0], "wins (not decided after 2 deals; tied, the higher seed advances)."),
        ("first_better", [3.0, 1.0], "wins (more games won)."),
    ],
)
def test_a_winner_of_a_match_too_close_to_call_is_not_called_better(client, ending, scores, phrase):
    cup = knockout(2, blocks=2)
    match = finish_match(Match.objects.get(), scores)
    Match.objects.filter(pk=match.pk).update(ending=ending)
    text = client.get(reverse("tournaments:pairings", args=[cup.slug, 1])).content.decode()
    assert phrase in " ".join(text.split())


def test_a_match_that_was_forfeited_is_lost_whatever_the_score():
    cup = knockout(2)
    match = finish_match(Match.objects.get(), [2.0, 0.0])
    match.seats.filter(index=0).update(has_forfeited=True)
    (bout,) = stage_bracket_current(cup.stage).bouts
    assert (bout.verdict.winner, bout.verdict.by) == (stage_seeding_of(cup.stage)[1], DecidedBy.FORFEIT)


def swiss_then_knockout(entries=10, best=4, **fields):
    cup = TournamentFactory(entries=entries, format="swiss", rounds=3)
    Stage.objects.create(tournament=cup, number=2, format="single_elimination", entrants=best, blocks=2, **fields)
    return services.tournament_start(tournament=cup)


def test_the_best_of_a_swiss_play_a_knockout_by_themselves():
    cup = swiss_then_knockout(has_third_place=True)
    for _ in range(3):
        play_round(cup)
    best = [row.entrant for row in standings_of(cup.stages.first())][:4]
    assert (cup.stage.number, cup.state, stage_seeding_of(cup.stage)) == (2, "running", best)
    first = cup.rounds.get(number=4)
    pairs = [
        {entry.pk for entry in Entry.objects.filter(version__seats__match=one.match)} for one in first.fixtures.all()
    ]
    assert pairs == [{best[0], best[3]}, {best[1], best[2]}]
    assert {one.match.blocks for one in first.fixtures.all()} == {2}
    play(cup)
    assert cup.state == "finished"
    assert [row.entrant for row in standings_of(cup.stage)] == best


def test_a_bot_that_left_after_the_swiss_leaves_its_place_to_the_next():
    cup = swiss_then_knockout(best=2)
    for _ in range(2):
        play_round(cup)
    finish_matches(cup)
    ranking = [row.entrant for row in standings_of(cup.stage)]
    services.entry_withdraw(entry=Entry.objects.get(pk=ranking[0]), by=cup.organiser)
    services.tournament_advance(tournament_id=cup.pk)
    assert stage_seeding_of(cup.stages.last()) == ranking[1:3]


def page(client, name, *args):
    response = client.get(reverse(f"tournaments:{name}", args=args))
    assert response.status_code == 200
    assert_clean_page(response)
    return response.content.decode()


@pytest.mark.parametrize("kind", ["single_elimination", "double_elimination"])
def test_the_bracket_names_every_match_with_its_bots_and_result(client, kind):
    cup = knockout(6, kind)
    early = page(client, "bracket", cup.slug, 1)
    assert "Winner of " in early
    assert "Champion" in early
    assert "champion" not in early
    assert early.count(">bye<") == 2 * 1 if kind == "single_elimination" else early.count(">bye<") > 2
    play(cup)
    late = page(client, "bracket", cup.slug, 1)
    for entry in cup.entries.all():
        assert entry.bot.name in late
    for fixture in cup.fixtures.all():
        assert reverse("matches:detail", args=[fixture.match_id]) in late
    assert "more games won" not in late, "the scores tell"
    assert ("Losers&#x27; round 1" in late) == (kind == "double_elimination")
    [champion] = {row.entrant for row in standings_of(cup.stage) if row.rank == 1}
    name = cup.entries.get(pk=champion).bot.name
    assert re.search(r'class="trophy">.*?<strong>(.*?)</strong>', late, re.DOTALL)[1] == name
    path = re.findall(r'class="side[^"]*champion[^"]*"\s+data-entry="(\d+)"', late)
    assert set(path) == {str(champion)}
    assert len(path) >= cup.fixtures.filter(match__seats__version__bot__entries=champion).count()


@pytest.mark.parametrize("kind", EliminationType)
@pytest.mark.parametrize("entrants", [2, 3, 6, 13, 32])
def test_matches_of_a_bracket_are_numbered_from_1_in_the_order_of_its_rounds(kind, entrants):
    double = kind is EliminationType.DOUBLE
    places = [node.place for node in bracket_nodes(kind, entrants) if node.place.part in (Part.WINNERS, Part.LOSERS)]
    for part, letter in ((Part.WINNERS, "W"), (Part.LOSERS, "L")):
        ordered = sorted((place for place in places if place.part is part), key=lambda one: (one.round, one.slot))
        letter = letter if double else ""
        assert [bracket_slot_short_label(one, double) for one in ordered] == [
            f"{letter}{n}" for n in range(1, len(ordered) + 1)
        ]


def test_the_places_of_a_knockout_say_in_which_round_each_bot_went_out(client):
    cup = knockout(6, has_third_place=True)
    play(cup)
    page = client.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    out = re.findall(r'data-label="Out in" data-live>([^<]*)</td>', page)
    assert out == ["–", "Final", *["Semi-finals"] * 2, *["Quarter-finals"] * 2]  # noqa: RUF001


def test_a_round_of_a_knockout_says_who_comes_from_where_and_why_somebody_goes_on(client):
    cup = knockout(4)
    finish_matches(cup, best_seed_wins(cup))
    services.tournament_advance(tournament_id=cup.pk)
    assert "goes on (more games won)." in page(client, "pairings", cup.slug, 1)
    assert "winner of: Semi-finals, match 1" in page(client, "pairings", cup.slug, 2)


def test_every_page_with_a_tie_says_who_goes_on(client):
    cup = knockout(4)
    finish_matches(cup, lambda _match: [2.0, 2.0])
    best, *_rest = stage_seeding_of(cup.stage)
    sentence = f"{cup.entries.get(pk=best).bot.name} goes on (tied, the higher seed advances)."
    pages = [page(client, "detail", cup.slug), page(client, "boards", cup.slug, 1), page(client, "screen", cup.slug)]
    assert all(sentence in " ".join(text.split()) for text in pages)
    other = knockout(2)
    finish_matches(other, best_seed_wins(other))
    assert "more games won" not in page(client, "boards", other.slug, 1)  # the scores tell


def test_pages_mark_the_qualifier_of_a_knockout_tie_as_the_winner(client):
    cup = knockout(4)
    while cup.state != "finished":
        finish_matches(cup, lambda _match: [2.0, 2.0])
        services.tournament_advance(tournament_id=cup.pk)
        cup.refresh_from_db()
    text = page(client, "detail", cup.slug)
    forms = re.findall(r'-form" data-label="Form" data-live>(.*?)</td>', text, re.DOTALL)
    assert [re.findall(r'data-form="(\w+)"', one) for one in forms] == [
        ["won"] * 2,
        ["won", "lost"],
        ["lost"],
        ["lost"],
    ]
    [decider] = re.findall(r'<div class="decider">.*?</ul>', text, re.DOTALL)
    assert decider.count('class="first"') == 1


def test_nobody_goes_on_from_a_final_or_the_third_place_match(client):
    cup = knockout(4, has_third_place=True)
    play(cup)
    last = page(client, "pairings", cup.slug, 2)
    assert last.count("wins (more games won).") == 2
    assert "goes on:" not in last


def test_the_page_of_a_tournament_in_two_stages_shows_the_one_that_began_last_and_leads_to_the_other(client):
    cup = swiss_then_knockout()
    before = page(client, "detail", cup.slug)
    assert "Show the bracket" not in before
    for _ in range(3):
        play_round(cup)
    now = page(client, "detail", cup.slug)
    assert "Stage 1: Swiss" in now
    assert reverse("tournaments:bracket", args=[cup.slug, 2]) in now
    assert (
        "This page is out of date"
        in client.get(reverse("tournaments:live", args=[cup.slug]), {"began": 1}).content.decode()
    )
    first = client.get(reverse("tournaments:detail", args=[cup.slug]), {"stage": 1}).content.decode()
    assert "num more tie-break" in first
    assert "num more tie-break" not in now
    assert "Stage" not in page(client, "tie-breaks", cup.slug)
    data = json.loads(client.get(reverse("tournaments:export", args=[cup.slug, "tournament.json"])).getvalue())
    assert [stage["format"] for stage in data["stages"]] == ["swiss", "single_elimination"]
    assert data["stages"][1]["fixtures"][0]["reasons"]["place"]["of"] == 2
    sheet = client.get(reverse("tournaments:export", args=[cup.slug, "fixtures.csv"]))
    assert sheet.status_code == 200


def test_a_tournament_that_is_a_knockout_alone_announces_and_explains_no_tie_breaks(client):
    cup = knockout(4)
    shown = page(client, "detail", cup.slug)
    assert "ties are broken" not in shown
    assert "ties were broken" not in shown
    assert "A knockout has no ties to break" in page(client, "tie-breaks", cup.slug)


def test_the_form_makes_a_swiss_and_a_knockout_of_the_best(client):
    organiser = OrganiserFactory()
    client.force_login(organiser)
    answer = client.post(
        reverse("tournaments:create"),
        typed(format="swiss", rounds=4, final="single_elimination", final_entrants=8, final_blocks=3, third_place="on"),
    )
    assert answer.status_code == 302
    first, final = Tournament.objects.get().stages.all()
    assert (first.format, first.rounds, first.has_third_place) == ("swiss", 4, False)
    assert (final.format, final.entrants, final.blocks, final.has_third_place) == ("single_elimination", 8, 3, True)
    initial = tournament_form_initial(Tournament.objects.get())
    assert (initial["final"], initial["final_entrants"], initial["third_place"]) == ("single_elimination", 8, True)
    shown = page(client, "detail", Tournament.objects.get().slug)
    assert "the places of the stage before" in shown


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"format": "dutch", "rounds": 3, "players_per_table": 4}, "players_per_table"),
        ({"format": "single_elimination", "players_per_table": 3}, "players_per_table"),
        ({"format": "dutch", "rounds": ""}, "rounds"),
        ({"format": "swiss", "rounds": 3, "final": "single_elimination", "final_entrants": ""}, "final_entrants"),
        ({"format": "swiss", "rounds": 3, "final": "single_elimination", "final_entrants": 1}, "final_entrants"),
    ],
)
def test_conflicting_fields_get_errors_beside_them(fields, field):
    form = TournamentForm(typed(**fields))
    assert not form.is_valid()
    assert field in form.errors
