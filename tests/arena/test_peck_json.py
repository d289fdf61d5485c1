"""``--json`` of ``peck``: every command has it or is in ``NO_JSON``, and what it prints is one document."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from arena.accounts.tokens import token_create
from games.catalogue import GAMES
from peck.__main__ import main
from peck.commands import NO_JSON, _parser
from tests.arena.factories import UserFactory
from tests.arena.prepared import make_files
from tests.bots.factories import BotVersionFactory
from tests.leagues.factories import open_league
from tests.luck.games import played
from tests.tournaments.factories import TournamentFactory
from tournaments.models import Tournament
from tournaments.selectors.pages.exports import DATASET
from web.prepared.services import prepared_file_order

pytestmark = [pytest.mark.django_db, pytest.mark.processes]

BOT = """
PARAMETERS = {"first": (0.5, 0, 1)}

def act(view):
    return view["actions"][0]
"""
FAST = ["--in-process", "--blocks", "1"]
# The keys on which programs may rely; of a list those of the API.
KEYS = {
    "check": {"accepted", "ruleset", "report"},
    "play": {"blocks", "bots"},
    "gate": {"answer", "ending", "blocks", "bots"},
    "climb": {"ruleset", "version", "seed", "bot", "sha256", "beaten", "rungs"},
    "tune": {"parameters", "games", "bot"},
    "drill-make": {"file", "positions", "ruleset", "value", "bot", "games", "decisions", "lost", "held"},
    "drill": {"value", "bot", "positions", "before", "now", "grown"},
    "luck": {"value", "decisions"},
    "verify": {"holds", "said", "why"},
    "dataset": {"file", "bytes"},
    "vectors": {"passed", "failed"},
    "status": {"site", "username", "bots"},
    "create": {"slug", "game", "page"},
    "upload": {"number", "state", "page", "report"},
    "download": {"version", "file"},
    "failure": {"failure", "file"},
    "challenge": {"id", "state", "sentence", "page"},
    "follow": {"kind", "slug", "name", "page"},
    "spar": {"match", "page", "answer", "sentence"},
}
LISTS = {
    "versions",
    "results",
    "leagues",
    "ladder",
    "head-to-head",
    "tournaments",
    "standings",
    "logs",
    "groups",
    "following",
}


def test_every_command_has_json_or_is_an_exception_with_a_reason() -> None:
    [commands] = (one.choices for one in _parser()._actions if isinstance(one.choices, dict))
    having = {name for name, parser in commands.items() if "--json" in parser._option_string_actions}
    assert having == set(commands) - set(NO_JSON) == KEYS.keys() | LISTS


def test_json_output_is_one_document_with_these_keys(
    live_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    monkeypatch.chdir(tmp_path)
    author, league, cup = UserFactory.create(), open_league(), TournamentFactory.create()
    (tmp_path / "bot.py").write_text(BOT)
    version = BotVersionFactory.create(sha256=sha256(BOT.encode()).hexdigest(), bot__owner=author)
    slug = version.bot.slug
    rival = BotVersionFactory.create(bot__game=version.bot.game, bot__challenged_by="ask")
    monkeypatch.setenv("PECK_SITE", live_server.url)
    monkeypatch.setenv("PECK_TOKEN", token_create(owner=author, name="x"))
    (tmp_path / "peck.json").write_text('{"game": "pickomino"}')
    (tmp_path / "game.peck").write_bytes(played(("random", "greedy"), 1).encode())
    (tmp_path / "rung.py").write_bytes(GAMES["pickomino"].house_bots[0].source())
    (tmp_path / "vectors.json").write_text("[]")
    over = TournamentFactory.create(entries=0)
    Tournament.objects.filter(pk=over.pk).update(
        state="finished",
        started_at=timezone.now(),
        finished_at=timezone.now(),
        publication="everyone",
        dataset_licence="CC0-1.0",
    )
    prepared_file_order(kind=DATASET, subject=over.pk, name="dataset.zip", by=author, ordered=lambda: None)
    make_files()
    calls = {
        "check": ["bot.py"],
        "play": ["bot.py", "rung.py", *FAST],
        "gate": ["rung.py", "bot.py", *FAST],
        "climb": ["bot.py", *FAST],
        "tune": ["bot.py", "--steps", "1", "--blocks", "1", "-j", "1"],
        "drill-make": ["game.peck", "--seat", "0", "--most", "2"],
        "drill": ["bot.py", "drill.jsonl", "--in-process", "--tolerance", "100"],
        "luck": ["game.peck"],
        "verify": ["game.peck"],
        "vectors": ["vectors.json"],
        "dataset": [over.slug],
        "status": [],
        "create": ["Crow of mine", "karteneck"],
        "upload": [slug, "bot.py"],
        "download": [slug],
        "failure": [slug],
        "challenge": [slug, rival.bot.slug, "--no-wait"],
        "spar": [slug, "--no-wait", "--blocks", "12"],
        "follow": ["league", league.slug],
        "ladder": [league.slug],
        "head-to-head": [league.slug],
        "standings": [cup.slug],
        **{name: [] for name in ("leagues", "tournaments", "groups", "following")},
        **{name: [slug] for name in ("versions", "results", "logs")},
    }
    assert calls.keys() == KEYS.keys() | LISTS
    for name, words in calls.items():
        assert main([name, *words, "--json"]) in (0, 1), name
        output = capsys.readouterr()
        document = json.loads(output.out)
        assert isinstance(document, list) if name in LISTS else document.keys() >= KEYS[name], (name, document)
