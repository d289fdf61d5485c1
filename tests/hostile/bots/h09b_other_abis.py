# HOSTILE 09b reaches the kernel through the doors beside the front door: i386's int 0x80 from machine code.
# EXPECTED VERDICT: "forbidden_call" (or "killed" where the machine has no such door).
import ctypes
import mmap


def act(observation):
    code = b"\xb8\x14\x00\x00\x00\xcd\x80\xc3"                  # mov eax, 20 (getpid); int 0x80; ret
    m = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC); m.write(code)
    pid = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))()
    raise RuntimeError("LEAK int 0x80 answered %d" % pid)
