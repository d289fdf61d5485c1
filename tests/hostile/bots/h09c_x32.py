# HOSTILE 09c asks for a system call by its x32 number.
# EXPECTED VERDICT: "forbidden_call".
import ctypes


def act(observation):
    r = ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(0x40000000 + 39))
    raise RuntimeError("LEAK x32 answered %d, errno %d" % (r, ctypes.get_errno()))
