"""A cup that is created on Friday and runs by itself to its podium on Sunday, a weekend in compressed time.

The site is one as `make run` starts it. The organiser announces the times and never signs in; what people do while it
runs they do over the API, with tokens that were made before: a late entry, a withdrawal, a ruling that is taken back.
"""

import json
import os
import signal
import urllib.error
import urllib.request
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest

from peck.__main__ import main as peck
from tests.browser.running import StartedSite, processes, site
from tests.waiting import eventually

pytestmark = [pytest.mark.slow, pytest.mark.processes, pytest.mark.timeout(1800)]

AUTHORS, EACH, ROUNDS, IN_FINALS = 16, 4, 4, 8
BOTS = AUTHORS * EACH
LATE = f"bot-{BOTS - 1}"
# The final is shown on "Sunday", and the rounds of the Swiss begin "Friday" evening to "Saturday" evening.
UNTIL_FRIDAY_EVENING, ROUND_EVERY, UNTIL_SUNDAY = 4, 8, 50  # seconds
FRIDAY = f"""
import json
from datetime import timedelta
from django.utils import timezone
from arena.accounts.models import User
from arena.accounts.tokens import token_create
from games.catalogue import GAMES
from tests.bots.factories import BotFactory, BotVersionFactory
from tournaments.selectors.entering.editing import tournament_edit_basis
from tournaments.services import (
    StagePlan, entry_create, round_plan_set, tournament_create, tournament_edit, tournament_open,
)
organiser, arbiter = User.objects.get(username="organiser"), User.objects.create_user("arbiter")
cup = tournament_create(
    organiser=organiser, name="Weekend of Foxes", ruleset="pickomino", keep_apart="author",
    entries_per_author={EACH},
    stages=[
        StagePlan("swiss", players_per_table=4, rounds={ROUNDS}, blocks=1),
        StagePlan("single_elimination", entrants={IN_FINALS}, blocks=1, has_third_place=True),
    ],
    tie_breaks=("buchholz_cut_1", "buchholz", "wins", "margin", "lot"),
)
cup.arbiters.add(arbiter)
tournament_open(tournament=cup)
house = GAMES["pickomino"].house_bots
cheap = [bot.source() for bot in house if bot.name in ("random", "cautious", "greedy")]
tokens = {{"arbiter": token_create(owner=arbiter, name="weekend")}}
for n in range({BOTS}):
    if n % {EACH} == 0:
        author = User.objects.create_user(f"author{{n}}")
        token = token_create(owner=author, name="weekend")
    bot = BotVersionFactory(bot=BotFactory(owner=author, slug=f"bot-{{n}}"), source=cheap[n % 3]).bot
    tokens[bot.slug] = token
    if bot.slug != "{LATE}":
        entry_create(tournament=cup, bot=bot, by=author)
evening = timezone.now() + timedelta(seconds={UNTIL_FRIDAY_EVENING})
tournament_edit(tournament=cup, basis=tournament_edit_basis(cup), first_round_at=evening)
for n in range(1, {ROUNDS}):
    begins = evening + timedelta(seconds={ROUND_EVERY} * n)
    round_plan_set(tournament=cup, stage=1, place=n + 1, starts_at=begins)
sunday = evening + timedelta(seconds={UNTIL_SUNDAY})
round_plan_set(tournament=cup, stage=2, place=0, premieres_at=sunday, tempo="highlights")
print(json.dumps(tokens))
"""
FINAL = "SELECT max(id) FROM tournaments_round WHERE premieres_at IS NOT NULL"
ON_AIR = f"""SELECT coalesce(max(m.id), 0) FROM matches_match m JOIN tournaments_fixture f ON f.match_id = m.id
    WHERE m.state = 'on_air' AND f.round_id = ({FINAL}) AND f."table" = 1"""
STATE = "SELECT count(*) FROM tournaments_tournament WHERE state = "
DECIDED = """SELECT count(*) FROM tournaments_round r WHERE r.number = 1 AND NOT EXISTS (
    SELECT 1 FROM tournaments_fixture f JOIN matches_match m ON m.id = f.match_id
    WHERE f.round_id = r.id AND m.state != 'finished')"""
SEATS = """SELECT count(*) FROM matches_seat s JOIN tournaments_fixture f ON f.match_id = s.match_id
    JOIN tournaments_round r ON r.id = f.round_id JOIN tournaments_stage t ON t.id = r.stage_id WHERE t.number = 1"""
CUP = "/api/tournaments/weekend-of-foxes/"


def test_a_cup_runs_by_itself_from_friday_to_its_podium_on_sunday(tmp_path: Path) -> None:
    with site("--no-demo", "--workers", "2", DJANGO_SETTINGS_MODULE="tests.tournaments.weekend_settings") as running:
        tokens = json.loads(running.manage("shell", "-v0", "-c", FRIDAY))
        assert eventually(lambda: running.count(f"{STATE}'running'"), 60), "it did not start by itself"

        api(running, f"{CUP}entries/", tokens[LATE], bot=LATE)
        assert eventually(lambda: workers_killed(running), 300), "no match was being played"

        assert eventually(lambda: running.count(DECIDED), 300)
        void = {"kind": "void", "round": 1, "table": 1}
        number = ruled(running, tokens["arbiter"], "A wire was loose.", **void)["number"]
        api(running, f"{CUP}entries/bot-5/", tokens["bot-5"], method="DELETE")
        ruled(running, tokens["arbiter"], "It was not.", kind="take_back", ruling=number)

        assert eventually(lambda: running.count(ON_AIR), 600, every=0.1), "the final was not to be shown"
        final = running.count(ON_AIR)
        sealed = api(running, f"/api/matches/{final}/")
        assert eventually(lambda: running.count(f"{STATE}'finished'"), 240), "it did not end by itself"

        holds_together(running, tmp_path, sealed)


def holds_together(running: StartedSite, directory: Path, sealed: dict[str, Any]) -> None:
    """What is to hold on Sunday evening."""
    shown = api(running, f"/api/matches/{sealed['id']}/")
    assert shown["state"] == "finished"
    if sealed["state"] == "on_air":  # a machine may be so slow that it was over when it was read
        assert {seat["score"] for seat in sealed["seats"]} == {None}
    late = "SELECT count(*) FROM matches_match WHERE airs_at < premieres_at OR finished_at < air_ends_at"
    assert running.count(late) == 0, "the final was shown before its premiere, or told before its end"

    page = answer(running, "/tournaments/weekend-of-foxes/").decode()
    podium = page.partition('<ol class="podium">')[2].partition("</ol>")[0]
    assert [podium.count(f'data-place="{place}"') for place in (1, 2, 3)] == [1, 1, 1]
    most = max(seat["score"] for seat in shown["seats"])
    best = [
        seat["bot"]["slug"] for seat in shown["seats"] if seat["score"] == most
    ]  # two after a draw: one is seeded higher
    first = podium.partition("</a>")[0]
    assert any(f"/bots/{slug}/" in first for slug in best), "the winner of the final stands first"

    rulings = api(running, f"{CUP}rulings/")["results"]
    assert [(one["kind"], one["holds"]) for one in rulings] == [("take_back", True), ("void", False)]
    entries = {one["bot"]["slug"]: one for one in api_rows(running, f"{CUP}entries/")}
    assert len(entries) == BOTS
    assert [slug for slug, one in entries.items() if one["is_withdrawn"]] == ["bot-5"]
    swiss = {row["bot"]["slug"]: row for row in api_rows(running, f"{CUP}standings/?stage=1")}
    assert swiss[LATE]["played"] > 0
    assert sum(row["played"] for row in swiss.values()) == running.count(SEATS), "the void still holds"

    tables = running.count("SELECT count(*) FROM tournaments_fixture")
    assert tables == ROUNDS * BOTS // 4 + IN_FINALS
    assert running.count("SELECT count(*) FROM matches_match WHERE state = 'finished'") == tables
    stale = "matches_game g JOIN matches_match m ON m.id = g.match_id WHERE g.attempt != m.attempt"
    assert running.count(f"SELECT count(*) FROM {stale}") == 0
    assert running.count("SELECT count(*) FROM matches_fault") == 0, "a bot was blamed"
    assert running.count("SELECT count(*) FROM django_session") == 0, "somebody signed in"

    proof = directory / "proof.zip"
    proof.write_bytes(answer(running, "/tournaments/weekend-of-foxes/export/proof.zip"))
    assert peck(["verify", str(proof)]) == 0


def workers_killed(running: StartedSite) -> bool:
    """kill -9 for the processes that play while a match is being played; whether one was lost with its worker."""
    if running.count("SELECT count(*) FROM matches_match WHERE state = 'running'"):
        for one in processes():
            if one.parent == running.process.pid and "match worker" in one.command:
                with suppress(ProcessLookupError):
                    os.kill(one.pid, signal.SIGKILL)
    return running.count("SELECT coalesce(sum(workers_lost), 0) FROM matches_match") > 0


def ruled(running: StartedSite, token: str, reason: str, **what: Any) -> dict[str, Any]:
    """Rule on what follows at the moment, which results may change between the look and the ruling."""
    while True:
        basis = api(running, f"{CUP}rulings/preview/", token, **what)["basis"]
        try:
            made: dict[str, Any] = api(running, f"{CUP}rulings/", token, reason=reason, basis=basis, **what)
        except urllib.error.HTTPError as error:
            if error.code != HTTPStatus.CONFLICT:
                raise
        else:
            return made


def api_rows(running: StartedSite, path: str) -> list[Any]:
    """All pages of a list."""
    page = api(running, path)
    rows = list(page["results"])
    while page["next"]:
        page = api(running, page["next"].removeprefix(running.url))
        rows += page["results"]
    return rows


def api(running: StartedSite, path: str, token: str = "", *, method: str | None = None, **sent: Any) -> Any:
    """What the API answers; with something to send, or by ``method``, it does something."""
    response = answer(running, path, token, json.dumps(sent).encode() if sent else None, method)
    return json.loads(response) if response else None


def answer(
    running: StartedSite, path: str, token: str = "", body: bytes | None = None, method: str | None = None
) -> bytes:
    """What the site answers to an anonymous visitor, or to the owner of the token."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Token {token}"} if token else {})
    request = urllib.request.Request(running.url + path, data=body, headers=headers, method=method)
    with urllib.request.urlopen(request, timeout=60) as response:
        content: bytes = response.read()
    return content
