"""The report of ``make chaos`` finds what is planted: a game that is lost or doubled, a bot that is blamed."""

import json
import random
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest
from django.test import Client

from games.protocol import Verdict
from matches.models import Fault, Game, Match, MatchState
from matches.replay.frame_encoding import frame_encoding_of_record
from tests.chaos.invariants import Kind, violations
from tests.chaos.viewers import Viewer, viewer_wrong
from tests.tournaments.proof.events import LAST, MIDDLE, cup_of, play_out
from tournaments.models import Fixture, Tournament, TournamentState

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup() -> Tournament:
    return play_out(cup_of([LAST, MIDDLE, LAST]))


def shown(cup: Tournament) -> list[dict[str, Any]]:
    answer = Client().get(f"/tournaments/{cup.slug}/export/tournament.json")
    rows: list[dict[str, Any]] = json.loads(answer.getvalue())["stages"][0]["standings"]
    return rows


def kinds() -> set[Kind]:
    return {violation.kind for violation in violations(shown)}


def a_game_is_lost(cup: Tournament) -> None:
    Game.objects.order_by("pk")[0].delete()


def a_game_is_doubled(cup: Tournament) -> None:
    game = Game.objects.order_by("-index")[0]
    game.pk, game.index = None, game.index + 1
    game.save()


def a_game_counts_in_the_place_of_another(cup: Tournament) -> None:
    first, last = Game.objects.filter(index=0).order_by("match")[:2]
    Game.objects.filter(pk=last.pk).update(record=first.record)


def a_match_waits_for_ever(cup: Tournament) -> None:
    match = Match.objects.order_by("pk")[0]
    Match.objects.filter(pk=match.pk).update(state=MatchState.HELD, finished_at=None)


def a_tournament_is_stuck(cup: Tournament) -> None:
    Tournament.objects.update(state=TournamentState.RUNNING, finished_at=None)


def a_pair_meets_twice(cup: Tournament) -> None:
    first, last = Fixture.objects.order_by("pk")[0], Fixture.objects.order_by("-pk")[0]
    for seat, other in zip(last.match.seats.all(), first.match.seats.all(), strict=True):
        seat.version = other.version
        seat.save()


def a_bot_is_blamed(cup: Tournament) -> None:
    game = Game.objects.order_by("pk")[0]
    seat = game.match.seats.all()[0]
    Fault.objects.create(game=game, seat=seat, verdict=Verdict.CRASHED, action_index=0)


def a_bot_has_forfeited(cup: Tournament) -> None:
    cup.fixtures.all()[0].match.seats.filter(index=0).update(has_forfeited=True)


def a_record_is_spoiled(cup: Tournament) -> None:
    game = Game.objects.order_by("pk")[0]
    Game.objects.filter(pk=game.pk).update(record=bytes(game.record)[:-8] + bytes(8))


PLANTED: dict[Callable[[Tournament], None], Kind] = {
    a_game_is_lost: Kind.LOST,
    a_game_is_doubled: Kind.DOUBLED,
    a_game_counts_in_the_place_of_another: Kind.DOUBLED,
    a_match_waits_for_ever: Kind.LOST,
    a_tournament_is_stuck: Kind.LOST,
    a_pair_meets_twice: Kind.DOUBLED,
    a_bot_is_blamed: Kind.BLAMED,
    a_bot_has_forfeited: Kind.BLAMED,
    a_record_is_spoiled: Kind.WRONG,
}


def test_nothing_is_wrong_with_a_tournament_that_was_played_in_peace(cup: Tournament) -> None:
    assert list(violations(shown)) == []


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
def test_what_is_planted_is_found(plant: Callable[[Tournament], None], cup: Tournament) -> None:
    rows = shown(cup)
    plant(cup)
    # The pages may not even be able to show it: what they had said before is compared with the rows.
    found = {violation.kind for violation in violations(lambda cup: rows)}
    assert PLANTED[plant] in found


def test_standings_that_records_do_not_give_are_found(cup: Tournament) -> None:
    rows = shown(cup)
    rows[0]["points"] += 1
    assert {violation.kind for violation in violations(lambda cup: rows)} == {Kind.WRONG}


def test_a_proof_that_does_not_verify_is_found(cup: Tournament) -> None:
    with patch("tests.chaos.invariants.peck", return_value=1):
        assert kinds() == {Kind.WRONG}


def watched(match: Match, games: list[Game]) -> Viewer:
    """A viewer who was shown all frames of these games in two messages each, and the end of the match."""
    viewer = Viewer(site=None, rng=random.Random(1))  # type: ignore[arg-type]  # it opens no socket
    viewer.hear(match.pk, {"type": "attempt", "attempt": match.attempt})
    for game in games:
        frames = [json.loads(frame) for frame in frame_encoding_of_record(game.index, bytes(game.record)).frames]
        for first, part in ((0, frames[:5]), (5, frames[5:])):
            viewer.hear(match.pk, {"type": "frames", "game": game.index, "first": first, "frames": part, "beats": []})
    viewer.hear(match.pk, {"type": "finished", "url": "/"})
    return viewer


@pytest.fixture
def match(cup: Tournament) -> Match:
    return Match.objects.order_by("pk")[0]


def test_a_viewer_who_saw_everything_reports_nothing(match: Match) -> None:
    viewer = watched(match, list(match.games.all()))
    assert viewer.wrong == []
    assert list(viewer_wrong("viewer", viewer)) == []


def test_a_viewer_who_missed_a_game_is_found(match: Match) -> None:
    viewer = watched(match, list(match.games.all())[1:])
    assert [violation.kind for violation in viewer_wrong("viewer", viewer)] == [Kind.LOST]


def test_a_viewer_who_missed_the_end_of_a_game_is_found(match: Match) -> None:
    viewer = watched(match, list(match.games.all()))
    seen = viewer.seen[match.pk, match.attempt, 0]
    fewer = watched(match, [])
    frames = [json.loads(frame) for frame in frame_encoding_of_record(0, bytes(match.games.all()[0].record)).frames]
    fewer.hear(match.pk, {"type": "frames", "game": 0, "first": 0, "frames": frames[:-1], "beats": []})
    viewer.seen[match.pk, match.attempt, 0] = fewer.seen[match.pk, match.attempt, 0]
    assert seen.frames == len(frames)
    assert [violation.kind for violation in viewer_wrong("viewer", viewer)] == [Kind.LOST]


@pytest.mark.parametrize("first", [3, 6])
def test_frames_that_come_twice_or_leave_some_out_are_found(first: int, match: Match) -> None:
    viewer = watched(match, [])
    viewer.hear(match.pk, {"type": "frames", "game": 0, "first": 0, "frames": [[1], [2], [3], [4], [5]], "beats": []})
    viewer.hear(match.pk, {"type": "frames", "game": 0, "first": first, "frames": [[6]], "beats": []})
    assert len(viewer.wrong) == 1


def test_other_frames_than_the_records_are_found(match: Match) -> None:
    game = match.games.all()[0]
    viewer = watched(match, list(match.games.all())[1:])
    frames = [json.loads(frame) for frame in frame_encoding_of_record(0, bytes(game.record)).frames]
    frames[3][1] = "another"
    viewer.hear(match.pk, {"type": "frames", "game": 9, "first": 0, "frames": frames, "beats": []})
    viewer.seen[match.pk, match.attempt, 0] = viewer.seen.pop((match.pk, match.attempt, 9))
    assert [violation.kind for violation in viewer_wrong("viewer", viewer)] == [Kind.WRONG]
