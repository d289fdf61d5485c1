"""Results less their luck, beside the official ones: announced, complete, and gone where a game cannot be analysed."""

import json
from dataclasses import asdict
from itertools import count
from pathlib import Path
from time import time
from typing import Any

import pytest
from django.core.cache import caches
from django.db.models import QuerySet
from django.template.defaultfilters import floatformat
from django.test import Client
from django.urls import reverse

from luck import adjusted_mean
from matches.analysis import selectors, services
from matches.models import Analysis, Match
from matches.proof.chain import ProofError
from peck.verify import _luck_of
from tests.matches.analysis.test_services import CAREFUL, STEADY
from tests.tournaments.proof.events import LAST, cup_of, play_out
from tests.tournaments.proof.forging import Parts
from tests.tournaments.rulings.rule import fixture_at, rule
from tests.tournaments.snapshot_worker import refresh_snapshots_at_once
from tournaments.models import Tournament
from tournaments.proof.verify import proof_verify
from tournaments.selectors.pages.proof_and_luck import tournament_proof_of
from tournaments.selectors.standings import adjusted as standings_adjusted
from tournaments.selectors.standings import ratings as standings_ratings
from tournaments.selectors.standings.adjusted import adjusted_standings_of, adjusted_standings_snapshot
from tournaments.selectors.standings.ratings import tournament_ratings_of
from tournaments.services import tournament_luck_analyses_schedule
from web import snapshots

pytestmark = pytest.mark.django_db
BLOCKS = 4  # instead of twenty: an analysis takes a twentieth of a second


@pytest.fixture(autouse=True)
def few_blocks_and_no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adjusted_mean, "BLOCKS_LEAST", BLOCKS)
    monkeypatch.setattr(selectors, "BLOCKS_LEAST", BLOCKS)
    refresh_snapshots_at_once(monkeypatch)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Snapshots are refreshed upon every request."""
    monkeypatch.setattr(snapshots, "REFRESH_EVERY", 0)
    for module in (standings_adjusted, standings_ratings):
        monkeypatch.setattr(module, "REFRESH_RATIO", 0)


def duel(other: bytes = CAREFUL, seeds: int = BLOCKS) -> Tournament:
    cup = cup_of([STEADY, other], blocks=seeds, ruleset="pickomino/1", luck_value="pickomino/1-v1")
    return play_out(cup)


def analyse_all(cup: Tournament) -> None:
    tournament_luck_analyses_schedule(tournament=cup)
    for number in Analysis.objects.filter(told__isnull=True).values_list("pk", flat=True):
        services.analysis_make(analysis_id=number)


def adjusted(cup: Tournament) -> dict[int, Any]:
    return adjusted_standings_of(cup).by_entry


@pytest.mark.usefixtures("at_once")
def test_once_all_games_are_analysed_there_is_a_share_beside_the_official_one(client: Client) -> None:
    cup = duel()
    entries = [entry.pk for entry in cup.entries.order_by("pk")]
    assert adjusted(cup) == dict.fromkeys(entries)
    analyse_all(cup)
    one, other = (adjusted(cup)[entry] for entry in entries)
    assert one.blocks == other.blocks == BLOCKS
    assert one.raw + other.raw == pytest.approx(1)
    assert one.share + other.share == pytest.approx(1)
    assert one.luck == pytest.approx(-other.luck)
    standings = client.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    cell = standings.partition(f'id="s{entries[0]}-adjusted"')[2].partition("</td>")[0]
    assert f"{floatformat(one.points, 1)} <span" in cell
    assert floatformat(one.half_points, 1) in cell
    match = cup_matches(cup).get()
    entry_of = dict(cup.entries.values_list("version", "pk"))
    by_seat = [adjusted(cup)[entry_of[seat.version_id]] for seat in match.seats.all()]
    assert [seat.score / (2 * BLOCKS) for seat in match.seats.all()] == [pytest.approx(seat.raw) for seat in by_seat]
    page = client.get(reverse("tournaments:ratings", args=[cup.slug])).content.decode()
    assert "pickomino/1-v1" in page
    assert f"{floatformat(one.points, 1)} <span" in page
    answer = client.get(reverse("api-tournaments:ratings", args=[cup.slug])).json()["results"]
    data = {row["entry"]: row["adjusted"] for row in answer}
    assert data[entries[0]] == {name: asdict(one)[name] for name in data[entries[0]]}
    answer = client.get(reverse("api-tournaments:standings", args=[cup.slug])).json()["results"]
    assert {row["entry"]: row["adjusted"] for row in answer} == data
    assert client.get(reverse("api-tournaments:detail", args=[cup.slug])).json()["luck_value"] == "pickomino/1-v1"
    assert 'id="adjusted"' in client.get(reverse("matches:detail", args=[match.pk])).content.decode()
    data = client.get(reverse("api-matches:detail", args=[match.pk])).json()["adjusted"]
    assert [seat["share"] for seat in data] == [seat.share for seat in by_seat]


@pytest.mark.usefixtures("at_once")
def test_once_all_games_are_analysed_there_is_a_rating_with_their_luck_taken_off(client: Client) -> None:
    cup = duel()
    assert [line.less_luck for line in tournament_ratings_of(cup).lines] == [None, None]
    page = reverse("tournaments:ratings", args=[cup.slug])
    assert "±" not in client.get(page).content.decode().partition('id="luck-title"')[2]
    analyse_all(cup)
    caches["optional"].clear()  # the page is kept for a minute: analyses change no revision
    lines = tournament_ratings_of(cup).lines
    ordered = [line.entry for line in lines]
    assert all(line.less_luck for line in lines)  # which may be the same: of four blocks the slope may be 0
    assert sum(line.less_luck.points for line in lines if line.less_luck) == pytest.approx(3000), "1500 is the mean"
    content = client.get(reverse("api-tournaments:ratings", args=[cup.slug])).json()["results"]
    assert [row["entry"] for row in content] == ordered, "nobody is ranked by it"
    assert [row["less_luck"]["rating"] for row in content] == [
        line.less_luck.points for line in lines if line.less_luck
    ]
    text = client.get(page).content.decode().partition('id="luck-title"')[2]
    assert all(f"{round(line.less_luck.points)} <span" in text for line in lines if line.less_luck)
    files = json.loads(client.get(reverse("tournaments:ratings-export", args=[cup.slug, "ratings.json"])).getvalue())[
        "ratings"
    ]
    assert [row["less_luck"] for row in files] == [
        pytest.approx(line.less_luck.points, abs=0.06) for line in lines if line.less_luck
    ]
    rule(cup, "void", fixture=fixture_at(cup, 1, 1))
    assert [line.less_luck for line in tournament_ratings_of(cup).lines] == [None, None]


def test_an_analysis_refreshes_what_is_stored_at_the_same_revision_once_its_time_has_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cup = duel()
    requested = refresh_snapshots_at_once(monkeypatch)
    monkeypatch.setattr(standings_adjusted, "REFRESH_RATIO", 0)
    analyse_all(cup)
    assert requested == [], "nothing is stored, so a reader computes it"
    Analysis.objects.all().delete()
    before = adjusted_standings_snapshot(cup)
    assert before.is_pending
    ticks = count(int(time()) + 10, 10)
    monkeypatch.setattr(snapshots, "time", lambda: next(ticks))
    analyse_all(cup)
    assert requested[-1] == ("adjusted", cup.pk)
    after = adjusted_standings_snapshot(cup)
    assert not after.is_pending
    assert all(after.by_entry.values())
    assert after.by_entry == standings_adjusted._computed(cup).by_entry


def test_an_analysis_whose_message_was_lost_is_found_half_a_minute_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    cup = duel()
    before = adjusted_standings_snapshot(cup)
    analyse_all(cup)
    assert adjusted_standings_snapshot(cup) == before
    monkeypatch.setattr(snapshots, "time", lambda: time() + 2 * snapshots.PENDING)
    assert all(adjusted_standings_snapshot(cup).by_entry.values())


def test_a_worker_computes_it_for_a_large_tournament(monkeypatch: pytest.MonkeyPatch) -> None:
    cup = duel()
    analyse_all(cup)
    monkeypatch.setattr(standings_adjusted, "ENTRIES_AT_ONCE", 1)
    with monkeypatch.context() as patch:
        patch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
        patch.setattr(standings_adjusted, "_table", lambda *_: pytest.fail("computed here"))
        assert adjusted_standings_snapshot(cup).by_entry == {}
    caches["optional"].clear()
    requested = refresh_snapshots_at_once(monkeypatch)
    assert adjusted_standings_snapshot(cup) == adjusted_standings_of(cup)
    assert requested == [("adjusted", cup.pk)]


def test_with_a_game_that_cannot_be_analysed_nothing_is_adjusted() -> None:
    """A bot that always plays its last action wins no tile, and takes its rival to the turn cap at times."""
    cup = duel(other=LAST, seeds=1)
    analyse_all(cup)
    assert set(adjusted(cup).values()) == {None}


def test_void_matches_do_not_count() -> None:
    cup = duel()
    analyse_all(cup)
    rule(cup, "void", fixture=fixture_at(cup, 1, 1))
    assert set(adjusted(cup).values()) == {None}


def test_where_no_value_was_announced_nothing_is_ordered_or_shown(client: Client) -> None:
    cup = play_out(cup_of([STEADY, CAREFUL], blocks=1))
    tournament_luck_analyses_schedule(tournament=cup)
    assert not Analysis.objects.exists()
    assert adjusted(cup) == {}
    assert "luck-title" not in client.get(reverse("tournaments:ratings", args=[cup.slug])).content.decode()
    assert "-adjusted" not in client.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()


def test_a_proof_names_the_value_and_another_one_is_refused(tmp_path: Path) -> None:
    cup = duel(seeds=1)
    path = tmp_path / "proof.zip"
    path.write_bytes(b"".join(tournament_proof_of(cup)))
    assert proof_verify(path).games == 2
    parts = Parts.of(path)
    assert parts.find("terms")["luck_value"] == "pickomino/1-v1"
    parts.find("terms")["luck_value"] = "pickomino/1-v9"
    with pytest.raises(ProofError, match="the value for luck is not installed here: 'pickomino/1-v9'"):
        proof_verify(parts.write(path))


def test_verifying_the_proof_gives_the_same_to_the_last_bit(tmp_path: Path) -> None:
    sources = [STEADY, CAREFUL, STEADY.replace(b"> 21", b"> 22")]
    cup = play_out(cup_of(sources, blocks=BLOCKS // 2, luck_value="pickomino/1-v1"))
    analyse_all(cup)
    path = tmp_path / "proof.zip"
    path.write_bytes(b"".join(tournament_proof_of(cup)))
    names = {entry.pk: entry.bot.name for entry in cup.entries.select_related("bot")}
    proved = proof_verify(path, luck=True)
    proved_points = dict(proved.adjusted)
    assert proved_points == {names[entry]: one for entry, one in adjusted(cup).items()}
    assert None not in proved_points.values()
    sentences = list(_luck_of(proved))
    assert sentences[0].startswith("luck-adjusted by the value pickomino/1-v1 that was announced")
    assert sentences[1].startswith(f"Bot 1: {proved_points['Bot 1'].points:.1f} +- ")


def cup_matches(cup: Tournament) -> QuerySet[Match]:
    return Match.objects.filter(fixture__round__tournament=cup).order_by("pk")
