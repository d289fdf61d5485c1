"""Two organisers press the button at once, on a database file with connections of their own."""

import json
import os
import subprocess
import sys


def test_of_several_starts_ends_and_draws_at_once_one_wins_and_nothing_is_doubled(tmp_path):
    environment = {
        **os.environ,
        "PECKING_ORDER_VAR": str(tmp_path),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'race.sqlite3'}",
        "DJANGO_SETTINGS_MODULE": "arena.settings.test",
    }
    program = [sys.executable, "-m", "tests.tournaments.two_starts"]
    told = json.loads(subprocess.run(program, env=environment, check=True, stdout=subprocess.PIPE).stdout)
    assert told == {
        "starts": ["WrongState", "WrongState", "WrongState", "running"],
        "ends": ["False", "False", "False", "True"],
        "rows": [15, 15],
        "draws": ["False", "False", "False", "True"],
        "drawn": [3, 3, 0],
    }
