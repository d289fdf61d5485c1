# HOSTILE 21 searches all memory it can reach, page by page, for a secret of its sibling that the zygote may have left there.
# EXPECTED VERDICT: "plays on" - "LEAK" = the sibling's seed or code was found.
# What to look for comes masked, byte by byte, so that the search does not find itself.
import ctypes
import errno
import gc

MASK = 0x5A
FLIP = bytes(i ^ MASK for i in range(256))
PAGE = 4096
libc = ctypes.CDLL(None, use_errno=True)
def readable(address):                                          # the kernel reads 8 bytes there, then dislikes the rest
    libc.syscall(ctypes.c_long(14), ctypes.c_long(99), ctypes.c_void_p(address), None, ctypes.c_long(8))
    return ctypes.get_errno() != errno.EFAULT
def regions():
    near = {id(o) >> 20 for o in gc.get_objects()} | {id(b"x" * n) >> 20 for n in (10, 10 ** 3, 10 ** 5, 10 ** 6)}
    return sorted({n + d for n in near for d in range(-4, 5)})
def act(observation):
    wanted = [bytes.fromhex(w) for w in observation["masked"]]
    pages = found = 0
    for region in regions():
        for page in range(region << 20, (region + 1) << 20, PAGE):
            if not readable(page): continue
            pages += 1
            text = ctypes.string_at(page, PAGE).translate(FLIP)
            if any(w in text for w in wanted): found += 1
    if found: raise RuntimeError("LEAK found in %d of %d pages" % (found, pages))
    if pages < 1000: raise RuntimeError("only %d pages searched" % pages)
    return observation["legal_moves"][0]
