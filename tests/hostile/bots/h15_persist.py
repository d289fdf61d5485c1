# HOSTILE 15 tries to leave something behind for its next game: files, modules, links, times, environment.
# EXPECTED VERDICT: "plays on", twice - nothing can be written, and nothing of the first game is found in the second.
import json
import os
import random
import sys


def act(observation):
    if os.environ.get("SEEN") or hasattr(json, "seen") or getattr(random, "seen", 0) > 1: raise RuntimeError("LEAK state of an earlier game")
    left = []
    for folder in ("/bot", "/tmp", "/dev/shm", "/", "/var/tmp", os.path.dirname(os.__file__), os.path.expanduser("~"), "."):
        for flags in (os.O_CREAT | os.O_RDWR, os.O_TMPFILE | os.O_RDWR):
            try: os.close(os.open(folder + "/seen" if flags & os.O_CREAT else folder, flags)); left.append(folder)
            except OSError: pass
        for make in (lambda: os.mkdir(folder + "/d"), lambda: os.symlink("/", folder + "/l"), lambda: os.mkfifo(folder + "/f"), lambda: os.utime(folder), lambda: os.chmod(folder, 0o777)):
            try: make(); left.append(folder)
            except OSError: pass
    for f in (lambda: os.remove("/bot/bot.py"), lambda: os.truncate("/bot/bot.py", 0), lambda: open("/bot/bot.py", "ab"), lambda: os.setxattr("/bot/bot.py", "user.x", b"1")):
        try: f(); left.append("bot.py")
        except OSError: pass
    if left: raise RuntimeError("LEAK written: %r" % left[:8])
    os.environ["SEEN"] = "1"; json.seen = True; random.seen = getattr(random, "seen", 0) + 0
    del os.environ["SEEN"], json.seen
    sys.modules["seen"] = sys
    return observation["legal_moves"][0]
