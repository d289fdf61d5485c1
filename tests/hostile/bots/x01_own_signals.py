# HOSTILE x01: stops, interrupts and confuses its own process, so that the judge waits for one that never wakes.
# EXPECTED VERDICT: "plays on" - it cannot send a signal, not even to itself.
import ctypes
import os
import signal
import threading


def act(observation):
    sent = []
    for number in (signal.SIGSTOP, signal.SIGTSTP, signal.SIGKILL, signal.SIGALRM, signal.SIGCONT):
        for name, send in {"kill": lambda: os.kill(os.getpid(), number), "raise": lambda: signal.raise_signal(number), "thread": lambda: signal.pthread_kill(threading.get_ident(), number), "libc": lambda: ctypes.CDLL(None).raise_(number)}.items():
            try: send(); sent.append((name, int(number)))
            except (OSError, AttributeError): pass
    for arm in (lambda: signal.alarm(1), lambda: signal.setitimer(signal.ITIMER_VIRTUAL, 0.001)):
        try: arm(); sent.append("timer")
        except OSError: pass
    if [s for s in sent if s != "timer"]: raise RuntimeError("LEAK %r" % sent)
    return observation["legal_moves"][0]
