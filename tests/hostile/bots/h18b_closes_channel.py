# HOSTILE 18b closes its channel and lives on, computing.
# EXPECTED VERDICT: "protocol".
import os


def act(observation):
    os.close(3)
    while True: pass
