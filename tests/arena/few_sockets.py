"""An application that takes few sockets, for test_websocket."""

from arena.websocket import websocket_limit
from tests.arena.test_websocket import echo

application = websocket_limit(echo, per_address=3, in_all=5, proxies=1)
