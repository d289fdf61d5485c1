"""The workflow of docs/how-to/continuous-integration.md, step by step against a site."""

import os
import shlex
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import yaml

from arena.accounts.tokens import token_create
from bots.models import Bot
from games.catalogue import GAMES
from tests.bots.factories import BotFactory, BotVersionFactory

pytestmark = [pytest.mark.django_db, pytest.mark.processes]

PAGE = Path(__file__).parents[2] / "docs/how-to/continuous-integration.md"
WORST, BEST = (GAMES["pickomino"].house_bots[at].source() for at in (0, 2))


def steps() -> list[dict[str, Any]]:
    workflow = yaml.safe_load(PAGE.read_text().partition("```yaml\n")[2].partition("```")[0])
    found: list[dict[str, Any]] = workflow["jobs"]["bot"]["steps"]
    return found


def test_every_step_of_the_workflow_does_what_the_page_says(live_server: Any, tmp_path: Path) -> None:
    bot = BotFactory.create(game="pickomino", slug="early-bird")
    BotVersionFactory.create(bot=bot, sha256=sha256(BEST).hexdigest())  # so that no worker has to check it
    BotVersionFactory.create(bot=bot, source=WORST)
    token = token_create(owner=bot.owner, name="ci")
    (tmp_path / "bot.py").write_bytes(BEST)
    commands = [one for one in steps() if one.get("run", "").startswith("peck ")]
    assert [one["run"].split()[1] for one in commands] == ["check", "download", "gate", "upload"]
    for step in commands:
        words = [sys.executable, "-m", "peck", *shlex.split(step["run"])[1:]]
        secret = {"PECK_TOKEN": token} if "PECK_TOKEN" in step.get("env", {}) else {}
        assert bool(secret) == (words[3] in ("download", "upload")), "no other step runs with the token"
        environment = {**os.environ, "PECK_SITE": live_server.url, "XDG_CONFIG_HOME": str(tmp_path), **secret}
        done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
    assert (tmp_path / "old.py").read_bytes().startswith(WORST)
    current = Bot.objects.get(pk=bot.pk).current
    assert current is not None
    assert current.number == 1
