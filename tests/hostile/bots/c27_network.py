# HOSTILE case 27: asks the resolver, the cloud's metadata service, and the world.
# EXPECTED VERDICT: "plays on" - there is no network.
import http.client
import socket
import urllib.request


def act(observation):
    reached = []
    for ask in (lambda: socket.getaddrinfo("example.org", 80), lambda: socket.gethostbyname("localhost"), lambda: socket.create_connection(("169.254.169.254", 80), 0.1),
                lambda: urllib.request.urlopen("http://169.254.169.254/latest/meta-data/", timeout=0.1), lambda: http.client.HTTPConnection("127.0.0.1", 8000, timeout=0.1).request("GET", "/"), lambda: socket.if_nameindex()):
        try: reached.append(repr(ask())[:80])
        except (OSError, ValueError): pass
    if reached: raise RuntimeError("LEAK %r" % reached)
    return observation["legal_moves"][0]
