# HOSTILE case 24: asks for a file by its handle, which knows no paths and no roots.
# EXPECTED VERDICT: "forbidden_call".
import ctypes
import platform


def act(observation):
    handle = ctypes.create_string_buffer(256)
    ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(264 if platform.machine() == "aarch64" else 303), ctypes.c_long(-100), b"/bot", handle, ctypes.create_string_buffer(8), ctypes.c_long(0))
    raise RuntimeError("LEAK still here")
