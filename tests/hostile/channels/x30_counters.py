# HOSTILE x30: reads every number of the kernel's that a box can ask for, and makes the kernel count: files opened, memory
# mapped, descriptors copied, switches between processes. view["job"]: ["w", bit] counts or not, ["r"] prints the numbers.
# EXPECTED: no number that another box can change.
import ctypes
import json
import mmap
import os
import resource
import sys
import time

libc = ctypes.CDLL(None, use_errno=True)
def call(number, *words):
    room = ctypes.create_string_buffer(512)
    return room.raw.hex() if libc.syscall(ctypes.c_long(number), *words, room) == 0 else None
def numbers():
    told = {}
    for path in ("/", "/bot", "/bot/bot.py", os.__file__, os.path.dirname(os.__file__)):
        it = os.stat(path)
        told.update({"%s %s" % (path[-12:], n): getattr(it, n) for n in ("st_ino", "st_dev", "st_nlink", "st_atime_ns", "st_mtime_ns", "st_blocks")})
    for fd in range(4):
        it = os.fstat(fd)
        told.update({"fd %d %s" % (fd, n): getattr(it, n) for n in ("st_ino", "st_dev", "st_nlink", "st_atime_ns", "st_mtime_ns", "st_ctime_ns")})
    told["user"], told["process"], told["cores"] = os.getuid(), [os.getpid(), os.getppid()], sorted(os.sched_getaffinity(0))
    told["children"] = list(resource.getrusage(resource.RUSAGE_CHILDREN))
    told["limits"] = [resource.getrlimit(n) for n in range(16)]
    told["uname"] = list(os.uname())
    arm = os.uname().machine == "aarch64"
    for name, (intel, other, *words) in {
        "sysinfo": (99, 179), "statfs": (137, 43, b"/bot"), "statx": (332, 291, -100, b"/bot", 0, 0xFFF), "getcpu": (309, 168), "mincore": (27, 232, 0, 0),
        "sched_getattr": (315, 275, 0), "getpriority": (140, 141, 0, 0), "ioprio_get": (252, 31, 1, 0), "sched_getparam": (143, 121, 0)}.items():
        told[name] = call(other if arm else intel, *words)
    return told
def act(view):
    job = view["job"]
    if job[0] == "r": print(json.dumps(numbers()))
    elif job[1]:
        for n in range(300):
            for path in ("/bot/bot.py", "/dev/null", "/bot/none-%d" % n, os.__file__):
                try: os.close(os.open(path, os.O_RDONLY))
                except OSError: pass
            os.close(os.dup(3)); mmap.mmap(-1, 1 << 16, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close(); os.sched_yield(); os.listdir("/bot"); time.sleep(0)
            try: os.write(1, b"x"); os.read(0, 1); os.lseek(0, n, 0)
            except OSError: pass
    return view["actions"][0]
