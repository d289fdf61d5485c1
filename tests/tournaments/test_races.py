"""Two organisers press the button at once, on a database with connections of their own."""

import json
import os
import subprocess
import sys

import pytest

from tests.databases import own_database

pytestmark = pytest.mark.processes


@pytest.mark.postgres
def test_concurrent_starts_ends_and_draws_have_one_winner_and_double_nothing(tmp_path):
    with own_database(tmp_path) as database:
        environment = {
            **os.environ,
            "PECKING_ORDER_VAR": str(tmp_path),
            "DATABASE_URL": database,
            "DJANGO_SETTINGS_MODULE": "arena.settings.test",
        }
        program = [sys.executable, "-m", "tests.tournaments.concurrent_starts"]
        data = json.loads(subprocess.run(program, env=environment, check=True, stdout=subprocess.PIPE).stdout)
    assert data == {
        "starts": ["WrongState", "WrongState", "WrongState", "running"],
        "ends": ["False", "False", "False", "True"],
        "rows": [15, 15],
        "draws": ["False", "False", "False", "True"],
        "drawn": [3, 3, 0],
        "steps": [["None"] * 4] * 2,
        "revealed": [4, [[6, 1], [5, 1]]],
        "last": ["None"] * 4,
        "public": 1,
        "weeks": ["0", "0", "0", "1"],
        "cups": [[1, 2]],
    }
