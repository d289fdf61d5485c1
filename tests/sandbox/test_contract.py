"""What a bot may count on: its entry points, its seed, its table, its print."""

import hashlib

import pytest

from games.explanation import MoveExplanation
from games.protocol import BotFault, Limits, Verdict

from .conftest import VIEW, Start


def test_a_function_act_answers(start: Start) -> None:
    assert start("def act(view): return view['actions'][1]").act(VIEW).action == "stop"


def test_a_class_bot_gets_its_table_and_keeps_its_state(start: Start) -> None:
    box = start(
        "class Bot:\n"
        "    def __init__(self, table): self.seat, self.turns = table['seat'], 0\n"
        "    def act(self, view):\n"
        "        self.turns += 1\n"
        "        return f'{self.seat} {self.turns}'\n",
        table={"seat": 3},
    )
    assert [box.act(VIEW).action for _ in range(2)] == ["3 1", "3 2"]


def test_a_class_bot_wins_over_a_function_act(start: Start) -> None:
    source = "def act(view): return 'f'\nclass Bot:\n def __init__(self, table): pass\n def act(self, view): return 'c'"
    assert start(source).act(VIEW).action == "c"


def test_game_over_is_called_and_may_print(start: Start) -> None:
    box = start(
        "class Bot:\n"
        "    def __init__(self, table): pass\n"
        "    def act(self, view): return 'go'\n"
        "    def game_over(self, result): print('places', result['places'])\n"
    )
    box.act(VIEW)
    assert box.finish({"places": [1, 2]}) == "places [1, 2]\n"


@pytest.mark.parametrize("body", ["1 / 0", "import os; os._exit(1)", "while True: pass"])
def test_a_fault_in_game_over_costs_nothing(start: Start, body: str) -> None:
    box = start(
        "class Bot:\n"
        "    def __init__(self, table): pass\n"
        "    def act(self, view): return 'go'\n"
        f"    def game_over(self, result):\n        {body}\n",
        limits=Limits(act_cpu=0.1),
    )
    box.act(VIEW)
    assert box.finish({}) == ""
    assert box.closed


def test_finish_needs_no_game_over(start: Start) -> None:
    assert start("def act(view): return 'go'").finish({}) == ""


@pytest.mark.parametrize(
    "source",
    ["", "act = 5", "class Bot:\n def __init__(self, table): pass", "def play(view): return 'go'"],
    ids=["empty", "act is a number", "Bot without act", "another name"],
)
def test_without_an_entry_point_a_bot_does_not_start(start: Start, source: str) -> None:
    with pytest.raises(BotFault) as caught:
        start(source)
    assert caught.value.verdict is Verdict.NO_ENTRY_POINT
    assert "act" in caught.value.detail


def test_files_of_a_package_can_be_imported_and_read(start: Start) -> None:
    box = start(
        "from pathlib import Path\n"
        "from brain.deep import thought\n"
        "WORD = Path(__file__).with_name('data').joinpath('word.txt').read_text()\n"
        "def act(view): return thought.THINK + WORD\n",
        beside={
            "brain/__init__.py": b"",
            "brain/deep/__init__.py": b"",
            "brain/deep/thought.py": b"THINK = '42'",
            "data/word.txt": b"!",
        },
    )
    assert box.act(VIEW).action == "42!"


def test_a_large_upload_arrives_whole(start: Start) -> None:
    data = bytes(range(256)) * 12_000  # 3 MB, many messages
    box = start(
        "import hashlib\ndef act(view): return hashlib.sha256(open('/bot/weights.bin', 'rb').read()).hexdigest()",
        beside={"weights.bin": data},
    )
    assert box.act(VIEW).action == hashlib.sha256(data).hexdigest()


RANDOM = """
import random, numpy
def act(view): return f"{random.getrandbits(60)} {numpy.random.randint(1 << 60)} {hash('key')}"
"""


def test_the_same_seed_gives_the_same_randomness(start: Start) -> None:
    first, second = (start(RANDOM, seed=2**63 + 5).act(VIEW).action for _ in range(2))
    assert first == second


def test_another_seed_gives_other_randomness(start: Start) -> None:
    first, second = (start(RANDOM, seed=seed).act(VIEW).action.split() for seed in (1, 2))
    assert first[0] != second[0]
    assert first[1] != second[1]
    assert first[2] == second[2], "the hash of text is the same in every game"


def test_numpy_works_inside(start: Start) -> None:
    box = start(
        "import numpy as np\n"
        "def act(view):\n"
        "    a = np.random.rand(120, 120)\n"
        "    u, s, v = np.linalg.svd(a)\n"
        "    assert np.allclose(u @ np.diag(s) @ v, a)\n"
        "    assert np.allclose(np.fft.ifft(np.fft.fft(a[0])).real, a[0])\n"
        "    return str(np.random.default_rng(5).integers(10))\n",
        limits=Limits(act_cpu=10, act_wall=30),
    )
    assert box.act(VIEW).action.isdigit()


def test_print_comes_back_with_the_answer_once(start: Start) -> None:
    box = start(
        "import sys\nprint('at import')\n"
        "def act(view):\n print('turn', view['turn']); print('oops', file=sys.stderr); return 'go'"
    )
    assert box.act(VIEW).output == "at import\nturn 1\noops\n"
    assert box.act(VIEW).output == "turn 1\noops\n"


def test_print_is_capped(start: Start) -> None:
    box = start(
        "def act(view):\n for _ in range(10000): print('\\u00e9' * 100)\n return 'go'", limits=Limits(output=1000)
    )
    for _ in range(2):
        output = box.act(VIEW).output
        assert 990 <= len(output.encode()) <= 1000
        assert set(output) == {"é", "\n"}


def test_a_limit_of_no_output_stores_none(start: Start) -> None:
    assert start("def act(view):\n print('x'); return 'go'", limits=Limits(output=0)).act(VIEW).output == ""


def test_control_characters_in_print_are_defused(start: Start) -> None:
    output = start("def act(view):\n print('\\x1b[2J\\u202ehi\\ttab'); return 'go'").act(VIEW).output
    assert output == "\ufffd[2J\ufffdhi\ttab\n"


def test_there_is_no_input_and_no_environment(start: Start) -> None:
    source = "import os, sys\ndef act(view): return repr((sys.stdin.read(), dict(os.environ), sys.argv))"
    assert start(source).act(VIEW).action == "('', {}, ['/bot/bot.py'])"


def test_as_many_and_as_deep_files_as_are_allowed_can_be_unpacked(start: Start) -> None:
    folder = "/".join("abcdefghijklmn")
    beside = {f"{n:03}/{folder}/{'x' * 150}": b"1" for n in range(499)}
    source = "import os\ndef act(view): return str(sum(len(files) for _, _, files in os.walk('/bot')))"
    assert start(source, beside=beside).act(VIEW).action == "500"


@pytest.mark.parametrize(
    ("body", "printed"),
    [
        ("sys.stdout.reconfigure(encoding='utf-8', line_buffering=True); print('é')", "é\n"),
        ("sys.stdout.buffer.write(b'raw\\n'); sys.stdout.buffer.flush()", "raw\n"),
        ("os.write(sys.stdout.fileno(), b'one\\n'); os.write(sys.stderr.fileno(), b'two\\n')", "one\ntwo\n"),
        ("faulthandler.enable(); print('armed')", "armed\n"),
        ("print(sys.stdin.buffer.read(), sys.stdin.readline() == '', list(sys.stdin))", "b'' True []\n"),
        ("print(pkgutil.get_data('bot', 'word.txt'), pkgutil.get_data('brain', 'deep.txt'))", "b'word' b'deep'\n"),
        ("print('\\ud800')", "?\n"),
        ("sys.stdout = io.StringIO(); print('mine')", ""),
        ("ctypes.CDLL(None).puts(b'of C'); ctypes.CDLL(None).fflush(None)", "of C\n"),
    ],
)
def test_the_standard_streams_are_as_anywhere(start: Start, body: str, printed: str) -> None:
    source = f"import ctypes, faulthandler, io, os, pkgutil, sys\ndef act(view):\n {body}\n return 'go'"
    beside = {"word.txt": b"word", "brain/__init__.py": b"", "brain/deep.txt": b"deep"}
    reply = start(source, beside=beside).act(VIEW)
    assert (reply.action, reply.output) == ("go", printed)


def test_a_crash_of_the_interpreter_reports_its_line_on_request(start: Start) -> None:
    box = start("import ctypes, faulthandler\nfaulthandler.enable()\ndef act(view):\n return ctypes.string_at(0)")
    with pytest.raises(BotFault) as caught:
        box.act(VIEW)
    assert caught.value.verdict is Verdict.KILLED
    assert 'File "/bot/bot.py", line 4 in act' in caught.value.output


def test_an_object_says_more_than_the_action_and_a_text_is_as_right_as_before(start: Start) -> None:
    box = start(
        "class Bot:\n"
        "    def __init__(self, table): self.turn = 0\n"
        "    def act(self, view):\n"
        "        self.turn += 1\n"
        "        return {'action': 'go', 'note': f'turn {self.turn}', 'marks': ['go'], 'value': 0.5}"
        " if self.turn % 2 else 'stop'\n"
    )
    explanation = MoveExplanation("turn 1", ("go",), 0.5)
    assert [(reply.action, reply.explanation) for reply in (box.act(VIEW), box.act(VIEW))] == [
        ("go", explanation),
        ("stop", None),
    ]


@pytest.mark.parametrize(
    "extra",
    [
        "'note': 'x' * 10**7",
        "'marks': ['tile'] * 10**6",
        "'note': chr(0xd800), 'marks': [chr(0xdfff)] * 99",
        "'note': {'note': view}, 'marks': {1: [view]}, 'value': [view]",
        "'value': float('nan')",
        "'value': 10**400",
        "**{str(n): view for n in range(10**4)}",
    ],
)
def test_no_extra_field_beside_the_action_ends_a_game(start: Start, extra: str) -> None:
    box = start(f"def act(view): return {{'action': 'go', {extra}}}")
    assert [box.act(VIEW).action for _ in range(3)] == ["go"] * 3


def test_the_time_that_it_takes_to_say_it_is_the_bots(start: Start) -> None:
    slow = "class Slow(float):\n    def __float__(self):\n        while True: pass\n"
    box = start(f"{slow}def act(view): return {{'action': 'go', 'value': Slow(1)}}", limits=Limits(act_cpu=0.1))
    with pytest.raises(BotFault) as caught:
        box.act(VIEW)
    assert caught.value.verdict is Verdict.CPU_TIME
