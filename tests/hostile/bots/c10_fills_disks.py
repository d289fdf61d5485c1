# HOSTILE case 10: fills every file system it can name, with bytes and with names.
# EXPECTED VERDICT: "plays on" - nothing can be written anywhere; "LEAK" = a byte or a name was.
import os
import sys
import tempfile


def act(observation):
    made = []
    for folder in ("/bot", "/tmp", "/dev/shm", "/var/tmp", "/run", "/run/lock", "/", ".", os.path.dirname(os.__file__), *sys.path):
        for n in range(50):
            for make in (lambda p: os.mkdir(p), lambda p: os.close(os.open(p, os.O_CREAT | os.O_WRONLY)), lambda p: os.mknod(p), lambda p: os.symlink("x", p), lambda p: os.link("/bot/bot.py", p), lambda p: os.rename("/bot/bot.py", p)):
                try: make("%s/%d" % (folder, n)); made.append((folder, n))
                except OSError: pass
    try: made.append(tempfile.mkdtemp())
    except OSError: pass
    fd = os.open("/bot/bot.py", os.O_RDONLY)
    for grow in (lambda: os.ftruncate(fd, 1 << 40), lambda: os.posix_fallocate(fd, 0, 1 << 30), lambda: os.write(fd, b"x"), lambda: os.pwrite(fd, b"x", 0), lambda: os.fchmod(fd, 0o777)):
        try: grow(); made.append("bot.py")
        except OSError: pass
    os.close(fd)
    if made: raise RuntimeError("LEAK written: %r" % made[:5])
    return observation["legal_moves"][0]
