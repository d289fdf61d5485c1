"""A play-off for first place: who meets in it, when it is repeated, and what it leaves as it was."""

import pytest
from django.urls import reverse

from tests.arena.factories import OrganiserFactory
from tests.tournaments.factories import finish_matches, running_tournament, stronger_wins
from tests.tournaments.rulings.rule import fixture_at, rule
from tests.tournaments.test_forms import typed
from tests.tournaments.test_pages import text_of
from tournaments.forms import tournament_form_initial_like
from tournaments.models import Tournament
from tournaments.selectors.standings.ranking import standings_of
from tournaments.services import entry_withdraw, rounds, tournament_advance

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]
PLAY_OFF = ["wins", "play_off", "lot"]


def level(entries):
    return [0.5 for _ in entries]


def leaders(count):
    """The ``count`` entries of the highest numbers are level and beat all others."""

    def judge(entries):
        best = sorted(Tournament.objects.get().entries.values_list("pk", flat=True))[-count:]
        shares = [2 * (one in best) for one in entries]
        return [
            sum(mine > other for other in shares) / (len(shares) - 1) if len(set(shares)) > 1 else 0.5
            for mine in shares
        ]

    return judge


def played(cup, judge):
    """What is drawn is played, and the tournament goes on."""
    finish_matches(cup, judge)
    assert tournament_advance(tournament_id=cup.pk)
    return Tournament.objects.get(pk=cup.pk)


def counted(stage):
    """Everything in the standings but the order: what no play-off may change."""
    return {
        row.entrant: (row.points, row.played, row.won, row.drawn, row.lost, row.game_points, row.values.get("wins"))
        for row in standings_of(stage)
    }


def places(stage):
    return [(row.rank, row.entrant) for row in standings_of(stage)]


def test_those_who_are_level_for_first_play_once_more_and_nothing_else_changes(client):
    cup = played(running_tournament(5, tie_breaks=PLAY_OFF), leaders(2))
    assert (cup.state, cup.stage.number, cup.stage.format) == ("running", 2, "play_off")
    entries = sorted(cup.entries.values_list("pk", flat=True))
    main = cup.stages.get(number=1)
    before, level_order = counted(main), places(main)
    assert sorted(cup.stage.seeds.values_list("entry", flat=True)) == entries[-2:]
    assert cup.stage.played.count() == 1
    assert cup.fixtures.filter(round__stage=cup.stage).count() == 1
    cup = played(cup, lambda table: [float(one == entries[-2]) for one in table])
    assert cup.state == "finished"
    main = cup.stages.get(number=1)
    assert [entry for _, entry in places(main)][:2] == [entries[-2], entries[-1]]
    assert places(main)[2:] == level_order[2:]
    assert counted(main) == before
    assert standings_of(main)[0].above_next_by == "play_off"
    page = text_of(client.get(reverse("tournaments:detail", args=[cup.slug])))
    podium = page[page.index("Final ranking") :][:300]
    assert podium.index(cup.entries.get(pk=entries[-2]).bot.name) < podium.index(
        cup.entries.get(pk=entries[-1]).bot.name
    )


def test_a_play_off_that_is_drawn_is_repeated_three_times_at_most_and_then_the_lot_decides(client):
    cup = played(running_tournament(3, tie_breaks=PLAY_OFF), level)
    for number in (2, 3, 4):
        assert (cup.state, cup.stage.number) == ("running", number)
        cup = played(cup, level)
    assert cup.state == "finished"
    main = cup.stages.get(number=1)
    assert [row.above_next_by for row in standings_of(main)] == ["lot", "lot", ""]
    page = text_of(client.get(reverse("tournaments:detail", args=[cup.slug])))
    assert page[page.index("Final ranking") :][:400].count("by lot") == 3


def test_only_those_who_are_still_level_play_again():
    cup = played(running_tournament(4, tie_breaks=PLAY_OFF), level)
    entries = sorted(cup.entries.values_list("pk", flat=True))
    cup = played(cup, leaders(2))
    assert list(cup.stage.seeds.values_list("entry", flat=True)) == entries[-2:]
    cup = played(cup, stronger_wins)
    rows = standings_of(cup.stages.get(number=1))
    assert cup.state == "finished"
    assert [row.entrant for row in rows][:2] == [entries[-1], entries[-2]]
    assert [row.above_next_by for row in rows] == ["play_off", "play_off", "lot", ""]


def test_a_winner_needs_none():
    cup = played(running_tournament(3, tie_breaks=PLAY_OFF), stronger_wins)
    assert cup.state == "finished"
    assert cup.stages.count() == 1


def test_those_who_fit_at_one_table_meet_there():
    cup = played(running_tournament(4, tie_breaks=PLAY_OFF, players_per_table=3), level)
    assert cup.stage.number == 2
    cup = played(cup, leaders(2))
    assert cup.stage.seeds.count() == 2
    (fixture,) = cup.fixtures.filter(round__stage=cup.stage)
    assert fixture.match.seats.count() == 2
    assert played(cup, stronger_wins).state == "finished"


@pytest.mark.parametrize("play_offs", [1, 2, 3])
def test_a_last_match_that_is_played_again_and_then_has_a_winner_lets_all_play_offs_go(play_offs):
    cup = running_tournament(2, tie_breaks=PLAY_OFF)
    for _ in range(play_offs):
        cup = played(cup, level)
    rule(cup, "replay", fixture=fixture_at(cup, 1, 1))
    cup = played(cup, stronger_wins)
    assert cup.state == "finished"
    assert list(cup.stages.filter(started_at__isnull=False).values_list("number", flat=True)) == [1]
    assert [row.above_next_by for row in standings_of(cup.stage)] == ["points", ""]


def test_a_bot_that_left_is_not_in_the_play_off(client):
    cup = running_tournament(3, format="swiss", rounds=1, players_per_table=3, smallest_table=3, tie_breaks=PLAY_OFF)
    leaving = cup.entries.order_by("pk").first()
    finish_matches(cup, level)
    entry_withdraw(entry=leaving, by=cup.organiser)
    tournament_advance(tournament_id=cup.pk)
    cup = Tournament.objects.get(pk=cup.pk)
    assert leaving.pk not in cup.stage.seeds.values_list("entry", flat=True)
    assert cup.stage.seeds.count() == 2
    cup = played(cup, stronger_wins)
    rows = standings_of(cup.stages.get(number=1))
    assert rows[-1].entrant == leaving.pk
    assert [row.above_next_by for row in rows] == ["play_off", "play_off", ""]


def test_the_lot_decides_between_more_than_eight_level_entrants():
    cup = played(running_tournament(9, tie_breaks=PLAY_OFF), level)
    assert (cup.state, cup.stages.count()) == ("finished", 1)


def test_after_a_knockout_there_is_none():
    cup = running_tournament(4, format="single_elimination", tie_breaks=PLAY_OFF)
    while cup.state == "running":
        cup = played(cup, stronger_wins)
    assert cup.stages.count() == 1


def test_pages_the_api_and_files_say_the_same_and_show_the_whole_field_after_the_end(client):
    cup = played(running_tournament(5, tie_breaks=PLAY_OFF), leaders(2))
    names = dict(cup.entries.values_list("pk", "bot__name"))
    data = client.get(f"/api/tournaments/{cup.slug}/standings/").json()["results"]
    assert len(data) == 2  # those of the play-off, which is being played
    cup = played(cup, lambda table: [float(one == max(table)) for one in table])
    rows = standings_of(cup.stages.get(number=1))
    order = [names[row.entrant] for row in rows]
    data = client.get(f"/api/tournaments/{cup.slug}/standings/").json()["results"]
    assert [(one["rank"], one["bot"]["name"]) for one in data] == list(enumerate(order, start=1))
    assert data[0]["above_next_by"] == "play_off"
    read = client.get(reverse("tournaments:export", args=[cup.slug, "standings.csv"]))
    lines = b"".join(read.streaming_content).decode("utf-8-sig").splitlines()
    assert [line.split(",")[:3] for line in lines if line.startswith("1,")] == [
        ["1", str(rank), name] for rank, name in enumerate(order, start=1)
    ]
    ties = text_of(client.get(reverse("tournaments:tie-breaks", args=[cup.slug])))
    assert "Play-off for first place" in ties
    for name in ("ratings", "detail"):
        assert client.get(reverse(f"tournaments:{name}", args=[cup.slug])).status_code == 200
    for stage in (1, 2):
        assert client.get(reverse("tournaments:detail", args=[cup.slug]), {"stage": stage}).status_code == 200
    assert client.get(reverse("tournaments:calculation", args=[cup.slug, rows[0].entrant])).status_code == 200


def test_an_organiser_chooses_it_and_a_tournament_like_one_that_had_it_has_the_stages_that_were_announced(client):
    organiser = OrganiserFactory()
    client.force_login(organiser)
    chosen = typed(tie_break_1="wins", tie_break_2="play_off", tie_break_3="shared", name="Chosen")
    assert client.post(reverse("tournaments:create"), chosen).status_code == 302
    assert Tournament.objects.get(name="Chosen").tie_breaks == ["wins", "play_off", "shared", "lot"]
    cup = played(running_tournament(3, tie_breaks=["wins", "play_off", "shared", "lot"]), level)
    assert cup.stages.count() == 2
    initial = tournament_form_initial_like(cup)
    assert (initial["format"], initial["final"]) == ("round_robin", "")
    for _ in range(3):
        cup = played(cup, level)
    assert [row.rank for row in standings_of(cup.stages.get(number=1))] == [1, 1, 1]


def test_a_killed_start_of_a_play_off_is_completed_by_the_next_call(monkeypatch):
    cup = running_tournament(3, tie_breaks=PLAY_OFF)
    finish_matches(cup, level)
    for name in ("_seed", "stage_rounds_begin", "_rounds_create"):
        with monkeypatch.context() as patched:
            patched.setattr(rounds, name, _killed)
            with pytest.raises(KeyboardInterrupt):
                tournament_advance(tournament_id=cup.pk)
    assert tournament_advance(tournament_id=cup.pk)
    assert not tournament_advance(tournament_id=cup.pk)
    cup = Tournament.objects.get(pk=cup.pk)
    assert [stage.format for stage in cup.stages.all()] == ["round_robin", "play_off"]
    assert cup.stage.seeds.count() == 3
    assert cup.fixtures.filter(round__stage=cup.stage).count() == 3
    assert played(cup, stronger_wins).state == "finished"


def _killed(*_args):
    raise KeyboardInterrupt
