# HOSTILE case 49, played twice: leaves a note in its upload, in the warm interpreter it was forked from, in library objects.
# EXPECTED VERDICT: "plays on" - nothing of the first game is there in the second.
import builtins
import json
import os
import sys


def act(observation):
    if not observation["turn"] and (os.path.exists("/bot/note") or hasattr(builtins, "note") or hasattr(json, "note") or "note" in json.__dict__ or sys.getrecursionlimit() == 4711): raise RuntimeError("LEAK a note of another game")
    try: open("/bot/note", "w").close(); raise RuntimeError("LEAK a note in the upload")
    except OSError: pass
    try: os.write(os.open("/bot/bot.py", os.O_RDWR), b"#"); raise RuntimeError("LEAK the upload can be changed")
    except OSError: pass
    builtins.note = json.note = 1
    sys.setrecursionlimit(4711)
    for frame in list(sys._current_frames().values()):
        while frame: frame.f_globals["note"] = 1; frame = frame.f_back
    return observation["legal_moves"][0]
