"""What must be true of a site after all that it went through, read from its rows: never from what its pages say.

Each check yields a sentence for everything that is wrong, with its kind: a match or a game that is lost, one that
counts twice, an honest bot that was blamed, or something else that does not hold.
"""

import io
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from django.db.models import Count, Q

from games.dealer import block_seed
from games.record import Record
from games.replay import RecordError
from leagues.models import Season, SeasonState
from leagues.selectors.exports import season_proof_export_of as proof_of_season
from leagues.selectors.fitting import Agreement, fitted_ladder_agreement_of
from matches.models import Fault, Game, Match, MatchState, Seat
from peck.__main__ import main as peck
from tests.tournaments.recomputed import standings_recomputed
from tournaments.models import Fixture, Tournament, TournamentState
from tournaments.selectors.pages.proof_and_luck import tournament_proof_of

BATCH: Final = 200
TABLED: Final = ("swiss", "round_robin")  # formats whose standings are sums of results
Shown = Callable[[Tournament], list[dict[str, Any]]]


class Kind(StrEnum):
    LOST = "lost"
    DOUBLED = "doubled"
    BLAMED = "blamed"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Violation:
    kind: Kind
    text: str


def violations(shown: Shown) -> Iterator[Violation]:
    """Yield all that is wrong, once everything has ended. ``shown`` gives the rows of standings that a tournament's
    export has.
    """
    yield from matches_wrong()
    yield from games_wrong()
    yield from blamed_wrong()
    yield from fixtures_wrong()
    yield from standings_wrong(shown)
    yield from ladders_wrong()
    yield from proofs_wrong()


def matches_wrong() -> Iterator[Violation]:
    """Of tournaments every match is finished, with all its games; of leagues it may have been called off."""
    over = Q(state=MatchState.FINISHED) | Q(state=MatchState.CANCELLED, league_match__isnull=False)
    for match in Match.objects.exclude(over):
        yield Violation(
            Kind.LOST, f"match {match.pk} is {match.state}: {match.last_platform_fault or 'no fault noted'}"
        )
    counted = Match.objects.filter(state=MatchState.FINISHED).annotate(
        played=Count("games", distinct=True), seated=Count("seats", distinct=True)
    )
    for match in counted:
        due = (match.blocks_played or match.blocks) * match.seated
        if match.played != due:
            kind = Kind.LOST if match.played < due else Kind.DOUBLED
            yield Violation(kind, f"match {match.pk} has {match.played} games, not {due}")


def games_wrong() -> Iterator[Violation]:
    """Each game has the seed of its place, replays to its end, and was written by an attempt that its match has had."""
    games = Game.objects.select_related("match").annotate(seated=Count("match__seats"))
    for game in games.order_by("match", "index").iterator(BATCH):
        name = f"game {game.index} of match {game.match_id}"
        try:
            record = Record.decode(bytes(game.record))
            record.verify()
        except RecordError as error:
            yield Violation(Kind.WRONG, f"{name} does not replay: {error}")
            continue
        if record.seed != block_seed(bytes(game.match.secret), game.index // game.seated):
            yield Violation(Kind.DOUBLED, f"{name} has the seed of another game")
        if game.attempt > game.match.attempt:
            yield Violation(Kind.WRONG, f"{name} is of attempt {game.attempt} of {game.match.attempt}")


def blamed_wrong() -> Iterator[Violation]:
    """Report verdicts against bots: all of them are honest here."""
    for fault in Fault.objects.select_related("game", "seat"):
        where = f"game {fault.game.index} of match {fault.game.match_id}"
        yield Violation(Kind.BLAMED, f"{where}: seat {fault.seat.index}, {fault.verdict}")
    for seat in Seat.objects.filter(Q(has_forfeited=True) | Q(faulty_games__gt=0)):
        yield Violation(Kind.BLAMED, f"match {seat.match_id}: seat {seat.index} has {seat.faulty_games} faulty games")


def fixtures_wrong() -> Iterator[Violation]:
    """In a round nobody sits at two tables; all tournaments have ended; in a round robin each pair meets once."""
    for cup in Tournament.objects.exclude(state=TournamentState.FINISHED).exclude(state=TournamentState.OPEN):
        yield Violation(Kind.LOST, f"tournament {cup.slug} is {cup.state}")
    for cup in Tournament.objects.filter(state=TournamentState.FINISHED):
        tables = _tables(cup)
        for number, versions in tables:
            for version, times in Counter(versions).items():
                if times > 1:
                    yield Violation(
                        Kind.DOUBLED, f"{cup.slug}: version {version} plays {times} times in round {number}"
                    )
        if cup.stages.filter(format="round_robin").exists():
            yield from _robin_wrong(cup)


def _tables(cup: Tournament) -> Iterator[tuple[int, list[int]]]:
    for round_ in cup.rounds.all():
        seats = Seat.objects.filter(match__fixture__round=round_).values_list("version", flat=True)
        yield round_.number, list(seats)


def _robin_wrong(cup: Tournament) -> Iterator[Violation]:
    met: Counter[tuple[int, ...]] = Counter()
    for fixture in Fixture.objects.filter(round__tournament=cup):
        met[tuple(sorted(fixture.match.seats.values_list("version", flat=True)))] += 1
    versions = sorted(cup.entries.values_list("version", flat=True))
    for number, one in enumerate(versions):
        for other in versions[number + 1 :]:
            times = met[(one, other)]
            if times != 1:
                kind = Kind.DOUBLED if times else Kind.LOST
                yield Violation(kind, f"{cup.slug}: versions {one} and {other} have met {times} times")


def standings_wrong(shown: Shown) -> Iterator[Violation]:
    """Standings are those that a replay of the records gives."""
    for cup in Tournament.objects.filter(state=TournamentState.FINISHED, stages__format__in=TABLED):
        try:
            again, rows = standings_recomputed(cup), shown(cup)
        except RecordError:
            continue  # of which games_wrong tells
        if [{name: row[name] for name in again[0]} for row in rows] != again:
            yield Violation(Kind.WRONG, f"{cup.slug}: its standings are not what its records give")


def ladders_wrong() -> Iterator[Violation]:
    """The stored ladder is the one that results give, and counts each match once."""
    for season in Season.objects.all():
        if (found := fitted_ladder_agreement_of(season)) is not Agreement.AGREES:
            yield Violation(Kind.WRONG, f"ladder of {season.league.slug}: {found}")
        numbers = season.league_matches.aggregate(all=Count("pk"), each=Count("match", distinct=True))
        if numbers["all"] != numbers["each"]:
            yield Violation(Kind.DOUBLED, f"season of {season.league.slug}: a match counts twice")


def proofs_wrong() -> Iterator[Violation]:
    """``peck verify`` accepts every proof."""
    with tempfile.TemporaryDirectory() as home:
        path = Path(home) / "proof.zip"
        for cup in Tournament.objects.filter(state=TournamentState.FINISHED):
            path.write_bytes(b"".join(tournament_proof_of(cup)))
            yield from _proof_wrong(cup.slug, path)
        for season in Season.objects.filter(state=SeasonState.FINISHED):
            path.write_bytes(b"".join(proof_of_season(season)))
            yield from _proof_wrong(f"season of {season.league.slug}", path)


def _proof_wrong(name: str, path: Path) -> Iterator[Violation]:
    output = io.StringIO()
    with redirect_stdout(output), redirect_stderr(output):
        code = peck(["verify", str(path)])
    if code:
        yield Violation(Kind.WRONG, f"the proof of {name}: {output.getvalue().strip()[-200:]}")
