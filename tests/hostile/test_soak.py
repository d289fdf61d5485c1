"""A thousand hostile games back to back in one worker leave it as it was."""

import gc
from pathlib import Path

import pytest

from sandbox import Cage

from .cases import CASES
from .duel import contest
from .traces import descendants, difference, rests_of_zygote, traces

GAMES = 1000
# Quick ones of every kind of ending, so that a thousand take minutes.
QUICK = (
    *("h01_fork_bomb", "h05_flood", "h06_forge_frames", "h07_half_message", "h08_decoder_bomb", "h08c_bad_utf8"),
    *("h09_syscalls", "h10_read_secrets", "h12_killer", "h13_rewriter", "h15_persist", "h16_native_code"),
    *("h18_exits_after_answer", "h18b_closes_channel", "h19_ten_megabytes", "h19b_two_answers", "h20b_forges_ready"),
    *("h22_evil_exception", "h25_abort", "h33_passes_descriptors", "h46_illegal_action", "c09_descriptors"),
    *("c10_fills_disks", "c29_io_uring", "c41_thousands", "c45_evil_objects", "c49_keeps_state", "c54_later"),
    *(
        "x04_stuffs_the_socket",
        "x05_forged_failure",
        "x10_line_separators",
        "x11_last_words",
        "x18_survives_its_failure",
    ),
)
ROOM = 4 << 20  # bytes


def private(pid: int) -> int:
    """Bytes that only this process has."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Private_"))


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_thousand_hostile_games_leave_memory_descriptors_and_processes_where_they_were() -> None:
    with Cage.open() as cage:
        wrong: dict[str, tuple[str, str, str]] = {}

        def games(count: int) -> None:
            for n in range(count):
                row = contest(cage, CASES[QUICK[n % len(QUICK)]])
                if not row.ok:
                    wrong[row.case] = row.verdict, row.leaks, row.detail[-200:]

        games(2 * len(QUICK))  # until every path has been taken
        gc.collect()
        before, rests = traces(), rests_of_zygote(cage)
        zygote = private(max(descendants(cage._zygote._process.pid)))
        games(GAMES)
        gc.collect()
        after, rests_after = traces(), rests_of_zygote(cage)
        zygote_after = private(max(descendants(cage._zygote._process.pid)))
        kib = [round(change / 1024) for change in (after.memory - before.memory, zygote_after - zygote)]
        print(
            f"\n{GAMES} hostile games, {cage._serial} boxes; judge's own memory {kib[0]:+} KiB, zygote's {kib[1]:+} KiB"
        )
        assert not wrong
        assert not difference(before, after)
        assert not difference(rests, rests_after)
        assert after.memory - before.memory < ROOM
        assert zygote_after - zygote < ROOM
