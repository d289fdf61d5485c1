"""What the author sees when a bot fails: verdict, exception, line, traceback, time against the limit, output."""

import pickle

import pytest

from games.protocol import BotFault, Limits, Verdict

from .conftest import VIEW, Start

BUSY = "import time\ndef busy(seconds):\n end = time.process_time() + seconds\n while time.process_time() < end: pass\n"
SHORT = Limits(start_cpu=0.3, start_wall=1.0, act_cpu=0.1, act_wall=0.6, game_cpu=1.0, game_wall=2.0)


def fault_of(start: Start, source: str, *, limits: Limits = SHORT, turns: int = 1, **more: object) -> BotFault:
    """How the bot fails, at the start or in one of its turns."""

    def live() -> None:
        box = start(source, limits=limits, **more)
        for _ in range(turns):
            box.act(VIEW)

    with pytest.raises(BotFault) as caught:
        live()
    return caught.value


def test_a_crash_names_exception_line_and_only_the_bots_files(start: Start) -> None:
    fault = fault_of(
        start,
        "import json\nfrom deep.er import fail\n\ndef act(view):\n    print('before')\n    return fail()\n",
        beside={"deep/er.py": b"import json\ndef fail():\n    return json.loads('{')\n"},
    )
    assert (fault.verdict, fault.exception, fault.line) == (Verdict.CRASHED, "JSONDecodeError", 3)
    assert 'File "bot.py", line 6, in act\n    return fail()' in fault.detail
    assert 'File "deep/er.py", line 3, in fail' in fault.detail
    assert "/bot" not in fault.detail
    assert "decoder.py" not in fault.detail
    assert "runner" not in fault.detail
    assert fault.output == "before\n"
    assert 0 < fault.cpu < 0.5
    assert fault.wall > 0


def test_the_causes_of_a_crash_are_reported_too(start: Start) -> None:
    source = "def act(view):\n try: 1 / 0\n except Exception as e: raise ValueError('second') from e"
    fault = fault_of(start, source)
    assert fault.exception == "ValueError"
    assert "ZeroDivisionError" in fault.detail
    assert fault.line == 3


@pytest.mark.parametrize(
    ("source", "exception", "line"),
    [
        ("x = 1\ndef act(view:\n", "SyntaxError", 2),
        ("x = 1\n\nimport requests\n", "ModuleNotFoundError", 3),
        ("def act(view): pass\n1 / 0\n", "ZeroDivisionError", 2),
        ("\0\0\0", "SyntaxError", None),
        ("# -*- coding: latin-7000 -*-\n", "SyntaxError", None),
    ],
)
def test_a_file_that_cannot_be_imported_says_where(start: Start, source: str, exception: str, line: int | None) -> None:
    fault = fault_of(start, source)
    assert fault.verdict is Verdict.IMPORT_ERROR
    assert fault.exception in (exception, "ValueError")  # Python 3.11 calls null bytes a ValueError
    assert line is None or fault.line == line


def test_a_constructor_that_raises_is_a_crash_at_the_start(start: Start) -> None:
    fault = fault_of(start, "class Bot:\n def __init__(self, table):\n  table['nothing']", turns=0)
    assert (fault.verdict, fault.exception, fault.line) == (Verdict.CRASHED, "KeyError", 3)


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("return 3", Verdict.MALFORMED),
        ("return None", Verdict.MALFORMED),
        ("return b'go'", Verdict.MALFORMED),
        ("return '\\ud800'", Verdict.MALFORMED),
        ("return 'x' * 257", Verdict.OVERSIZE),
        ("return '\\u00e9' * 200", Verdict.OVERSIZE),
        ("raise SystemExit(0)", Verdict.EXITED),
        ("import os; os._exit(0)", Verdict.EXITED),
        ("x = bytearray(1 << 34)", Verdict.MEMORY),
        ("return act(view)", Verdict.CRASHED),
        ("import ctypes; ctypes.string_at(0)", Verdict.KILLED),
        ("import ctypes; ctypes.CDLL(None).unshare(0)", Verdict.FORBIDDEN_CALL),
        ("import os; os.close(3); return 'go'", Verdict.CRASHED),
    ],
)
def test_each_way_to_fail_has_its_verdict(start: Start, body: str, verdict: Verdict) -> None:
    fault = fault_of(start, f"def act(view): {body}")
    allowed = {verdict, Verdict.EXITED, Verdict.PROTOCOL} if "close" in body else {verdict}
    assert fault.verdict in allowed


def test_a_text_that_is_a_subclass_is_text(start: Start) -> None:
    assert start("import numpy\ndef act(view): return numpy.str_('go')").act(VIEW).action == "go"


def test_filling_memory_bit_by_bit_is_a_memory_fault(start: Start) -> None:
    source = "def act(view):\n x = []\n while True: x.append(bytearray(1 << 20))"
    fault = fault_of(start, source, limits=Limits(act_cpu=5, memory=64 << 20))
    assert fault.verdict is Verdict.MEMORY


def test_a_bot_may_use_the_memory_it_was_promised(start: Start) -> None:
    source = "def act(view): return str(len(bytearray(100 << 20)))"
    assert start(source, limits=Limits(memory=128 << 20)).act(VIEW).action == str(100 << 20)


def test_computing_too_long_is_a_cpu_fault_with_use_and_limit(start: Start) -> None:
    fault = fault_of(start, "def act(view):\n while True: pass")
    assert (fault.verdict, fault.limit) == (Verdict.CPU_TIME, SHORT.act_cpu)
    assert SHORT.act_cpu <= fault.cpu < 1


def test_an_answer_given_after_too_much_computing_does_not_count(start: Start) -> None:
    source = BUSY + "def act(view):\n busy(0.1005)\n return 'go'"
    assert fault_of(start, source).verdict is Verdict.CPU_TIME


def test_a_bot_that_sleeps_too_long_is_reported_as_such(start: Start) -> None:
    fault = fault_of(start, "import time\ndef act(view): time.sleep(60)")
    assert (fault.verdict, fault.limit) == (Verdict.SLEPT, SHORT.act_wall)
    assert fault.cpu < 0.5
    assert SHORT.act_wall <= fault.wall < 5


@pytest.mark.parametrize(
    ("source", "verdict", "limit"),
    [
        ("while True: pass", Verdict.CPU_TIME, SHORT.start_cpu),
        ("import time; time.sleep(60)", Verdict.SLEPT, SHORT.start_wall),
    ],
)
def test_the_start_has_limits_of_its_own(start: Start, source: str, verdict: Verdict, limit: float) -> None:
    fault = fault_of(start, source, turns=0)
    assert (fault.verdict, fault.limit) == (verdict, limit)


def test_the_bank_of_the_game_runs_out_although_each_action_is_in_time(start: Start) -> None:
    limits = Limits(act_cpu=0.1, game_cpu=0.15)
    source = BUSY + "def act(view):\n busy(0.06)\n return 'go'"
    fault = fault_of(start, source, limits=limits, turns=5)
    assert (fault.verdict, fault.limit) == (Verdict.CPU_TIME, limits.game_cpu)
    assert "for the game" in fault.detail


def test_the_start_is_not_charged_to_the_game(start: Start) -> None:
    source = BUSY + "busy(0.2)\ndef act(view): return 'go'"
    box = start(source, limits=Limits(start_cpu=2, game_cpu=0.1, act_cpu=0.05))
    assert box.act(VIEW).action == "go"
    assert box.cpu > 0.2


def test_an_infinite_failure_text_is_cut(start: Start) -> None:
    fault = fault_of(start, "def act(view): raise ValueError('start' + 'x' * 100_000 + '\\x1b[1m end')")
    assert len(fault.detail.encode()) <= 4200
    assert fault.detail.rstrip().endswith("\ufffd[1m end")


def test_a_box_is_dead_after_a_fault(start: Start) -> None:
    box = start("def act(view): 1 / 0")
    with pytest.raises(BotFault):
        box.act(VIEW)
    assert box.closed
    assert box.cpu > 0
    box.close()


def test_a_fault_survives_the_way_through_a_queue(start: Start) -> None:
    fault = fault_of(start, "def act(view):\n print('x'); 1 / 0")
    copy = pickle.loads(pickle.dumps(fault))
    assert vars(copy) == vars(fault)
    assert str(copy) == str(fault)
    assert str(copy).startswith("crashed: Traceback")


@pytest.mark.parametrize(
    ("body", "line", "limits"),
    [
        ("    while True: pass\n", 4, SHORT),  # a loop of Python's own
        ("    sum(iter(int, 1))\n", 4, SHORT),  # one in C, which never comes back to the interpreter
        ("    import time\n    time.sleep(60)\n", 5, SHORT),
        ("    try: work()\n    except BaseException: pass\ndef work():\n    while True: work\n", 7, SHORT),
    ],
    ids=["python", "c", "sleep", "deeper"],
)
def test_a_timeout_reports_line_and_output(start: Start, body: str, line: int, limits: Limits) -> None:
    source = "print('loaded')\ndef act(view):\n    print('start')\n" + body
    fault = fault_of(start, source, limits=limits)
    assert fault.verdict in (Verdict.CPU_TIME, Verdict.SLEPT)
    assert fault.output == "loaded\nstart\n"
    assert fault.line == line
    assert f'File "bot.py", line {line}, in ' in fault.detail
    assert source.splitlines()[line - 1].strip() in fault.detail
    assert "runner" not in fault.detail
    assert "/bot" not in fault.detail


def test_a_timeout_at_the_start_reports_line_and_output(start: Start) -> None:
    beside = {"deep/er.py": b"def load():\n    while True: pass\n"}
    source = "print('before')\nfrom deep.er import load\nload()\n"
    fault = fault_of(start, source, turns=0, beside=beside)
    assert (fault.verdict, fault.line, fault.output) == (Verdict.CPU_TIME, 2, "before\n")
    assert 'File "deep/er.py", line 2, in load' in fault.detail


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("import os; os._exit(3)", Verdict.EXITED),
        ("import ctypes; ctypes.string_at(0)", Verdict.KILLED),
        ("import ctypes; ctypes.CDLL(None).unshare(0)", Verdict.FORBIDDEN_CALL),
        ("bytearray(1 << 34)", Verdict.MEMORY),
        ("import os; os.write(3, b'junk')\n while True: pass", Verdict.PROTOCOL),
    ],
)
def test_what_was_printed_outlives_every_end(start: Start, body: str, verdict: Verdict) -> None:
    fault = fault_of(start, f"def act(view):\n print('start')\n {body}")
    assert (fault.verdict, fault.output) == (verdict, "start\n")


@pytest.mark.parametrize(
    "trick",
    [
        "signal.signal(signal.SIGXCPU, signal.SIG_IGN)",
        "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))",
        "signal.signal(signal.SIGXCPU, lambda *_: os.write(3, b'R'))",
        "signal.signal(signal.SIGXCPU, lambda *_: [os.write(3, b'x' * 9000) for _ in iter(int, 1)])",
        "signal.signal(signal.SIGXCPU, lambda *_: os.write(3, b'  File \"/bot/../passwd\", line 9 in \\x1b[2J\\n'))",
        "signal.signal(signal.SIGXCPU, lambda *_: os.write(3, b'  File \"/bot/bot.py\", line ' + b'9' * 5000))",
        "os.close(3)",
    ],
)
def test_last_words_are_believed_no_further_than_the_bots_own_text(start: Start, trick: str) -> None:
    fault = fault_of(start, f"import os, signal\ndef act(view):\n {trick}\n while True: pass")
    assert fault.verdict in (Verdict.CPU_TIME, Verdict.PROTOCOL)
    assert fault.line is None or fault.line == 4
    assert "\x1b" not in fault.detail
    assert "passwd" not in fault.detail
    assert fault.wall < 2
