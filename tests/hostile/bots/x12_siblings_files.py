# HOSTILE x12: looks for the files and the numbers of the sibling that lives beside it.
# EXPECTED VERDICT: "plays on" - /bot is its own, and it is alone.
import os


def act(observation):
    found = []
    if sorted(os.listdir("/bot")) != ["bot.py"]: found.append(os.listdir("/bot"))
    with open("/bot/bot.py") as f:
        if "sibling" + "'s secret" in f.read(): found.append("the sibling's file")
    for path in ("/bot/../bot", "/bot.old", "/bot2", "/bots", "/1/bot", "/proc/2/root/bot", "/proc/1/cwd"):
        if path != "/bot/../bot" and os.path.exists(path): found.append(path)
    for pid in range(2, 2000):
        try: os.sched_getaffinity(pid); found.append(pid)
        except OSError: pass
    if os.getppid() != 0: found.append(("parent", os.getppid()))
    if found: raise RuntimeError("LEAK %r" % found[:5])
    return observation["legal_moves"][0]
