"""A whole tournament with real bots in the real cage, its tasks run here in the order they are sent."""

from collections import Counter, deque

import pytest
from celery import current_app
from django.urls import reverse

from games.catalogue import GAMES, find
from games.dealer import block_seed
from games.record import Record
from matches.models import Fault, Match, MatchState
from matches.worker.process import worker_process_close
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.tournaments.factories import EntryFactory, TournamentFactory
from tournaments.formats import seating_smallest_table
from tournaments.match_secrets import tournament_match_secret
from tournaments.models import Stage, TournamentState
from tournaments.proof.verify import proof_verify
from tournaments.selectors.rounds.stages import stage_bracket_current
from tournaments.selectors.standings.ranking import standings_of
from tournaments.services import tournament_start

pytestmark = pytest.mark.django_db

CRASHES = b"def act(view):\n    return 1 // 0\n"


@pytest.fixture(scope="module", autouse=True)
def cage():
    yield
    worker_process_close()


@pytest.fixture
def run_tasks(monkeypatch, settings, django_capture_on_commit_callbacks):
    """Runs a service and every task that follows from it, one after the other."""
    settings.LEASE_SECONDS = 3600  # a heartbeat has a connection of its own, which does not see what is not committed
    current_app.loader.import_default_modules()  # what a worker does on its start: finds every task
    waiting = deque()
    monkeypatch.setattr("matches.queue.dispatch._messages_waiting", lambda: waiting.count(("matches.play", ())))
    monkeypatch.setattr("celery.Celery.send_task", lambda _, name, args=(), **__: waiting.append((name, args)))

    def run(service, **arguments):
        ran = []
        with django_capture_on_commit_callbacks(execute=True):
            service(**arguments)
        while waiting:
            name, args = waiting.popleft()
            ran.append(name)
            with django_capture_on_commit_callbacks(execute=True):
                current_app.tasks[name](*args)
        return ran

    return run


def cup_of(sources, **fields):
    cup = TournamentFactory(**fields)
    for name, source in sources.items():
        EntryFactory(
            tournament=cup,
            bot=BotVersionFactory(bot=BotFactory(name=name, game=find(cup.ruleset).name), source=source).bot,
        )
    return cup


@pytest.mark.parametrize("players", [2, 3])
def test_house_bots_and_one_that_crashes_play_a_tournament_to_its_end(run_tasks, players):
    sources = {bot.title: bot.source() for bot in GAMES["pickomino"].house_bots[:3]}
    cup = cup_of({**sources, "Cracked Egg": CRASHES}, players_per_table=players, blocks=2)

    ran = run_tasks(tournament_start, tournament=cup)

    cup.refresh_from_db()
    matches = 6 if players == 2 else 4
    assert cup.state == TournamentState.FINISHED
    assert ran.count("matches.play") <= 2
    assert 1 <= ran.count("tournaments.match_finished") <= matches
    assert set(Match.objects.values_list("state", "attempt")) == {(MatchState.FINISHED, 1)}

    rows = standings_of(cup.stage)
    by_name = {cup.entries.get(pk=row.entrant).bot.name: row for row in rows}
    games_each = 3 * 2 * players
    assert [row.rank for row in rows] == [1, 2, 3, 4]
    assert {row.games for row in rows} == {games_each}
    assert sum(row.points for row in rows) == matches * players * (players - 1) / 2
    egg = by_name["Cracked Egg"]
    assert (egg.rank, egg.points, egg.forfeited) == (4, 0, games_each)
    assert all(row.forfeited == 0 for row in rows if row is not egg)
    assert Fault.objects.count() == games_each


@pytest.mark.slow
@pytest.mark.parametrize(("players", "bots", "rounds", "matches"), [(2, 5, 3, 6), (4, 6, 2, 4)])
def test_house_bots_play_a_swiss_to_its_end(run_tasks, players, bots, rounds, matches):
    sources = {f"{bot.title} {copy}": bot.source() for bot in GAMES["pickomino"].house_bots[:3] for copy in (1, 2)}
    entered = dict(list(sources.items())[: bots - 1])
    cup = cup_of(
        {**entered, "Cracked Egg": CRASHES},
        format="swiss",
        rounds=rounds,
        players_per_table=players,
        smallest_table=seating_smallest_table(players),
        blocks=1,
    )
    ran = run_tasks(tournament_start, tournament=cup)
    cup.refresh_from_db()
    assert (cup.state, cup.stage.drawn) == (TournamentState.FINISHED, rounds)
    assert ran.count("tournaments.match_finished") <= cup.fixtures.count() == matches
    rows = standings_of(cup.stage)
    assert {row.played + row.byes for row in rows} == {rounds}
    egg = next(row for row in rows if cup.entries.get(pk=row.entrant).bot.name == "Cracked Egg")
    assert egg.points == egg.byes * cup.stage.bye_points
    assert egg.forfeited == egg.games


def test_from_the_revealed_secret_anyone_derives_every_seed_and_every_game(run_tasks, client, tmp_path):
    sources = {bot.title: bot.source() for bot in GAMES["pickomino"].house_bots[:2]}
    cup = cup_of({**sources, "Cracked Egg": CRASHES}, blocks=2)
    address = reverse("tournaments:export", args=[cup.slug, "proof.zip"])
    assert client.get(address).status_code == 404
    run_tasks(tournament_start, tournament=cup)
    taken_home = tmp_path / "proof.zip"
    taken_home.write_bytes(client.get(address).getvalue())
    proved = proof_verify(taken_home)
    assert (proved.commitments, proved.matches, proved.games) == ((cup.commitment,), 3, 12)
    for fixture in cup.fixtures.select_related("match"):
        secret = tournament_match_secret(cup.luck.value, fixture.round.number, fixture.table)
        for game in fixture.match.games.all():
            record = Record.decode(bytes(game.record))
            assert record.seed == block_seed(secret, game.index // 2)
            assert sorted(record.verify().points) == sorted(game.points)


def test_house_bots_play_a_swiss_and_then_a_knockout_of_the_best_to_the_end(run_tasks, client):
    bots = GAMES["pickomino"].house_bots
    sources = {f"{bot.title} {number}": bot.source() for number, bot in enumerate((*bots, *bots)[:5], start=1)}
    cup = cup_of(sources, format="swiss", rounds=2, blocks=1)
    Stage.objects.create(tournament=cup, number=2, format="double_elimination", entrants=4, blocks=1)

    run_tasks(tournament_start, tournament=cup)

    cup.refresh_from_db()
    first, final = cup.stages.all()
    assert cup.state == TournamentState.FINISHED
    assert [row.entrant for row in standings_of(first)][:4] == list(final.seeds.values_list("entry_id", flat=True))
    rows = standings_of(final)
    assert [row.rank for row in rows] == [1, 2, 3, 4]
    assert final.played.count() in (4, 5)
    lost = Counter(bout.verdict.loser for bout in stage_bracket_current(final).bouts if bout.verdict)
    assert {lost[row.entrant] for row in rows[1:]} == {2}
    assert lost[rows[0].entrant] < 2
    bracket = client.get(reverse("tournaments:bracket", args=[cup.slug, 2]))
    assert bracket.status_code == 200


def test_six_play_karteneck_where_the_organiser_allows_it(run_tasks):
    random, steady = (bot.source() for bot in GAMES["karteneck"].house_bots[:2])
    sources = {f"Bird {number}": (random, steady)[number % 2] for number in range(6)}
    cup = cup_of(sources, ruleset="karteneck/2", options={"max_players": 6}, players_per_table=6, blocks=1)
    run_tasks(tournament_start, tournament=cup)
    cup.refresh_from_db()
    assert cup.state == TournamentState.FINISHED
    assert Match.objects.get().games.count() == 6
    assert not Fault.objects.exists()
