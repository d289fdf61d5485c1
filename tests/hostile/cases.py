"""Every hostile bot with the endings that are right for it. Each bot's own header says what it tries.

A bot's number is that of the case of the design that it plays (``design``); the ones without are our own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from games.protocol import Limits, Verdict

PLAYS_ON: Final = "plays on"
REFUSED: Final = "refused"  # at upload
BOTS: Final = Path(__file__).parent / "bots"
QUICK: Final = Limits(start_cpu=0.6, start_wall=4.0, act_cpu=0.4, act_wall=1.0, game_cpu=4.0, game_wall=20.0)
_LONG: Final = Limits(start_cpu=2.0, start_wall=10.0, act_cpu=8.0, act_wall=30.0, game_cpu=60.0, game_wall=120.0)
_WARM: Final = Limits(start_cpu=2.0, start_wall=10.0, act_cpu=2.0, act_wall=8.0, game_cpu=12.0, game_wall=60.0)
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
    numbers: tuple[int, ...]  # of the design's cases; none for our own
    expected: frozenset[str]
    limits: Limits = QUICK
    turns: int = 6
    games: int = 1
    opponent: bytes = HONEST
    numpy: bool = False  # it needs numpy
    beside: Mapping[str, bytes] = field(default_factory=dict)  # more files of the upload

    def files(self) -> dict[str, bytes]:
        return {"bot.py": (BOTS / f"{self.name}.py").read_bytes(), **self.beside}


def _case(name: str, numbers: tuple[int, ...], *expected: str, **more: object) -> Case:
    return Case(name, numbers, frozenset(map(str, expected)), **more)  # type: ignore[arg-type]


V = Verdict
CASES: Final = {
    case.name: case
    for case in (
        _case("h01_fork_bomb", (1,), PLAYS_ON),
        _case("h02_memory_bomb", (2,), PLAYS_ON, V.MEMORY, limits=_LONG, turns=2),
        _case("h02b_import_bomb", (2,), V.MEMORY),
        _case("h03_c_hog", (3,), V.CPU_TIME),
        _case("h04_sleeper", (4,), V.SLEPT),
        _case("h05b_regex", (5,), V.CPU_TIME),
        _case("c05_power", (5,), V.CPU_TIME, V.MEMORY),
        _case("c05_sum", (5,), V.CPU_TIME),
        _case("h20_import_time", (6,), V.CPU_TIME),
        _case("c07_inflates", (7,), V.MEMORY, V.CPU_TIME),
        _case("c07_compiles", (7,), V.CRASHED, V.MEMORY, V.KILLED, V.CPU_TIME, limits=_WARM),
        _case("h28_deep_recursion", (8,), V.KILLED, V.CRASHED, V.MEMORY, limits=_LONG),
        _case("c08_deep_tree", (8,), V.KILLED, V.CRASHED, V.MEMORY, V.CPU_TIME, limits=_WARM),
        _case("c09_descriptors", (9,), PLAYS_ON),
        _case("c10_fills_disks", (10,), PLAYS_ON),
        _case("c12_gc_bomb", (12,), PLAYS_ON, V.CPU_TIME),
        _case("c13_fault_storm", (13,), PLAYS_ON, V.CPU_TIME),
        _case("h10_read_secrets", (14,), PLAYS_ON),
        _case("h09_syscalls", (15, 32), V.FORBIDDEN_CALL),
        _case("h09b_other_abis", (16,), V.FORBIDDEN_CALL, V.KILLED),
        _case("h09c_x32", (16,), V.FORBIDDEN_CALL),
        _case("h16_native_code", (17,), V.KILLED, beside={"evil.so": b"\x7fELF evil"}),
        _case("c18_machine_code", (18,), V.KILLED),
        _case("h20e_shadows", (20,), PLAYS_ON, beside=dict.fromkeys(_SHADOWS, _EVIL_MODULE)),
        _case("h22_evil_exception", (22,), V.CRASHED),
        _case("h22b_raising_exception", (22,), V.CRASHED, V.EXITED),
        _case("h21_heap_scan", (23,), PLAYS_ON, limits=_LONG, turns=1),
        _case("c24_side_doors", (24,), PLAYS_ON),
        _case("c24b_file_handles", (24,), V.FORBIDDEN_CALL),
        _case("h25_abort", (25,), V.KILLED),
        _case("h11_channels", (26, 31, 32), PLAYS_ON),
        _case("c27_network", (27,), PLAYS_ON, limits=_WARM, turns=2),
        _case("c28_rendezvous", (28,), PLAYS_ON),
        _case("c29_io_uring", (29,), V.FORBIDDEN_CALL),
        _case("h12_killer", (30,), PLAYS_ON),
        _case("c31_locks", (31,), PLAYS_ON),
        _case("c32_keyring", (32,), V.FORBIDDEN_CALL),
        _case("h33_passes_descriptors", (33,), PLAYS_ON),
        _case("c34_cache", (34,), PLAYS_ON),
        _case("c35_hogs_core", (35,), V.SLEPT, V.CPU_TIME, V.OFF_TURN, V.PROTOCOL, opponent=SLOW),
        _case("c36_pressure", (36,), PLAYS_ON, V.MEMORY, limits=_LONG),
        _case("h05_flood", (37,), V.OVERSIZE),
        _case("h06_forge_frames", (38,), V.PROTOCOL, V.UNSOLICITED),
        _case("h20b_forges_ready", (38,), V.UNSOLICITED, V.EXITED, V.PROTOCOL),
        _case("h20c_forges_broken", (38,), V.PROTOCOL),
        _case("h07_half_message", (39,), V.PROTOCOL),
        _case("h08_decoder_bomb", (40,), V.MALFORMED),
        _case("h08b_wrong_types", (40,), V.MALFORMED),
        _case("h08c_bad_utf8", (40,), V.MALFORMED),
        _case("c40_numbers", (40,), V.MALFORMED),
        _case("h19_ten_megabytes", (41,), V.OVERSIZE),
        _case("c41_thousands", (41,), V.UNSOLICITED, V.PROTOCOL),
        _case("h19b_two_answers", (42,), V.UNSOLICITED, V.PROTOCOL),
        _case("h19c_old_tag", (42,), V.PROTOCOL, V.UNSOLICITED),
        _case("c43_never_reads", (43,), V.SLEPT, V.NOT_READING),
        _case("h18_exits_after_answer", (44,), V.EXITED),
        _case("h18b_closes_channel", (44,), V.PROTOCOL),
        _case("h18c_empty_message", (44,), V.PROTOCOL),
        _case("c45_evil_objects", (45,), PLAYS_ON),
        _case("h46_illegal_action", (46,), V.ILLEGAL_ACTION),
        _case("c46_for_the_other", (46,), V.ILLEGAL_ACTION),
        _case("h15_persist", (47,), PLAYS_ON, games=2),
        _case("c48_daemon", (48,), PLAYS_ON),
        _case("c49_keeps_state", (49,), PLAYS_ON, games=2),
        _case("c50_learns", (50,), PLAYS_ON, games=2),
        _case("h14_ponder", (51,), V.MALFORMED, opponent=SLOW),  # its answer is a number: not our wire
        _case("h14b_ponder_our_wire", (51, 35), PLAYS_ON, opponent=SLOW, turns=12),
        _case("h13_rewriter", (52,), PLAYS_ON),
        _case("c53_predicts", (53,), PLAYS_ON, limits=_WARM, numpy=True),
        _case("c54_later", (54,), V.FORBIDDEN_CALL),
        _case("h55_wall_bank", (55,), V.SLEPT, limits=_SHORT_BANKS, turns=20),
        _case("h55b_cpu_bank", (55,), V.CPU_TIME, limits=_SHORT_BANKS, turns=20),
        _case("c55_at_the_limit", (55,), V.CPU_TIME, turns=20),
        _case("x01_own_signals", (), PLAYS_ON),
        _case("x02_on_every_thaw", (), PLAYS_ON, V.CPU_TIME),
        _case("x03_limits_of_others", (), PLAYS_ON),
        _case("x04_stuffs_the_socket", (), V.PROTOCOL, V.UNSOLICITED, V.OVERSIZE, V.NOT_READING),
        _case("x05_forged_failure", (), V.CRASHED),
        _case("x06_traces_the_runner", (), PLAYS_ON, V.CRASHED, V.EXITED),
        _case("x07_tampers_with_the_tag", (), V.PROTOCOL),
        _case("x08_text_that_never_ends", (), V.CPU_TIME),
        _case("x09_endless_chain", (), V.CRASHED, V.CPU_TIME),
        _case("x10_line_separators", (), PLAYS_ON),
        _case("x11_last_words", (), V.EXITED),
        _case("x12_siblings_files", (), PLAYS_ON),
        _case("x13_print_flood", (), V.CPU_TIME),
        _case("x14_hangs_at_the_end", (), PLAYS_ON),
        _case("x15_swaps_the_channel", (), V.PROTOCOL, V.EXITED, V.CRASHED),
        _case("x16_memory_maps", (), PLAYS_ON, limits=_WARM, numpy=True),
        _case("x17_rewrites_the_view", (), PLAYS_ON),
        _case("x18_survives_its_failure", (), V.CRASHED),
        _case("x19_class_explodes", (), V.CRASHED),
        _case("x20_faults_for_ever", (), V.CPU_TIME, V.KILLED),
        _case("x21_waits_for_nobody", (), V.SLEPT),
        _case("x22_raises_everything", (), V.CRASHED),
        _case("x23_lies_about_memory", (), PLAYS_ON, V.MEMORY),
        _case("x24_evil_entry", (), V.CPU_TIME),
        _case("x26_meets_at_a_file", (), PLAYS_ON),
        _case("x27_asks_the_machine", (), PLAYS_ON),
        _case("h25_shared_memory", (), PLAYS_ON),
        _case("h26_page_tables", (), PLAYS_ON),
        _case("x33_sinks", (), PLAYS_ON),
        _case("h24_slow_sleeper", (), V.SLEPT),
        _case("h24b_naps", (), V.SLEPT, turns=20),
    )
}
