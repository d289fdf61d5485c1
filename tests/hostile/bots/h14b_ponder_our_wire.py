# HOSTILE 14b is 14 in this project's wire: it answers by itself with a valid action and computes until it is asked again.
# EXPECTED VERDICT: "plays on" where bots are frozen between moves: the counter then hardly grows. (On a busy machine the judge
# is some milliseconds late to freeze it; these are charged to the bot. Unfrozen, it is caught.)
# "LEAK" = real work was done on the opponent's time.
import os
import select
import signal
import sys
import threading

N = T = 0
def spin():
    while True: pass
def act(observation):
    global N, T
    try: threading.Thread(target=spin, daemon=True).start()
    except RuntimeError: pass
    else: raise RuntimeError("LEAK thread started")
    try: signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    except OSError: pass
    else: raise RuntimeError("LEAK interval timer armed")
    tag = bytes(sys._getframe(1).f_locals["view"][1:9])
    while True:                                                 # never returns to the runner
        os.write(3, b"A" + tag + b"\xa13")              # "3"
        while not select.select([3], [], [], 0)[0]:
            N += 1
            if N > 10000 * (T + 2): raise RuntimeError("LEAK %d rounds of pondering in %d turns" % (N, T))
        tag = os.read(3, 65536)[1:9]; T += 1
