"""A second value of a ruleset: what was announced under the first goes on by it, what begins takes the second."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.catalogue import find
from games.record import Record
from leagues.services import season_schedule
from luck import UNIT, GameAccount, adjusted_mean, luck_analyse, luck_analysed_by, luck_value_of
from luck.analysis import luck_values_known
from luck.judge import KnownValue
from luck.pickomino.turns import PickominoJudge
from luck.pickomino.value import PICKOMINO_V1
from matches.analysis import selectors, services
from matches.analysis.selectors import analysis_seats_adjusted
from matches.models import Analysis, Game, Match
from matches.referee import GameResult
from matches.referee.match_series import match_series_luck_of_first
from matches.referee.stopping import StoppingError
from matches.referee.stopping_rules import stopping_rule_of
from matches.services.creating import MatchError
from peck.tally import tally_luck_adjusted
from tests.bots.factories import BotVersionFactory
from tests.leagues.factories import open_league, season_of, worker_up
from tests.matches.analysis.test_services import CAREFUL, STEADY
from tests.matches.creating import match_of
from tests.matches.factories import SECRET, FinishedMatchFactory
from tests.tournaments.factories import finish_matches, running_tournament
from tests.tournaments.proof.events import cup_of, play_out
from tournaments.proof.verify import proof_verify
from tournaments.selectors.pages.proof_and_luck import tournament_proof_of
from tournaments.selectors.standings.adjusted import adjusted_standings_of
from tournaments.services import tournament_advance, tournament_luck_analyses_schedule

pytestmark = pytest.mark.django_db

FIRST, SECOND = "pickomino/1-v1", "pickomino/1-v2"
OTHER = replace(PICKOMINO_V1, id=SECOND, weights=tuple(weight // 2 for weight in PICKOMINO_V1.weights))
RULE = {"rule": "gsprt/3", "value": FIRST}


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    for module in (adjusted_mean, selectors):
        monkeypatch.setattr(module, "BLOCKS_LEAST", 2)


@pytest.fixture
def release(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A release that brings the second value."""

    def bring() -> None:
        second = KnownValue(OTHER, partial(PickominoJudge, OTHER), lambda _state: UNIT // 2)
        monkeypatch.setitem(luck_values_known(), SECOND, second)

    return bring


def finished(**given: Any) -> Match:
    versions = [BotVersionFactory(source=source) for source in (STEADY, CAREFUL)]
    return FinishedMatchFactory(seats=versions, blocks=2, **given)


def make_all() -> None:
    for number in Analysis.objects.filter(told__isnull=True).values_list("pk", flat=True):
        services.analysis_make(analysis_id=number)


def record_of(match: Match) -> Record:
    return Record.decode(bytes(match.games.order_by("index")[0].record))


def test_new_contests_take_the_newest_value_and_running_ones_keep_the_first(release: Any) -> None:
    assert (luck_value_of("pickomino/1"), luck_value_of("heckmeck/2")[:10]) == (FIRST, "heckmeck/2")
    before = luck_analyse(record := record_of(finished()))
    release()
    assert luck_value_of("pickomino/1") == luck_analysed_by("pickomino/1") == SECOND
    assert luck_value_of("karteneck/2") == ""
    after = luck_analyse(record)
    assert isinstance(before, GameAccount)
    assert isinstance(after, GameAccount)
    assert (before.value, after.value) == (FIRST, SECOND)
    assert before.luck != after.luck
    assert luck_analyse(record, FIRST) == before


@pytest.mark.parametrize("noted", [FIRST, ""])
def test_a_match_of_before_is_shown_by_the_first(client: Client, release: Any, noted: str) -> None:
    """``noted`` is empty of matches of before matches had one."""
    match = finished(luck_value=noted)
    page, *games = (
        reverse("matches:detail", args=[match.pk]),
        *(reverse("matches:game-luck", args=[match.pk, game]) for game in range(match.games.count())),
    )

    def fetched() -> list[Any]:
        for game in games:
            client.get(game)
        make_all()
        return [client.get(game).json() for game in games]

    before, adjusted = fetched(), analysis_seats_adjusted(match)
    assert {one["value"] for one in before} == {FIRST}
    assert adjusted
    release()
    assert (fetched(), analysis_seats_adjusted(match)) == (before, adjusted)
    Analysis.objects.all().delete()
    assert (fetched(), analysis_seats_adjusted(match)) == (before, adjusted), "made again it is the same"
    assert f"edition={FIRST}." in client.get(page).content.decode()


def test_a_tournament_of_before_goes_on_by_the_first(release: Any) -> None:
    cup = running_tournament(entries=4, format="swiss", rounds=2, blocks=20, ruleset="pickomino/1", luck_value=FIRST)
    cup.stages.update(stopping=stopping_rule_of(RULE).to_dict())  # type: ignore[union-attr]
    release()
    finish_matches(cup)
    assert tournament_advance(tournament_id=cup.pk)
    later = Match.objects.filter(fixture__round__number=2)
    assert {(match.luck_value, match.stopping["value"]) for match in later} == {(FIRST, FIRST)}


def test_a_season_of_before_goes_on_by_the_first_and_the_next_takes_the_second(release: Any) -> None:
    season = season_of(open_league(bots=4))
    worker_up()
    release()
    season_schedule(season_id=season.pk)
    assert season.luck_value == FIRST
    assert set(Match.objects.values_list("luck_value", flat=True)) == {FIRST}
    assert season_of(open_league(bots=2, slug="later", name="Later")).luck_value == SECOND


def test_a_proof_of_before_is_verified_by_the_first(release: Any, tmp_path: Path) -> None:
    cup = play_out(cup_of([STEADY, CAREFUL], blocks=2, ruleset="pickomino/1", luck_value=FIRST))
    tournament_luck_analyses_schedule(tournament=cup)
    make_all()
    (path := tmp_path / "proof.zip").write_bytes(b"".join(tournament_proof_of(cup)))
    before = proof_verify(path, luck=True)
    release()
    assert proof_verify(path, luck=True) == before
    assert before.luck_value == FIRST
    assert any(one for _name, one in before.adjusted)


@pytest.mark.exhaustive
def test_further_moments_of_luck_are_taken_off_alike_on_the_site_at_home_and_in_a_proof(
    release: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However little of them is to be believed of twenty blocks."""
    monkeypatch.setattr(adjusted_mean, "CHANCE_ALONE", 0.0)
    release()
    cup = play_out(cup_of([STEADY, CAREFUL], blocks=20, ruleset="pickomino/1", luck_value=SECOND))
    tournament_luck_analyses_schedule(tournament=cup)
    make_all()
    (path := tmp_path / "proof.zip").write_bytes(b"".join(tournament_proof_of(cup)))
    rows, match = dict(proof_verify(path, luck=True).adjusted), Match.objects.get()
    on_site = analysis_seats_adjusted(match)
    assert set(rows.values()) == set(on_site)
    assert adjusted_standings_of(cup).by_entry == {
        cup.entries.get(version=seat.version_id).pk: one
        for seat, one in zip(match.seats.order_by("index"), on_site, strict=True)
    }
    assert list(tally_luck_adjusted([at_home(game) for game in match.games.order_by("index")]).shares) == on_site
    monkeypatch.setattr(adjusted_mean, "CHANCE_ALONE", 10**6)
    assert analysis_seats_adjusted(match) != on_site, "they do count"


def at_home(game: Game) -> GameResult:
    record = Record.decode(bytes(game.record))
    return GameResult(game.index, record, (0, 0), game.places, "", "", (), (0.0, 0.0), (0.0, 0.0), ("", ""))


def test_a_series_that_was_announced_is_decided_by_the_first(release: Any) -> None:
    rule: Any = stopping_rule_of(RULE)
    record = record_of(finished())
    before = match_series_luck_of_first(record, 0, rule)
    release()
    assert match_series_luck_of_first(record, 0, rule) == before
    assert match_series_luck_of_first(record, 0, stopping_rule_of(RULE | {"value": SECOND})) != before  # type: ignore[arg-type]


def test_a_new_match_takes_the_second_and_no_other_unless_it_was_announced(release: Any) -> None:
    data: dict[str, Any] = {"ruleset": find("pickomino/1").id, "options": {}, "blocks": 20, "limits": {}}
    data |= {"versions": [BotVersionFactory(), BotVersionFactory()], "secret": SECRET}
    assert match_of(**data).luck_value == FIRST
    release()
    assert match_of(**data).luck_value == SECOND
    with pytest.raises(MatchError, match=f"allowed: {SECOND}"):
        match_of(**data, stopping=RULE)
    assert match_of(**data, stopping=RULE, luck_value=FIRST).stopping["value"] == FIRST
    with pytest.raises(MatchError, match=f"allowed: {FIRST}"):
        match_of(**data, stopping=RULE | {"value": SECOND}, luck_value=FIRST)


def test_a_worker_of_the_release_before_leaves_what_it_does_not_know(release: Any, monkeypatch: Any) -> None:
    match = finished()
    services.analyses_order(matches=Match.objects.filter(pk=match.pk), value=SECOND)
    make_all()
    assert not Analysis.objects.filter(told__isnull=False).exists()
    with pytest.raises(StoppingError, match=FIRST):
        match_series_luck_of_first(record_of(match), 0, stopping_rule_of(RULE | {"value": SECOND}))  # type: ignore[arg-type]
    release()
    make_all()
    assert Analysis.objects.filter(told__isnull=False, sums__isnull=False).count() == match.games.count()
