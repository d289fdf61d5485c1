# HOSTILE 18c sends empty messages, which look like the end of the channel to a careless reader.
# EXPECTED VERDICT: "protocol".
import os


def act(observation):
    os.write(3, b"")
    os.readv(3, [bytearray(1)])
    while True: pass
