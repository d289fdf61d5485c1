"""A game gets new rules: what was played by the old ones stays as it was, what is new is played by the new ones."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.catalogue import GAMES, current, find
from games.catalogue.grill.tiles import tiles_mask_of
from games.catalogue.pickomino.position import PickominoPosition, pickomino_position_opening
from games.catalogue.pickomino.rules import OPTIONS, PickominoRules
from games.catalogue.pickomino.view import pickomino_view_schema_of
from games.protocol import Limits
from games.record import Record, RecordError
from games.ruleset import Options, Ruleset
from leagues.errors import LeagueSupersededRules
from leagues.models import League
from leagues.selectors.exports import season_proof_export_of
from leagues.services import league_open, league_update, leagues_tend, season_end, season_start
from matches.models import Match, MatchState
from matches.referee.trial import trial_house_opponent, trial_of_version
from peck.__main__ import main
from tests.arena.factories import OrganiserFactory
from tests.bots.factories import BotVersionFactory
from tests.leagues.factories import LeagueFactory, member_of, open_league, worker_up
from tests.matches.creating import match_of
from tests.matches.in_process import InProcessCage
from tests.tournaments.factories import TournamentFactory
from tests.tournaments.proof.events import FIRST, LAST, cup_of, entrant, play, play_out, play_round
from tournaments.errors import SupersededRules
from tournaments.forms import TournamentForm, tournament_form_initial
from tournaments.models import Tournament, TournamentState
from tournaments.selectors.pages.proof_and_luck import tournament_proof_of
from tournaments.services import tournament_create, tournament_open, tournament_start

pytestmark = pytest.mark.django_db

PICKOMINO = GAMES["pickomino"]
FIRST_VERSION = find("pickomino/1")
CHANGING = re.compile(
    rb'(?<=">)[^<>]+(?=</time>)|(?<=oldest for )\d+[^<]*|(?<="csrfmiddlewaretoken" value=")\w+|(?<="now": )\d+'
)
LOW_TILES = tiles_mask_of(range(21, 25))


class SecondRules(PickominoRules):
    """Stealing is not to be declined, and the grill has four tiles."""

    __slots__ = ()

    @property
    def ruleset(self) -> str:
        return "pickomino/2"


def second_opening(players: int, options: Options) -> PickominoPosition:
    start = pickomino_position_opening(SecondRules(players, steal="mandatory", **options))
    return start._replace(board=start.board._replace(grill=LOW_TILES))


SECOND_OPTIONS = {name: option for name, option in OPTIONS.items() if name != "steal"}
SECOND_VERSION = replace(
    FIRST_VERSION,
    version=2,
    options=SECOND_OPTIONS,
    view_schema=pickomino_view_schema_of("pickomino/2", SECOND_OPTIONS),
    opening=second_opening,
    vocabulary=lambda options: FIRST_VERSION.vocabulary({"steal": "mandatory", **options}),
)


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


@dataclass
class Site:
    """What a site has when the rules change: contests that are over and under way."""

    over: Tournament
    running: Tournament
    league: League
    client: Client

    def addresses(self) -> Iterator[str]:
        """Pages and files of everything that was announced or played; of lists, only what they say of matches."""
        yield reverse("matches:list")
        yield reverse("api-matches:list") + "?game=pickomino"
        yield reverse("api-tournaments:list") + "?game=pickomino"
        yield reverse("api-leagues:list") + "?game=pickomino"
        for match in Match.objects.filter(state=MatchState.FINISHED):
            for name in ("matches:detail", "matches:cells", "matches:embed", "api-matches:detail", "api-matches:games"):
                yield reverse(name, args=[match.pk])
            for index in range(match.games.count()):
                yield reverse("matches:game-frames", args=[match.pk, index])
                for form, name in (("bin", "record-bytes"), ("json", "record")):
                    yield reverse("matches:record", args=[match.pk, index, form])
                    yield reverse(f"api-matches:{name}", args=[match.pk, index])
        yield reverse("tournaments:pairings", args=[self.over.slug, 1])
        for cup in (self.over, self.running):
            for name in ("tournaments:detail", "tournaments:live", "tournaments:tie-breaks", "tournaments:ratings"):
                yield reverse(name, args=[cup.slug])
            for name in ("detail", "entries", "rounds", "standings", "ratings", "matches"):
                yield reverse(f"api-tournaments:{name}", args=[cup.slug])
            yield reverse("tournaments:export", args=[cup.slug, "tournament.json"])
        yield reverse("leagues:detail", args=[self.league.slug])
        yield reverse("leagues:season", args=[self.league.slug, 1])
        for name in ("detail", "seasons"):
            yield reverse(f"api-leagues:{name}", args=[self.league.slug])
        for name in ("ladder", "matches"):
            yield reverse(f"api-leagues:{name}", args=[self.league.slug, 1])

    def bodies(self) -> dict[str, bytes]:
        """What is answered at every address, but for what the clock changes."""
        return {address: self._body(address) for address in self.addresses()}

    def proofs(self) -> list[bytes]:
        season = self.league.seasons.order_by("number")[0]
        return [b"".join(tournament_proof_of(self.over)), b"".join(season_proof_export_of(season))]

    def _body(self, address: str) -> bytes:
        answer = self.client.get(address)
        assert answer.status_code == 200, (address, answer.status_code)
        body = b"".join(answer) if answer.streaming else answer.content
        return CHANGING.sub(b"", body)


@pytest.fixture
def site(client: Client) -> Site:
    options = FIRST_VERSION.validate(2, {})
    over = play_out(cup_of([LAST, LAST], options=options, format="swiss", rounds=1))
    running = cup_of([LAST, LAST, LAST], options=options)
    tournament_start(tournament=running)
    play_round(running, most=1)
    league = open_league(options=options)
    for name in ("Stork", "Heron"):
        member_of(league, entrant(name, LAST + name.encode().join([b"# ", b""])).bot)
    worker_up()
    leagues_tend()
    play(Match.objects.filter(state=MatchState.QUEUED, fixture__isnull=True).earliest("pk"))
    season_end(league=league)
    return Site(over, running, league, client)


@pytest.fixture
def new_rules(monkeypatch: pytest.MonkeyPatch) -> Ruleset:
    monkeypatch.setitem(GAMES, "pickomino", replace(PICKOMINO, versions=(FIRST_VERSION, SECOND_VERSION)))  # type: ignore[arg-type]
    return SECOND_VERSION


@pytest.mark.exhaustive
def test_played_and_announced_matches_stay_unchanged(
    site: Site, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before, proofs = site.bodies(), site.proofs()
    assert site.bodies() == before, "the answers change by themselves: comparing them shows nothing"
    monkeypatch.setitem(GAMES, "pickomino", replace(PICKOMINO, versions=(FIRST_VERSION, SECOND_VERSION)))  # type: ignore[arg-type]
    assert current("pickomino").start(2, {}).view(None) != FIRST_VERSION.start(2, {}).view(None)
    after = site.bodies()
    assert [address for address, body in before.items() if after[address] != body] == []
    assert site.proofs() == proofs
    for number, proof in enumerate(proofs):
        path = tmp_path / f"{number}.zip"
        path.write_bytes(proof)
        assert main(["verify", str(path)]) == 0
    old = Record.decode(Match.objects.filter(state=MatchState.FINISHED)[0].games.all()[0].record)
    with pytest.raises(RecordError):
        replace(old, ruleset="pickomino/2", options=SECOND_VERSION.validate(2, {})).verify()


def test_running_contests_end_by_the_rules_of_their_announcement(site: Site, new_rules: Ruleset) -> None:
    played_before = set(Match.objects.values_list("pk", flat=True).filter(state=MatchState.FINISHED))
    cup = play_out(site.running)
    assert cup.state == TournamentState.FINISHED
    season_start(league=site.league)
    leagues_tend()
    play(Match.objects.filter(state=MatchState.QUEUED, fixture__isnull=True).earliest("pk"))
    played = Match.objects.filter(state=MatchState.FINISHED).exclude(pk__in=played_before)
    assert {match.ruleset for match in played} == {"pickomino/1"}
    for match in played:
        for game in match.games.all():
            record = Record.decode(game.record)
            assert record.ruleset == "pickomino/1"
            assert record.verify()


def test_new_contests_uploads_and_local_games_are_by_the_new_rules(
    new_rules: Ruleset, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    organiser = OrganiserFactory()
    cup = tournament_create(organiser=organiser, name="New", ruleset="pickomino")
    assert (cup.ruleset, cup.options) == ("pickomino/2", new_rules.validate(2, {}))
    versions = [BotVersionFactory(source=FIRST), BotVersionFactory(source=LAST)]
    fields: dict[str, Any] = {"options": {}, "versions": versions, "blocks": 1, "limits": {}, "secret": bytes(32)}
    assert match_of(ruleset="pickomino", **fields).ruleset == "pickomino/2"
    assert match_of(ruleset="pickomino/1", **fields).ruleset == "pickomino/1"
    bots = [tmp_path / "first.py", tmp_path / "last.py"]
    bots[0].write_bytes(FIRST)
    bots[1].write_bytes(LAST)
    for given, played in (("pickomino", "pickomino/2"), ("pickomino/1", "pickomino/1")):
        assert main(["play", given, *map(str, bots), "--blocks", "1", "--records", str(tmp_path / given[-1])]) == 0
        assert main(["verify", str(tmp_path / given[-1] / "game-1.1.peck")]) == 0
        assert f"holds: {played}," in capsys.readouterr().out


def test_a_bot_is_checked_by_the_new_rules_and_gets_their_version(new_rules: Ruleset) -> None:
    source = (
        b"class Bot:\n    def __init__(self, table):\n        assert table['ruleset'] == 'pickomino/2'\n"
        b"    def act(self, view):\n        assert view['game'] == 'pickomino/2'\n        return view['actions'][0]\n"
    )
    version = BotVersionFactory(source=source)
    fault, report = trial_of_version(
        version.files(), trial_house_opponent("pickomino"), bytes(32), current("pickomino"), InProcessCage(), seconds=60
    )
    assert not fault, report


def test_a_draft_of_the_old_rules_opens_when_it_was_looked_through_and_saved(new_rules: Ruleset) -> None:
    draft = TournamentFactory(state="draft", options=FIRST_VERSION.validate(2, {}))
    with pytest.raises(SupersededRules, match=r"pickomino/1; anything new is played by pickomino/2"):
        tournament_open(tournament=draft)
    draft.refresh_from_db()
    assert draft.state == TournamentState.DRAFT
    form = TournamentForm(initial=tournament_form_initial(draft))
    assert form.ruleset is new_rules
    assert "option_steal" not in form.fields
    league = LeagueFactory()
    with pytest.raises(LeagueSupersededRules, match="pickomino/1"):
        league_open(league=league)
    league_update(league=league, name="Saved", ruleset="pickomino", players_per_table=2, options={}, limits=Limits())
    league.refresh_from_db()
    assert league_open(league=league).ruleset == "pickomino/2"


def test_a_page_has_the_rules_of_today_and_one_of_every_version(client: Client, new_rules: Ruleset) -> None:
    newest = client.get(reverse("docs-rules", args=["pickomino"])).content.decode()
    assert "pickomino/2" in newest
    assert "Stealing" not in newest
    first = client.get(reverse("docs-rules-version", args=["pickomino", 1])).content.decode()
    assert "These are the rules pickomino/1" in first
    assert "Stealing" in first
    assert client.get(reverse("docs-rules-version", args=["pickomino", 3])).status_code == 404
    data = client.get(reverse("api-game", args=["pickomino"])).json()
    assert data["ruleset"] == "pickomino/2"
    assert data["versions"] == ["pickomino/1", "pickomino/2"]
    for version in (1, 2):
        data = client.get(reverse("api-game-version", args=["pickomino", version])).json()
        assert data["ruleset"] == data["view_schema"]["properties"]["game"]["const"] == f"pickomino/{version}"
    assert client.get(reverse("api-game-version", args=["pickomino", 3])).status_code == 404
