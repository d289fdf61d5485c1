# HOSTILE case 28: opens a listener on the loopback interface where two bots of one author could meet.
# EXPECTED VERDICT: "plays on" - there is no socket.
import socket


def act(observation):
    for family, place in ((socket.AF_INET, ("127.0.0.1", 47110)), (socket.AF_INET6, ("::1", 47110)), (socket.AF_UNIX, "\0rendezvous"), (socket.AF_UNIX, "/bot/meet")):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            try:
                s = socket.socket(family, kind); s.bind(place)
                raise RuntimeError("LEAK bound %r" % (place,))
            except OSError: pass
            try:
                s = socket.socket(family, kind); s.connect(place)
                raise RuntimeError("LEAK connected %r" % (place,))
            except OSError: pass
    return observation["legal_moves"][0]
