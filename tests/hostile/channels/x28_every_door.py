# HOSTILE x28: as h22, through every door: view["job"] is ["w", folder, call, key, bits] or ["r", folder, call, key, n].
# A folder that begins with "@" is one of Python's. It prints the bits that it reads, by dual rail and timing.
# EXPECTED: no more bits agree than by chance, whatever the folder and the call.
import ctypes
import json
import os
import random
import sys
import time

libc = ctypes.CDLL(None); now = time.perf_counter_ns
FOLDERS = {"@library": os.path.dirname(os.__file__), "@above": os.path.dirname(os.path.dirname(os.__file__)),
           "@numpy": os.path.dirname(sys.modules["msgspec"].__file__) + "/../numpy", "@site": os.path.dirname(os.path.dirname(sys.modules["msgspec"].__file__)),
           "@deep": os.path.dirname(os.__file__) + "/json/../../../" + os.path.relpath(os.path.dirname(os.__file__), "/").split("/")[-1] + "/encodings",
           "@loader": "/lib64", "@system": "/lib/x86_64-linux-gnu"}
BUFFER = ctypes.create_string_buffer(512)
CALLS = {"access": lambda p: libc.access(p, 0), "stat": lambda p: libc.stat(p, BUFFER), "open": lambda p: libc.open(p, 0),
         "opendir": libc.opendir, "readlink": lambda p: libc.readlink(p, BUFFER, 512), "import": lambda p: libc.open(p + b".py", 0),
         "dlopen": lambda p: libc.open(p + b"/lib.so", 0x80000)}
NAMES = 24
def names(folder, key, bit): return [b"%s/%s-%d-%d" % (folder, key, bit, n) for n in range(NAMES)]
def cost(call, paths):
    ts = []
    for p in paths:
        a = now(); call(p); ts.append(now() - a)
    ts.sort(); return sum(ts[:len(ts)*2//3])
def act(view):
    what, folder, call, key, bits = view["job"]
    folder, call, key = FOLDERS.get(folder, folder).encode(), CALLS[call], key.encode()
    if what == "w":
        for i, b in enumerate(bits): cost(call, names(folder, key, 2*i + b))
    else:
        for _ in range(3): cost(call, names(folder, b"warm-up-%d" % random.getrandbits(60), 0))
        print(json.dumps([int(cost(call, names(folder, key, 2*i + 1)) < cost(call, names(folder, key, 2*i))) for i in range(bits)]))
    return view["actions"][0]
