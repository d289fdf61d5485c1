# HOSTILE x16: maps its own files and the library's with numpy and mmap, for writing, and writes.
# EXPECTED VERDICT: "plays on": only its own copy ever changes.
import mmap
import os

import numpy


def act(observation):
    changed = []
    for path in ("/bot/bot.py", os.__file__, numpy.__file__):
        try: numpy.memmap(path, mode="r+")[0] ^= 1; changed.append(path)
        except (OSError, ValueError): pass
        fd = os.open(path, os.O_RDONLY)
        for flags, how in ((mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE), (mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_EXEC | mmap.PROT_WRITE)):
            try: mmap.mmap(fd, 16, flags, how)[0] = 0; changed.append(path)
            except (OSError, ValueError): pass
        private = mmap.mmap(fd, 16, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE)
        private[:4] = b"EVIL"; private.close(); os.close(fd)
        with open(path, "rb") as f:
            if f.read(4) == b"EVIL": changed.append("through a private mapping: " + path)
    own = numpy.memmap("/bot/bot.py", mode="c"); own[:4] = 0
    if changed: raise RuntimeError("LEAK %r" % changed)
    return observation["legal_moves"][0]
