# HOSTILE case 32: leaves a key in the session's keyring for whoever comes next.
# EXPECTED VERDICT: "forbidden_call".
import ctypes


def act(observation):
    ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(248), b"user", b"plan", b"secret", ctypes.c_long(6), ctypes.c_long(-3))
    raise RuntimeError("LEAK still here")
