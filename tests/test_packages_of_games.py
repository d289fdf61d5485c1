"""Pig and High Card, built as wheels: installed by pip into a copy of the environment, played, and removed again."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NAMES = ("pig", "highcard")
SITE = sysconfig.get_path("purelib")
OFFLINE = ("--no-index", "--no-deps", "--quiet", "--disable-pip-version-check")
RANDOM = "import random\n\n\ndef act(view):\n    return random.choice(view['actions'])\n"
# A cup of each game from its form to its proof, and what pages show of it.
PLAYED = """
import sys
from pathlib import Path
from django.contrib.staticfiles import finders
from django.core.checks import run_checks
from django.test import Client
from django.urls import reverse
from games.catalogue import BROKEN, GAMES
from games.catalogue.code import game_code
from matches.models import Match
from matches.worker.playing import worker_play_claim
from tests.arena.factories import UserFactory
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.tournaments.factories import EntryFactory, TournamentFactory
from tournaments.selectors.pages.proof_and_luck import tournament_proof_of
from tournaments.services import tournament_start, tournaments_tend
from tournaments.services.tournament_chain import tournament_chain_settle
from web.bundles import BundleFinder

assert not BROKEN, BROKEN
organiser = UserFactory(username="organiser", is_organiser=True)
client = Client()
client.force_login(organiser)
for name in ("pig", "highcard"):
    game = GAMES[name]
    assert f'value="{name}" selected' in client.get(f"/tournaments/new/?game={name}").content.decode()
    assert not [one for one in run_checks() if name in one.msg and one.id.startswith("arena.E")]
    cup = TournamentFactory(ruleset=game.current.id, options={}, organiser=organiser, slug=f"cup-of-{name}")
    for number in range(2):
        bot = BotFactory(game=name, name=f"{name} {number}")
        version = BotVersionFactory(bot=bot, source=game.house_bots[0].source() + b"# %d\\n" % number)
        EntryFactory(tournament=cup, bot=version.bot)
    tournament_start(tournament=cup)
    while worker_play_claim():
        tournaments_tend()
    cup.refresh_from_db()
    assert cup.state == "finished", cup.state
    match = Match.objects.get(fixture__round__tournament=cup)
    assert match.code == str(game_code(name)) and match.code.startswith(f"pecking-order-{name} 1.0.0 ")
    page = client.get(reverse("matches:detail", args=[match.pk])).content.decode()
    assert f"matches/replay/boards/{name}/index.js" in page
    assert finders.find(f"matches/replay/boards/{name}/index.js")
    assert f"matches/replay/boards/{name}/index.js" in {path for path, _ in BundleFinder().list([])}
    assert client.get(reverse("matches:game-frames", args=[match.pk, 0])).json()["frames"]
    assert f"Rules of {game.title}" in client.get(f"/docs/rules/{name}/").content.decode()
    tournament_chain_settle(tournament=cup)
    Path(f"{name}.zip").write_bytes(b"".join(tournament_proof_of(cup)))
from arena.site.package_index import package_index_offered
for wheel in package_index_offered().values():
    Path(wheel.file_name).write_bytes(wheel.data())
"""
REMOVED = """
from django.core.checks import run_checks
from django.test import Client
from django.urls import reverse
from games.catalogue import BROKEN, GAMES
from matches.models import Match

assert not {"pig", "highcard"} & set(GAMES), GAMES
assert not BROKEN, BROKEN
assert not [one for one in run_checks() if one.id.startswith("arena.E")]
client = Client()
assert client.get("/").status_code == 200
for name in ("pig", "highcard"):
    match = Match.objects.get(ruleset=f"{name}/1")
    page = client.get(reverse("matches:detail", args=[match.pk])).content.decode()
    assert f"needs the package pecking-order-{name} 1.0.0 with the game {name}/1" in page
    assert f"{name} 0" in page
    cup = client.get(f"/tournaments/cup-of-{name}/")
    assert cup.status_code == 200 and f"{name} 1" in cup.content.decode()
    assert client.get(f"/api/matches/{match.pk}/").json()["ruleset"] == f"{name}/1"
    assert client.get(f"/docs/rules/{name}/").status_code == 404
    frames = client.get(reverse("matches:game-frames", args=[match.pk, 0]))
    assert (frames.status_code, frames.json()["error"]) == (410, "not_installed")
    assert client.get(f"/tournaments/cup-of-{name}/export/proof.zip").status_code == 200
    assert client.get(f"/tournaments/cup-of-{name}/export/tournament.json").status_code == 200
"""
BACK = """
from django.test import Client
from django.urls import reverse
from matches.models import Match

for match in Match.objects.all():
    assert Client().get(reverse("matches:game-frames", args=[match.pk, 0])).json()["frames"]
"""

pytestmark = [pytest.mark.processes, pytest.mark.timeout(600)]


def run(*command: str | Path, cwd: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*map(str, command)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": "", **environment},
        capture_output=True,
        text=True,
        timeout=500,
    )


def done(*command: str | Path, cwd: Path, **environment: str) -> str:
    ended = run(*command, cwd=cwd, **environment)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def pip(environment: Path, *arguments: str | Path) -> None:
    done(sys.executable, "-m", "pip", "--python", environment / "bin" / "python", *arguments, cwd=environment)


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    built = tmp_path_factory.mktemp("wheels")
    for name in NAMES:
        folder = ROOT / "packages" / name
        done(
            *(sys.executable, "-m", "pip", "wheel", "--no-build-isolation", *OFFLINE),
            *("-w", built, folder),
            cwd=built,
        )
    found = sorted(built.glob("*.whl"))
    assert len(found) == len(NAMES)
    return found


def test_they_are_installed_played_and_removed_and_the_site_runs_all_the_time(
    wheels: list[Path], tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    done(sys.executable, "-m", "venv", "--without-pip", copy, cwd=tmp_path)
    (packages,) = copy.glob("lib/python3*/site-packages")
    (packages / "copy.pth").write_text(f"{ROOT}\n{ROOT / 'platform'}\n{SITE}\n")
    python = copy / "bin" / "python"
    site = {"PECKING_ORDER_VAR": str(tmp_path / "var"), "DJANGO_SETTINGS_MODULE": "arena.settings.test"}
    (tmp_path / "var").mkdir()
    done(python, ROOT / "manage.py", "migrate", "--verbosity=0", cwd=tmp_path, **site)

    def on_the_site(script: str) -> None:
        done(python, "-c", f"import django\ndjango.setup()\n{script}", cwd=tmp_path, **site)

    pip(copy, "install", *OFFLINE, *wheels)
    on_the_site(PLAYED)
    for name in NAMES:
        assert "every record plays to its result" in done(
            python, "-m", "peck", "verify", f"{name}.zip", cwd=tmp_path, **site
        )

    pip(copy, "uninstall", "--yes", "--quiet", *(f"pecking-order-{name}" for name in NAMES))
    on_the_site(REMOVED)
    for name in NAMES:
        refused = run(python, "-m", "peck", "verify", f"{name}.zip", cwd=tmp_path, **site)
        assert refused.returncode == 1
        assert f"is of pecking-order-{name} 1.0.0" in refused.stderr

    pip(copy, "install", *OFFLINE, *wheels)
    on_the_site(BACK)

    # At home: the kit and the packages, as the site had them for pip, in one empty environment.
    home = tmp_path / "home"
    done(sys.executable, "-m", "venv", "--without-pip", home, cwd=tmp_path)
    pip(home, "install", *OFFLINE, *tmp_path.glob("pecking*.whl"))
    (tmp_path / "one.py").write_text(RANDOM)
    (tmp_path / "other.py").write_text(RANDOM)
    for name in NAMES:
        assert "game 2.2: " in done(
            home / "bin" / "peck", "play", name, "one.py", "other.py", "--blocks", "2", cwd=tmp_path
        )
        assert "every record plays to its result" in done(home / "bin" / "peck", "verify", f"{name}.zip", cwd=tmp_path)
