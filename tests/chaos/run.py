"""A run: one fault after another while tournaments and leagues are played and watched, then the report."""

import json
import random
import re
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import psycopg
from django.core.management import call_command
from django.db import connection

from matches.models import Game, Match, MatchState
from tests.chaos.faults import FAULTS, Fault
from tests.chaos.invariants import Kind, Violation, violations
from tests.chaos.recovery import Probes
from tests.chaos.report import Report, Row
from tests.chaos.site import Site
from tests.chaos.viewers import Crowd
from tests.chaos.work import Work
from tests.waiting import eventually
from tournaments.models import Tournament, TournamentState

CALM_SECONDS: Final = 3.0  # between a recovery and the next fault
END_SECONDS: Final = 300.0  # until all that was begun has been played
# What was decided must stay as it was: each finished match with a digest of its games.
DECIDED: Final = """
select m.id, md5(string_agg(g.index::text || md5(g.record), ',' order by g.index))
from matches_match m join matches_game g on g.match_id = m.id where m.state = 'finished' group by m.id
"""
DOUBLED: Final = """
select count(*) from (
  select f.round_id, s.version_id from tournaments_fixture f join matches_seat s on s.match_id = f.match_id
  group by f.round_id, s.version_id having count(*) > 1
) as twice
"""
BLAMED: Final = """
select (select count(*) from matches_fault) + (select count(*) from matches_seat where has_forfeited)
  + (select count(*) from bots_botversion where state = 'refused')
"""


@dataclass(frozen=True, slots=True)
class Tally:
    """What the database held at one moment: digests of decided matches by number, and counts."""

    decided: dict[int, str]
    doubled: int
    blamed: int

    def lost(self, later: "Tally") -> int:
        """Return how many matches that were decided are later not, or otherwise."""
        return sum(later.decided.get(match) != digest for match, digest in self.decided.items())


def tally(site: Site) -> Tally:
    [(doubled,)], [(blamed,)] = site.query(DOUBLED), site.query(BLAMED)
    return Tally(dict(site.query(DECIDED)), int(doubled), int(blamed))


def chaos(site: Site, *, seed: int, minutes: float, only: str = "") -> Report:
    """Let faults happen for so many ``minutes``, each kind once before any comes again; then look at what is left.

    ``only``: a regular expression that the names of the faults to choose from match.
    """
    rng = random.Random(seed)
    call_command("migrate", verbosity=0)
    site.start()
    work, crowd = Work(), Crowd(site, rng)
    work.begin()
    crowd.come()
    probes = Probes(site, crowd, work.token)
    _say(f"warm after {probes.recovery().seconds:.1f} s")
    begun = time.monotonic()
    rows: list[Row] = []
    for fault in _in_turn([kind for kind in FAULTS if re.search(only, kind.name)], rng):
        if time.monotonic() - begun >= 60 * minutes:
            break
        row = _suffered(site, fault, probes, rng)
        if row.skipped and row.fault in [earlier.fault for earlier in rows]:
            continue
        rows.append(row)
        _say(row.line())
        time.sleep(0 if row.skipped else CALM_SECONDS)
    took = time.monotonic() - begun
    return Report(seed, took, rows, list(_violations(site, work, crowd)), _counts(crowd))


def _in_turn(kinds: list[type[Fault]], rng: random.Random) -> Iterator[Fault]:
    while True:
        for kind in rng.sample(kinds, len(kinds)):
            yield kind()


def _suffered(site: Site, fault: Fault, probes: Probes, rng: random.Random) -> Row:
    if hindrance := fault.hindrance(site):
        return Row(fault.name, skipped=hindrance)
    before = tally(site)
    hit = fault.hit(site, rng)
    time.sleep(fault.duration)
    hit = "; ".join(filter(None, (hit, fault.mend(site))))
    found = probes.recovery()
    try:
        after = tally(site)
    except psycopg.Error:
        after = Tally({}, 0, 0)
    return Row(
        fault.name,
        hit,
        round(found.seconds, 1),
        found.slowest,
        found.in_time,
        before.lost(after),
        after.doubled - before.doubled,
        after.blamed - before.blamed,
        web_megabytes=site.web_megabytes(),
        parts={name: round(seconds, 1) for name, seconds in found.parts.items()},
    )


def _violations(site: Site, work: Work, crowd: Crowd) -> Iterator[Violation]:
    connection.close()  # a fault may have ended it
    _say("all that was begun is played to its end ...")
    work.finish()
    over = eventually(work.is_over, END_SECONDS, 0.5)
    played = eventually(lambda: not Match.objects.filter(state=MatchState.RUNNING).exists(), 60, 0.5)
    if not (over and played):
        yield Violation(Kind.LOST, f"not all was played to its end within {END_SECONDS:.0f} s")
    time.sleep(2)
    crowd.leave()
    _say("looking at every game ...")
    yield from violations(lambda cup: _shown(site, cup))
    yield from crowd.violations()
    connection.close()


def _shown(site: Site, cup: Tournament) -> list[dict[str, Any]]:
    """Return the standings that the site shows; none where it does not answer."""
    try:
        with urllib.request.urlopen(f"{site.url}/tournaments/{cup.slug}/export/tournament.json", timeout=60) as answer:
            rows: list[dict[str, Any]] = json.load(answer)["stages"][0]["standings"]
    except OSError:
        return []
    return rows


def _counts(crowd: Crowd) -> dict[str, int]:
    finished = Match.objects.filter(state=MatchState.FINISHED)
    return {
        "tournaments": Tournament.objects.filter(state=TournamentState.FINISHED).count(),
        "matches": finished.count(),
        "played again": finished.filter(attempt__gt=1).count(),
        "games": Game.objects.count(),
        **crowd.counts(),
    }


def _say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)
