"""What honest bots may use is there and works; what is not there fails with the rule that says so."""

import sys

import pytest

from games.protocol import BotFault, Limits
from sandbox.inside.rules import ABSENT

from .conftest import VIEW, Start
from .ordinary_user import REPOSITORY

PATIENT = Limits(start_cpu=20, start_wall=60, act_cpu=20, act_wall=60, game_cpu=60, game_wall=120, action_bytes=4096)
NOISY = {"antigravity", "this"}  # opens a browser, prints a poem
IMPORTS = """
def act(view):
    absent = []
    for name in view["names"]:
        try: __import__(name)
        except ImportError: absent.append(name)
    return " ".join(absent)
"""


def test_every_module_of_the_standard_library_is_there_or_on_the_list(start: Start) -> None:
    names = sorted(name for name in sys.stdlib_module_names if not name.startswith("_") and name not in NOISY)
    absent = start(IMPORTS, limits=PATIENT).act({"names": names}).action.split()
    assert len(names) > 180
    assert set(absent) <= ABSENT


def test_the_list_is_published_as_it_is() -> None:
    text = (REPOSITORY / "docs" / "explanation" / "sandbox.md").read_text()
    assert all(f"`{name}`" in text for name in ABSENT)


def test_all_of_numpy_that_is_public_is_there(start: Start) -> None:
    names = [
        *("numpy", "numpy.fft", "numpy.linalg", "numpy.random", "numpy.ma", "numpy.polynomial", "numpy.testing"),
        *("numpy.lib.stride_tricks", "numpy.lib.recfunctions", "numpy.ctypeslib", "numpy.typing", "numpy.char"),
    ]
    assert start(IMPORTS, limits=PATIENT).act({"names": names}).action == ""


WORK = {
    "collections, heapq, bisect": "import collections, heapq, bisect; assert heapq.nsmallest(1, [2, 1]) == [1]",
    "dataclasses and enum": "import dataclasses, enum; dataclasses.make_dataclass('D', ['x'])(1); enum.Enum('E', 'A')",
    "functools": "import functools; assert functools.lru_cache(lambda n: n)(2) == 2",
    "json and pickle": "import json, pickle; assert json.loads(pickle.loads(pickle.dumps('[1]'))) == [1]",
    "math and statistics": "import math, statistics; assert statistics.mean([1, 3]) == math.sqrt(4)",
    "decimal and fractions": "import decimal, fractions; assert fractions.Fraction(1, 2) == decimal.Decimal('0.5')",
    "random and secrets": "import random, secrets; random.choice([1]); secrets.token_hex(4)",
    "re and string": "import re, string; assert re.fullmatch('[a-z]+', string.ascii_lowercase)",
    "datetime": "import datetime; datetime.datetime.now(datetime.timezone.utc)",
    "time": "import time; time.sleep(0.001); time.perf_counter(); time.process_time(); time.localtime()",
    "zlib and gzip": "import zlib, gzip; assert gzip.decompress(gzip.compress(b'x')) == b'x'",
    "hashlib": "import hashlib; hashlib.sha256(b'x').hexdigest()",
    "inspect and traceback": "import inspect, traceback; inspect.stack(); traceback.format_stack()",
    "logging": "import logging; logging.basicConfig(); logging.warning('seen')",
    "threading without threads": "import threading; threading.Lock().acquire(); threading.local().x = 1",
    "asyncio without a loop": "import asyncio; asyncio.Queue",
    "own files": "import pathlib; assert 'act' in (pathlib.Path(__file__).parent / 'bot.py').read_text()",
    "own file by its name": "assert open('bot.py').read()",
    "csv and io": "import csv, io; list(csv.reader(io.StringIO('a,b')))",
    "signal and resource": "import signal, resource; resource.getrusage(resource.RUSAGE_SELF); signal.getsignal(2)",
    "numpy": "import numpy as np; assert np.linalg.det(np.eye(3)) == 1 and np.fft.fft([1, 0])[0] == 1",
    "numpy files": "import numpy, io; b = io.BytesIO(); numpy.save(b, [1]); b.seek(0); assert numpy.load(b)[0] == 1",
    "numpy random": "import numpy; numpy.random.default_rng(3).normal(size=5)",
}


@pytest.mark.parametrize("body", WORK.values(), ids=WORK.keys())
def test_it_works_inside(start: Start, body: str) -> None:
    assert start(f"def act(view):\n {body}\n return 'go'\n", limits=PATIENT).act(VIEW).action == "go"


RULES = {
    "a thread": ("import threading; threading.Thread(target=print).start()", "one thread"),
    "a pool": ("from concurrent.futures import ThreadPoolExecutor as P; P().submit(print)", "one thread"),
    "a loop": ("import asyncio; asyncio.run(asyncio.sleep(0))", "one thread"),
    "fork": ("import os; os.fork()", "one process"),
    "subprocess": ("import subprocess; subprocess.run(['ls'])", "one process"),
    "multiprocessing": ("import multiprocessing as m; m.Process(target=print).start()", "one process"),
    "a socket": ("import socket; socket.socket()", "no network"),
    "a name": ("import socket; socket.create_connection(('example.org', 80))", "no network"),
    "a page": ("import urllib.request; urllib.request.urlopen('http://example.org')", "no network"),
    "a file to write": ("open('/bot/notes', 'w')", "nothing can be written"),
    "a folder to make": ("import os; os.mkdir('/bot/x')", "does not allow"),
    "a temporary file": ("import tempfile; tempfile.TemporaryFile()", "nothing can be written"),
    "a file of the machine": ("open('/etc/passwd')", "own files"),
    "a file that is missing": ("open('weights.bin')", "own files"),
    "a package": ("import requests", "standard library, numpy"),
    "a module on the list": ("import sqlite3", "standard library, numpy"),
    "a time zone": ("import zoneinfo; zoneinfo.ZoneInfo('Europe/Berlin')", "time zone"),
}


@pytest.mark.parametrize(("body", "rule"), RULES.values(), ids=RULES.keys())
def test_what_is_not_allowed_fails_with_the_rule(start: Start, body: str, rule: str) -> None:
    with pytest.raises(BotFault) as caught:
        start(f"def act(view):\n {body}\n return 'go'\n", limits=PATIENT).act(VIEW)
    assert rule in caught.value.detail.partition("The rule: ")[2], caught.value.detail


@pytest.mark.parametrize("body", ["1 / 0", "[][1]", "raise RuntimeError('mine')", "raise OSError('mine')"])
def test_an_ordinary_crash_names_no_rule(start: Start, body: str) -> None:
    with pytest.raises(BotFault) as caught:
        start(f"def act(view):\n {body}\n").act(VIEW)
    assert "The rule" not in caught.value.detail
