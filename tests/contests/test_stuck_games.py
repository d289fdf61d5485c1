"""Code of a game that raises, is missing, or has changed: its contests pause with the reason, no bot is blamed, and
they then reach the same results as without the failure."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from games.catalogue import BROKEN, GAMES, PACKAGES
from games.catalogue.code import game_code
from leagues.models import League
from leagues.services import league_pause, league_resume, leagues_tend
from matches.models import Fault, Game, Match, MatchState, Seat, WorkerPresence
from matches.queue.leases import PLATFORM_FAULTS_AT_MOST
from matches.queue.worker_status import worker_seen
from matches.worker.playing import Shift, worker_play_claim
from tests.arena.factories import UserFactory
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.bots.test_permissions import token_of
from tests.games.sample import pig
from tests.leagues.factories import open_league, season_of
from tests.matches.in_process import InProcessCage
from tests.tournaments.factories import EntryFactory, TournamentFactory
from tournaments.errors import GameMissing
from tournaments.models import Tournament, TournamentState
from tournaments.services import tournament_pause, tournament_resume, tournament_start, tournaments_tend
from web.database import database_now

pytestmark = pytest.mark.django_db


class KilledWorker(BaseException):
    """The process was ended here."""


HOLDS = b"def act(view):\n    return 'hold' if view['won'] >= 20 else 'roll'\n"


@pytest.fixture(autouse=True)
def _pig(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pig is installed, version 1.0.0 of its package, beside a worker that has it."""
    monkeypatch.setattr("matches.worker.playing.worker_process_cage", InProcessCage)
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    monkeypatch.setitem(GAMES, "pig", pig.GAME)  # type: ignore[arg-type]
    installed("1.0.0", monkeypatch)
    yield
    game_code.cache_clear()


def installed(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version of the package is installed here, and the worker starts again with it."""
    monkeypatch.setitem(GAMES, "pig", pig.GAME)  # type: ignore[arg-type]
    monkeypatch.setitem(PACKAGES, "pig", ("pecking-order-pig", version))  # type: ignore[arg-type]
    game_code.cache_clear()
    worker_seen(name="one@here")


def removed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(GAMES, "pig")  # type: ignore[arg-type]
    monkeypatch.delitem(PACKAGES, "pig")  # type: ignore[arg-type]
    game_code.cache_clear()
    worker_seen(name="one@here")


def cup_of_pig(bots: int = 4, **fields: Any) -> Tournament:
    cup = TournamentFactory(ruleset="pig/1", options={}, **fields)
    for number in range(bots):
        version = BotVersionFactory(bot=BotFactory(game="pig"), source=HOLDS + b"# %d\n" % number)
        EntryFactory(tournament=cup, bot=version.bot)
    return tournament_start(tournament=cup)


def breaks_after(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The code of the game raises, once so many turns of it have been taken."""
    whole, taken = pig.position.Position._next, [0]

    def raising(position: Any, won: int) -> Any:
        taken[0] += 1
        if taken[0] > steps:
            raise ZeroDivisionError("in the rules")
        return whole(position, won)

    monkeypatch.setattr(pig.position.Position, "_next", raising)


def work(most: int = 200) -> int:
    """Play what there is, without the pauses after faults; how many claims there were."""
    for claims in range(most):
        Match.objects.filter(state=MatchState.QUEUED).update(dispatch_at=database_now() - timedelta(minutes=1))
        if not worker_play_claim():
            return claims
    raise AssertionError("there is no end to it")


def results() -> list[Any]:
    """What has been played, by what it was played from: a match's secret and who sat where."""
    rows = Game.objects.order_by("match", "index").values_list("match__secret", "index", "record", "points", "places")
    return sorted(map(str, rows))


def played_through(cup: Tournament) -> None:
    for _ in range(20):
        work()
        tournaments_tend()
        cup.refresh_from_db()
        if cup.state != TournamentState.RUNNING:
            return


def pages_of(contest: Tournament | League, kind: str) -> dict[str, tuple[str, str]]:
    """The page of a contest and its answer in the API, for several people."""
    arbiter = {"arbiter": UserFactory()} if kind == "tournaments" else {}
    if isinstance(contest, Tournament):
        contest.arbiters.add(*arbiter.values())
    people = {"organiser": contest.organiser, "staff": UserFactory(is_staff=True), "other": UserFactory(), **arbiter}
    shown = {}
    for who, person in people.items():
        client = Client()
        client.force_login(person)
        api = client.get(f"/api/{kind}/{contest.slug}/", headers={"authorization": f"Token {token_of(person)}"}).json()
        shown[who] = client.get(f"/{kind}/{contest.slug}/").content.decode(), api["paused_because"]
    shown["nobody"] = (
        Client().get(f"/{kind}/{contest.slug}/").content.decode(),
        Client().get(f"/api/{kind}/{contest.slug}/").json()["paused_because"],
    )
    return shown


def test_a_tournament_whose_game_raises_is_paused_and_ends_as_if_nothing_had_happened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as patch:
        breaks_after(40, patch)
        cup = cup_of_pig(format="round_robin", blocks=2)
        work()
        held = Match.objects.filter(state=MatchState.HELD).order_by("pk")[0]
        assert held.last_platform_fault == "ZeroDivisionError: in the rules"
        assert held.platform_faults == PLATFORM_FAULTS_AT_MOST
        done = set(results())
        tournaments_tend()
        cup.refresh_from_db()
        assert (cup.state, cup.paused_because) == ("paused", f"match {held.pk}: ZeroDivisionError: in the rules")
        assert work() == 0
        tournaments_tend()  # it does not go on by itself
        for who, (page, reason) in pages_of(cup, "tournaments").items():
            knows = who in ("organiser", "staff", "arbiter")
            assert ("ZeroDivisionError" in page) is knows, who
            assert reason == (cup.paused_because if knows else ""), who
    installed("1.0.1", monkeypatch)  # which raises no more
    tournaments_tend()
    cup.refresh_from_db()
    assert cup.state == TournamentState.PAUSED
    tournament_resume(tournament=cup)
    played_through(cup)
    assert (cup.state, cup.paused_because) == ("finished", "")
    assert done <= set(results())
    assert Game.objects.count() == 6 * 2 * 2
    assert not Seat.objects.filter(has_forfeited=True).exists()
    assert not Fault.objects.exists()
    again = [(match.ruleset, bytes(match.secret)) for match in Match.objects.order_by("pk")]
    assert len(set(again)) == len(again) == 6


def test_a_match_that_was_begun_with_other_code_is_played_from_its_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("matches.worker.playing.Shift._enough", lambda _shift: True)  # a block at a time
    with monkeypatch.context() as patch:
        cup = cup_of_pig(bots=2, format="round_robin", blocks=4)
        assert worker_play_claim()
        first = results()
        assert Match.objects.get().blocks_kept == 1
        breaks_after(0, patch)
        work()
        tournaments_tend()
    installed("1.0.1", monkeypatch)
    cup.refresh_from_db()
    tournament_resume(tournament=cup)
    match = Match.objects.get()
    assert (match.blocks_kept, match.code) == (0, str(game_code("pig")))
    assert not match.games.exists()
    played_through(cup)
    assert cup.state == TournamentState.FINISHED
    assert set(first) < set(results())
    assert Game.objects.count() == 8


def test_a_league_whose_game_raises_is_paused_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        breaks_after(0, patch)
        league = open_league(bots=3, ruleset="pig/1")
        leagues_tend()
        work()
        leagues_tend()
        league.refresh_from_db()
        assert league.paused_at
        assert "ZeroDivisionError: in the rules" in league.paused_because
        chosen = season_of(league).scheduled
        leagues_tend()
        assert season_of(league).scheduled == chosen == Match.objects.filter(state=MatchState.HELD).count()
        for who, (page, reason) in pages_of(league, "leagues").items():
            assert ("ZeroDivisionError" in page) is (who in ("organiser", "staff")), who
            assert bool(reason) is (who in ("organiser", "staff")), who
        operations = Client()
        operations.force_login(UserFactory(is_staff=True))
        assert "ZeroDivisionError: in the rules" in operations.get("/operations/").content.decode()
    league_resume(league=league)
    work()
    assert Match.objects.filter(state=MatchState.FINISHED).count() == chosen
    leagues_tend()
    assert season_of(league).scheduled > chosen
    assert not Seat.objects.filter(has_forfeited=True).exists()


def test_a_game_that_hangs_pauses_its_contest_and_blames_no_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the heartbeat does while the rules loop, but for the end of the process: see test_heartbeat.py."""
    cup, shifts = cup_of_pig(bots=2, format="round_robin"), list[Any]()
    whole = Shift.work
    monkeypatch.setattr(Shift, "work", lambda shift: (shifts.append(shift), whole(shift)))

    def hanging(_position: Any, _won: int) -> Any:
        shifts[-1]._last_words(104.2)
        raise KilledWorker

    with monkeypatch.context() as patch:
        patch.setattr(pig.position.Position, "_next", hanging)
        for _ in range(PLATFORM_FAULTS_AT_MOST):
            Match.objects.update(dispatch_at=database_now() - timedelta(minutes=1))
            with pytest.raises(KilledWorker):
                worker_play_claim()
        tournaments_tend()
    match = Match.objects.get()
    cup.refresh_from_db()
    assert (match.state, match.platform_faults) == (MatchState.HELD, PLATFORM_FAULTS_AT_MOST)
    assert (cup.state, cup.paused_because) == ("paused", f"match {match.pk}: the game did not answer in 104 s")
    assert not Seat.objects.filter(has_forfeited=True).exists()
    assert not Fault.objects.exists()
    tournament_resume(tournament=cup)
    played_through(cup)
    assert cup.state == TournamentState.FINISHED


@pytest.mark.parametrize("how", ["removed", "broken"])
def test_a_package_that_is_away_pauses_both_and_they_go_on_when_it_is_back(
    monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    cup, league = cup_of_pig(format="swiss", rounds=2), open_league(bots=2, ruleset="pig/1")
    leagues_tend()
    assert worker_play_claim()
    with monkeypatch.context() as patch:
        removed(patch)
        if how == "broken":
            patch.setitem(BROKEN, "pig", "ImportError: no dice")  # type: ignore[arg-type]
        assert work() == 0
        assert not Match.objects.filter(platform_faults__gt=0).exists()
        tournaments_tend()
        leagues_tend()
        for contest in (cup, league):
            contest.refresh_from_db()
            assert (
                "ImportError: no dice" if how == "broken" else "pecking-order-pig 1.0.0 ("
            ) in contest.paused_because
        with pytest.raises(GameMissing):
            tournament_resume(tournament=cup)
        for kind, contest in (("tournaments", cup), ("leagues", league)):
            client = Client()
            client.force_login(contest.organiser)
            text = client.post(f"/{kind}/{contest.slug}/resume/", follow=True).content.decode()
            assert "The game pig/1 is not installed on this site any more" in text
            contest.refresh_from_db()
            assert contest.paused_because
            assert client.get(f"/{kind}/{contest.slug}/").status_code == 200
    installed("1.0.0", monkeypatch)
    tournaments_tend()
    leagues_tend()
    league.refresh_from_db()
    assert league.paused_at is None
    played_through(cup)
    assert cup.state == TournamentState.FINISHED
    assert not Fault.objects.exists()


def test_other_code_waits_for_somebody_who_has_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    cup, league = cup_of_pig(format="round_robin"), open_league(bots=2, ruleset="pig/1")
    leagues_tend()
    installed("2.0", monkeypatch)
    assert work() == 0
    for _ in range(2):
        tournaments_tend()
        leagues_tend()
    for contest in (cup, league):
        contest.refresh_from_db()
        assert "its matches are of pecking-order-pig 1.0.0 (" in contest.paused_because
        assert "workers have pecking-order-pig 2.0 (" in contest.paused_because
    tournament_resume(tournament=cup)
    league_resume(league=league)
    played_through(cup)
    assert cup.state == TournamentState.FINISHED
    assert set(Match.objects.values_list("code", flat=True)) == {str(game_code("pig"))}


def test_nothing_pauses_while_one_worker_has_the_package_or_nobody_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    cup = cup_of_pig(format="round_robin")
    WorkerPresence.objects.create(name="two@there", seen_at=database_now(), games={"pig": "pecking-order-pig 2 ab"})
    tournaments_tend()
    WorkerPresence.objects.filter(name="one@here").delete()
    tournaments_tend()
    cup.refresh_from_db()
    assert cup.state == TournamentState.PAUSED
    WorkerPresence.objects.all().delete()
    tournaments_tend()
    cup.refresh_from_db()
    assert cup.state == TournamentState.RUNNING


@pytest.mark.parametrize("game", ["pig", "pickomino"])
def test_a_package_that_wants_the_name_of_another_pauses_none_of_its_contests(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BROKEN, game, "its name is taken")  # type: ignore[arg-type]
    cup = cup_of_pig(format="round_robin") if game == "pig" else TournamentFactory(entries=2, format="round_robin")
    if game == "pickomino":
        tournament_start(tournament=cup)
    tournaments_tend()
    cup.refresh_from_db()
    assert (cup.state, cup.paused_because) == (TournamentState.RUNNING, "")


def test_a_contest_paused_by_its_organiser_stays_paused() -> None:
    cup, league = cup_of_pig(format="round_robin"), open_league(bots=2, ruleset="pig/1")
    tournament_pause(tournament=cup)
    league_pause(league=league)
    tournaments_tend()
    leagues_tend()
    cup.refresh_from_db()
    league.refresh_from_db()
    assert cup.state == TournamentState.PAUSED
    assert league.paused_at


def test_a_fault_of_the_platform_pauses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    cup = cup_of_pig(bots=2, format="round_robin")
    monkeypatch.setattr(InProcessCage, "start", lambda *_args: 1 / 0)
    work()
    tournaments_tend()
    cup.refresh_from_db()
    assert Match.objects.get().state == MatchState.HELD
    assert cup.state == TournamentState.RUNNING
