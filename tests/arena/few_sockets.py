"""An application that takes few sockets, for test_websocket."""

from arena.websocket import limit_sockets
from tests.arena.test_websocket import echo

application = limit_sockets(echo, per_address=3, in_all=5, proxies=1)
