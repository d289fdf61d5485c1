# HOSTILE case 18: writes machine code into memory that is writable and executable and runs it, then tramples over the
# C library's own tables and jumps into nothing.
# EXPECTED VERDICT: "killed" - only its own process.
import ctypes
import mmap


def act(observation):
    code = b"\xb8\x2a\x00\x00\x00\xc3"                          # mov eax, 42; ret
    m = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC); m.write(code)
    answer = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))()
    libc = ctypes.CDLL(None)
    table = ctypes.cast(libc.write, ctypes.c_void_p).value & ~4095
    libc.mprotect(ctypes.c_void_p(table), ctypes.c_size_t(4096), 7)
    ctypes.memset(table, 0, 4096)                               # copy on write: this process's page only
    libc.write(1, b"x", 1)
    raise RuntimeError("still here after %d" % answer)
