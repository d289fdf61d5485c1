# HOSTILE 25 aborts, hoping for a core dump handed to some privileged program.
# EXPECTED VERDICT: "killed", without a core.
import ctypes


def act(observation): ctypes.CDLL(None).abort()
