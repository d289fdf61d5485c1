"""``peck tune``: the numbers that a bot declares, where they are moved, and what a run keeps."""

import ast
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from peck.__main__ import main
from peck.parameters import Parameter, ParametersError, parameters_declared, parameters_rewritten
from peck.spsa import Spsa, spsa_bars
from peck.tune import LEDGER

Capture = pytest.CaptureFixture[str]

BOT = """\
PARAMETERS = {
    "stop_at": (21, 15, 36),  # points
    "worms": (0.0, -4.0, 8.0),
}


def act(view):
    if "stop" in view["actions"] and view["sum"] >= PARAMETERS["stop_at"][0]:
        return "stop"
    return view["actions"][0]
"""
NAMES = st.text(st.characters(categories=["Ll", "Lu", "Nd"]), min_size=1, max_size=9)
NUMBERS = st.floats(-1e6, 1e6).map(lambda one: float(f"{one:.4g}"))


@pytest.fixture
def bot(tmp_path: Path) -> str:
    path = tmp_path / "mine.py"
    path.write_text(BOT)
    return str(path)


def tuned(bot: str, folder: Path, capsys: Capture, *more: str, steps: int = 3) -> dict[str, Any]:
    how = ["--steps", str(steps), "--blocks", "2", "-j", "1", "--run", str(folder), "--json", *more]
    assert main(["tune", "pickomino", bot, *how]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_parameters_are_read_in_their_order() -> None:
    assert parameters_declared(BOT.encode()) == [
        Parameter("stop_at", 21, 15, 36, whole=True),
        Parameter("worms", 0.0, -4.0, 8.0, whole=False),
    ]


@pytest.mark.parametrize(
    ("declaration", "reason"),
    [
        ("", "declare what is to be tuned once"),
        ("PARAMETERS = {}", "declare what is to be tuned once"),
        ("PARAMETERS = {'a': (1, 0, 2)}\nPARAMETERS = {'a': (1, 0, 2)}", "declare what is to be tuned once"),
        ("if True:\n    PARAMETERS = {'a': (1, 0, 2)}", "declare what is to be tuned once"),
        ("PARAMETERS = dict(a=(1, 0, 2))", "declare what is to be tuned once"),
        ("PARAMETERS = {a: (1, 0, 2)}", "a name must be a text"),
        ("PARAMETERS = {'a': (1, 0)}", "'a' needs three numbers"),
        ("PARAMETERS = {'a': (1, 0, limit())}", "'a' needs three numbers"),
        ("PARAMETERS = {'a': (1, 0, 1e999)}", "'a' needs three numbers"),
        ("PARAMETERS = {'a': (True, 0, 2)}", "'a' needs three numbers"),
        ("PARAMETERS = {'a': (3, 0, 2)}", "'a' must start between"),
        ("PARAMETERS = {'a': (0, 0, 0)}", "'a' must start between"),
        ("PARAMETERS = {'a': (1, 0, 2), 'a': (1, 0, 2)}", "a name is given twice"),
        ("PARAMETERS = {", "is not Python"),
    ],
)
def test_what_is_no_declaration_is_refused_with_the_reason(declaration: str, reason: str) -> None:
    with pytest.raises(ParametersError, match=reason):
        parameters_declared(declaration.encode())


def test_a_file_that_is_no_text_is_refused() -> None:
    with pytest.raises(ParametersError, match="UTF-8"):
        parameters_declared(b"\xff\xfe")


@given(st.dictionaries(NAMES, st.tuples(NUMBERS, NUMBERS, NUMBERS).map(sorted), min_size=1, max_size=5), st.data())
def test_a_file_has_its_new_values_and_is_the_same_otherwise(found: dict[str, list[float]], data: Any) -> None:
    triples = {name: (start, low, high) for name, (low, start, high) in found.items() if low < high}
    if not triples:
        return
    lines = [f"    {name!r}: {triple!r},  # é ünd {name}" for name, triple in triples.items()]
    source = "\r\n".join(['"""Ä bot."""', "PARAMETERS = {", *lines, "}", "AFTER = (1, 2)", ""]).encode()
    values = {one.name: one.at(data.draw(st.floats(0, 1))) for one in parameters_declared(source)}
    new = parameters_rewritten(source, values)
    assert {one.name: one.start for one in parameters_declared(new)} == values
    assert parameters_rewritten(new, {name: triple[0] for name, triple in triples.items()}) == source
    assert ast.dump(ast.parse(new).body[2]) == ast.dump(ast.parse(source).body[2])


@given(st.integers(-9, 9), st.integers(1, 30), st.floats(0, 1))
def test_whole_numbers_stay_whole_and_all_stay_in_their_range(low: int, wide: int, part: float) -> None:
    whole, real = (Parameter("a", low, low, low + wide, whole=one) for one in (True, False))
    assert isinstance(whole.at(part), int)
    assert all(one.low <= one.at(part) <= one.high for one in (whole, real))


def test_the_search_finds_the_top_of_a_hill_through_noise() -> None:
    noise = random.Random(3)
    top = {"a": 0.8, "b": -2.0, "c": 7}
    search = Spsa(
        [
            Parameter("a", 0.2, 0, 1, whole=False),
            Parameter("b", 3.0, -5, 5, whole=False),
            Parameter("c", 2, 0, 10, True),
        ],
        *(400, "seed"),
    )

    def height(values: tuple[float, ...]) -> float:
        near = zip(search.parameters, values, top.values(), strict=True)
        return -sum((one.part(value) - one.part(best)) ** 2 for one, value, best in near)

    before = height(search.best)
    while search.step < search.steps:
        pair = search.pair()
        ahead = 0.5 + (height(pair.plus) - height(pair.minus)) / 2
        shares = [ahead + noise.gauss(0, 0.1) for _ in range(10)]
        search.move(shares, [0.0] * 10)
    assert height(search.best) > before / 10


def test_what_does_not_matter_is_not_driven_to_its_limits() -> None:
    noise = random.Random(4)
    search = Spsa([Parameter("a", 0.5, 0, 1, whole=False)], 300, "seed")
    while search.step < search.steps:
        search.move([0.5 + noise.gauss(0, 0.1) for _ in range(10)], [0.0] * 10)
    assert 0.2 < search.best[0] < 0.8


def test_luck_that_is_known_is_taken_off() -> None:
    with_luck, without = (Spsa([Parameter("a", 0.5, 0, 1, whole=False)], 9, "seed") for _ in range(2))
    with_luck.move([0.9] * 4, [0.4] * 4)
    without.move([0.5] * 4, [0.0] * 4)
    assert with_luck.points[-1] == pytest.approx(without.points[-1])


def test_candidates_lie_opposite_each_other_and_follow_from_the_seed() -> None:
    first, again, other = (Spsa(parameters_declared(BOT.encode()), 9, seed) for seed in ("a", "a", "other"))
    pair = first.pair()
    assert pair == again.pair() != other.pair()
    middle = [(plus + minus) / 2 for plus, minus in zip(pair.plus, pair.minus, strict=True)]
    assert middle == pytest.approx([21, 0], abs=0.51)
    assert pair.plus[0] != pair.minus[0]


def test_the_tuned_bot_is_a_file_like_the_first(bot: str, tmp_path: Path, capsys: Capture) -> None:
    found = tuned(bot, tmp_path / "run", capsys)
    source = (tmp_path / "run/tuned/bot.py").read_bytes()
    assert {one.name: one.start for one in parameters_declared(source)} == {
        name: one["tuned"] for name, one in found["parameters"].items()
    }
    assert [one["start"] for one in found["parameters"].values()] == [21, 0.0]
    assert found["games"] == 12
    assert source.decode().splitlines()[4:] == BOT.splitlines()[4:]


def test_the_same_seed_gives_the_same_result_with_any_number_of_processes(
    bot: str, tmp_path: Path, capsys: Capture
) -> None:
    one = tuned(bot, tmp_path / "one", capsys)
    two = tuned(bot, tmp_path / "two", capsys, "-j", "2")
    assert one["parameters"] == two["parameters"]
    assert (tmp_path / "one" / LEDGER).read_bytes() == (tmp_path / "two" / LEDGER).read_bytes()
    assert tuned(bot, tmp_path / "other", capsys, "--seed", "other")["parameters"] != one["parameters"]


@pytest.mark.parametrize("cut", [1, 40, 10**6], ids=["an end of line", "half a line", "all steps"])
def test_a_run_that_was_killed_comes_to_the_same_result(bot: str, tmp_path: Path, capsys: Capture, cut: int) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    wanted = tuned(bot, whole, capsys)
    stored = (whole / LEDGER).read_bytes()
    head = stored.index(b"\n") + 1
    killed.mkdir()
    (killed / LEDGER).write_bytes(stored[: max(head, len(stored) - cut)])
    found = tuned(bot, killed, capsys, "--resume")
    assert found["parameters"] == wanted["parameters"]
    assert (killed / LEDGER).read_bytes() == stored
    assert (killed / "tuned/bot.py").read_bytes() == (whole / "tuned/bot.py").read_bytes()


def test_a_run_is_not_written_over_nor_mixed_with_another(bot: str, tmp_path: Path, capsys: Capture) -> None:
    tuned(bot, tmp_path / "run", capsys)
    how = ["tune", "pickomino", bot, "--run", str(tmp_path / "run"), "-j", "1", "--blocks", "2", "--steps", "3"]
    assert main(how) == 2
    assert "contains a run already" in capsys.readouterr().err
    assert main([*how, "--resume", "--seed", "other"]) == 2
    assert "is a run with other seed" in capsys.readouterr().err
    Path(bot).write_text(BOT.replace("(21,", "(22,"))
    assert main([*how, "--resume"]) == 2
    assert "is a run with other bot, parameters" in capsys.readouterr().err
    ledger = tmp_path / "run" / LEDGER
    ledger.write_bytes(ledger.read_bytes().replace(b'"format":1', b'"format":2'))
    Path(bot).write_text(BOT)
    assert main([*how, "--resume"]) == 2
    assert "is a run with other format" in capsys.readouterr().err
    ledger.write_bytes(b"[]\n")
    assert main([*how, "--resume"]) == 2
    assert "is not a run of peck tune" in capsys.readouterr().err


def test_a_bot_that_fails_loses_and_the_report_says_so(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "broken.py"
    path.write_text('PARAMETERS = {"a": (1, 0, 2)}\n\n\ndef act(view):\n    return "nonsense"\n')
    how = ["--steps", "1", "--blocks", "2", "-j", "1", "--run", str(tmp_path / "run")]
    assert main(["tune", "pickomino", str(path), *how]) == 0
    assert "a candidate failed in 4 games" in capsys.readouterr().err


def test_luck_is_taken_off_where_the_game_has_a_value_and_refused_elsewhere(
    bot: str, tmp_path: Path, capsys: Capture
) -> None:
    tuned(bot, tmp_path / "run", capsys, "--luck", steps=1)
    _head, step = (tmp_path / "run" / LEDGER).read_text().splitlines()
    assert any(json.loads(step)["luck"])
    assert main(["tune", "karteneck", bot, "--luck", "--run", str(tmp_path / "cards")]) == 2
    assert "no value for karteneck/2" in capsys.readouterr().err


def test_the_result_goes_to_the_gate(bot: str, tmp_path: Path, capsys: Capture) -> None:
    how = ["--steps", "1", "--blocks", "1", "-j", "1", "--run", str(tmp_path / "run"), "--gate"]
    assert main(["tune", "pickomino", bot, *how]) in (0, 1)
    assert "tuned" in capsys.readouterr().out


def test_the_chart_has_a_bar_for_each_point_up_to_its_width() -> None:
    assert spsa_bars([0, 0.5, 1]) == "▁▅█"
    assert len(spsa_bars([0.5] * 1000)) <= 40
