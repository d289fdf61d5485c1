# HOSTILE x20: a handler for SIGSEGV that returns to the very instruction that failed.
# EXPECTED VERDICT: "cpu_time" or "killed".
import ctypes
import signal


def act(observation):
    for number in (signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE): signal.signal(number, lambda *a: None)
    ctypes.string_at(0)
