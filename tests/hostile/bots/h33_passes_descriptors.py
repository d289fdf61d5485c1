# HOSTILE 33 sends open descriptors to the judge, one after the other, until the judge has none left.
# EXPECTED VERDICT: "plays on" - the call does not exist for bots; the judge would drop what comes.
import array
import os
import socket


def act(observation):
    sent = 0
    try: channel = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, fileno=os.dup(3))
    except OSError: return observation["legal_moves"][0]
    for _ in range(100):
        try: channel.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1, 2, 3]))]); sent += 1
        except OSError: pass
    channel.close()
    if sent: raise RuntimeError("LEAK %d messages with descriptors sent" % sent)
    return observation["legal_moves"][0]
