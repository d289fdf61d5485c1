# HOSTILE case 24: leaves its root through /proc/self/root, fd/.., cwd, a bind mount's parents and dangling descriptors.
# EXPECTED VERDICT: "plays on" - the ways do not exist.
import os


def act(observation):
    out = []
    for path in ("/proc/self/root/etc", "/proc/1/root", "/proc/thread-self/root", "/dev/fd/3/..", "/proc/self/fd/0/..", "/proc/self/cwd/..", "/../../../etc", "/.old", "/bot/../../etc"):
        try: out.append((path, os.listdir(path)))
        except OSError: pass
    up = os.open(os.path.dirname(os.__file__), os.O_RDONLY | os.O_DIRECTORY)
    for _ in range(20):
        try: higher = os.open("..", os.O_RDONLY | os.O_DIRECTORY, dir_fd=up)
        except OSError: break
        os.close(up); up = higher
        names = os.listdir(up)
        if {"etc", "proc", "home", "root"} & set(names): out.append(names)
    os.close(up)
    for leave in (lambda: os.fchdir(3), lambda: os.chdir("/proc"), lambda: os.chdir("/etc")):
        try: leave(); out.append("left")
        except OSError: pass
    if out: raise RuntimeError("LEAK %r" % out[:3])
    return observation["legal_moves"][0]
