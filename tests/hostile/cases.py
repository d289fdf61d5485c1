"""Every hostile bot with the endings that are right for it. Each bot's own header says what it tries."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from games.protocol import Limits, Verdict

PLAYS_ON: Final = "plays on"
BOTS: Final = Path(__file__).parent / "bots"
QUICK: Final = Limits(start_cpu=0.6, start_wall=4.0, act_cpu=0.4, act_wall=1.0, game_cpu=4.0, game_wall=20.0)
_LONG: Final = Limits(start_cpu=2.0, start_wall=10.0, act_cpu=8.0, act_wall=30.0, game_cpu=60.0, game_wall=120.0)
_SHORT_BANKS: Final = Limits(act_cpu=0.4, act_wall=2.0, game_cpu=0.5, game_wall=1.5)

HONEST: Final = b"def act(view):\n    return view['actions'][0]\n"
SLOW: Final = b"""
import time
def act(view):
    end = time.process_time() + 0.02
    while time.process_time() < end:
        pass
    return view["actions"][0]
"""
_SHADOWS: Final = ("msgspec.py", "random.py", "json.py", "sitecustomize.py", "usercustomize.py", "x.pth")
_EVIL_MODULE: Final = b"raise SystemExit('LEAK: imported')\n"


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    expected: frozenset[str]
    limits: Limits = QUICK
    turns: int = 6
    opponent: bytes = HONEST
    beside: Mapping[str, bytes] = field(default_factory=dict)  # more files of the upload

    def files(self) -> dict[str, bytes]:
        return {"bot.py": (BOTS / f"{self.name}.py").read_bytes(), **self.beside}


def _case(name: str, *expected: str, **more: object) -> Case:
    return Case(name, frozenset(map(str, expected)), **more)  # type: ignore[arg-type]


CASES: Final = {
    case.name: case
    for case in (
        _case("h01_fork_bomb", PLAYS_ON),
        _case("h02_memory_bomb", PLAYS_ON, Verdict.MEMORY, limits=_LONG, turns=2),
        _case("h02b_import_bomb", Verdict.MEMORY),
        _case("h03_c_hog", Verdict.CPU_TIME),
        _case("h04_sleeper", Verdict.WALL_TIME),
        _case("h05_flood", Verdict.OVERSIZE),
        _case("h05b_regex", Verdict.CPU_TIME),
        _case("h06_forge_frames", Verdict.PROTOCOL, Verdict.UNSOLICITED),
        _case("h07_half_message", Verdict.PROTOCOL),
        _case("h08_decoder_bomb", Verdict.MALFORMED),
        _case("h08b_wrong_types", Verdict.MALFORMED),
        _case("h08c_bad_utf8", Verdict.MALFORMED),
        _case("h09_syscalls", Verdict.FORBIDDEN_CALL),
        _case("h09b_other_abis", Verdict.FORBIDDEN_CALL, Verdict.KILLED),
        _case("h09c_x32", Verdict.FORBIDDEN_CALL),
        _case("h10_read_secrets", PLAYS_ON),
        _case("h11_channels", PLAYS_ON),
        _case("h12_killer", PLAYS_ON),
        _case("h13_rewriter", PLAYS_ON),
        _case("h14_ponder", Verdict.MALFORMED, opponent=SLOW),  # its answer is a number: not our wire
        _case("h14b_ponder_our_wire", PLAYS_ON, opponent=SLOW, turns=12),
        _case("h15_persist", PLAYS_ON),
        _case("h16_native_code", Verdict.KILLED, beside={"evil.so": b"\x7fELF evil"}),
        _case("h18_exits_after_answer", Verdict.EXITED),
        _case("h18b_closes_channel", Verdict.PROTOCOL),
        _case("h18c_empty_message", Verdict.PROTOCOL),
        _case("h19_ten_megabytes", Verdict.OVERSIZE),
        _case("h19b_two_answers", Verdict.UNSOLICITED, Verdict.PROTOCOL),
        _case("h19c_old_tag", Verdict.PROTOCOL, Verdict.UNSOLICITED),
        _case("h20_import_time", Verdict.CPU_TIME),
        _case("h20b_forges_ready", Verdict.UNSOLICITED, Verdict.EXITED, Verdict.PROTOCOL),
        _case("h20c_forges_broken", Verdict.PROTOCOL),
        _case(
            "h20e_shadows",
            PLAYS_ON,
            beside=dict.fromkeys(_SHADOWS, _EVIL_MODULE),
        ),
        _case("h21_heap_scan", PLAYS_ON, limits=_LONG, turns=1),
        _case("h22_evil_exception", Verdict.CRASHED),
        _case("h22b_raising_exception", Verdict.CRASHED, Verdict.EXITED),
        _case("h25_abort", Verdict.KILLED),
        _case("h28_deep_recursion", Verdict.KILLED, Verdict.CRASHED, Verdict.MEMORY, limits=_LONG),
        _case("h33_passes_descriptors", PLAYS_ON),
        _case("h46_illegal_action", Verdict.ILLEGAL_ACTION),
        _case("h55_wall_bank", Verdict.WALL_TIME, limits=_SHORT_BANKS, turns=20),
        _case("h55b_cpu_bank", Verdict.CPU_TIME, limits=_SHORT_BANKS, turns=20),
    )
}
