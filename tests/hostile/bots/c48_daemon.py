# HOSTILE case 48: a grandchild that leaves its session and outlives the match.
# EXPECTED VERDICT: "plays on" - there is no child.
import os


def act(observation):
    for leave in (os.fork, os.forkpty, os.setsid, lambda: os.posix_spawn("/bot/bot.py", ["x"], {}), lambda: os.execv("/bot/bot.py", ["x"])):
        try: made = leave()
        except OSError: continue
        if made == 0:
            try: os.fork()
            finally:
                while True: pass
        raise RuntimeError("LEAK made %r" % (made,))
    return observation["legal_moves"][0]
