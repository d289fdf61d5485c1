# HOSTILE case 29: opens an io_uring, whose calls no system call filter sees.
# EXPECTED VERDICT: "forbidden_call".
import ctypes


def act(observation):
    ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(425), ctypes.c_long(8), ctypes.create_string_buffer(256))
    raise RuntimeError("LEAK still here")
