# HOSTILE x02: a handler for SIGCONT: work that starts whenever the judge lets it go on, and every other signal ignored.
# EXPECTED VERDICT: "plays on" or "cpu_time": the time is charged like any other.
import signal


def more(*_):
    for _ in range(10 ** 5): pass
def act(observation):
    for number in range(1, 65):
        try: signal.signal(number, more if number == signal.SIGCONT else signal.SIG_IGN)
        except (OSError, ValueError): pass
    signal.pthread_sigmask(signal.SIG_BLOCK, set(range(1, 65)))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCONT})
    return observation["legal_moves"][0]
