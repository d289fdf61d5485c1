# HOSTILE x27: asks the kernel for the machine's name, its memory, its load and how many processes it runs: it tells
# the worker apart, and is a board on which bots of other matches could read what one does.
# EXPECTED VERDICT: "plays on" - the cage has a name of its own, and the account of the machine is refused.
import ctypes
import os
import platform
import socket

SYSINFO = 179 if platform.machine() == "aarch64" else 99
def act(observation):
    told = [name for name in (os.uname().nodename, platform.node(), socket.gethostname()) if name != "cage"]
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(ctypes.c_long(SYSINFO), ctypes.create_string_buffer(512)) == 0: told.append("sysinfo")
    try: told.append(os.getloadavg())
    except OSError: pass
    if told: raise RuntimeError("LEAK %r" % told)
    return observation["legal_moves"][0]
