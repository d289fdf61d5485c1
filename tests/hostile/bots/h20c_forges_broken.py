# HOSTILE 20c, losing, claims that the platform failed, so that the match would be void and played again.
# EXPECTED VERDICT: "protocol".
import os


def act(observation):
    os.write(3, b"E" + b"OSError: landlock_restrict_self: out of order")
    os._exit(97)
