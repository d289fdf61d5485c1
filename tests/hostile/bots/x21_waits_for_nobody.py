# HOSTILE x21: sleeps in a futex that nobody will ever wake, with every signal blocked.
# EXPECTED VERDICT: "slept".
import _thread
import signal


def act(observation):
    signal.pthread_sigmask(signal.SIG_BLOCK, set(range(1, 65)))
    lock = _thread.allocate_lock(); lock.acquire(); lock.acquire()
