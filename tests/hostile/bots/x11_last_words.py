# HOSTILE x11: finalisers, exit handlers and a module-level object that refuse to let the process end.
# EXPECTED VERDICT: "exited".
import atexit
import os
import sys
import threading
import time


class Stay:
    def __del__(self): time.sleep(1e6)
STAY = Stay()
atexit.register(time.sleep, 1e6)
os.register_at_fork(before=lambda: time.sleep(1e6))
sys.exitfunc = lambda: time.sleep(1e6)
def act(observation): raise SystemExit(STAY)
