"""The web process: uvicorn with the limits of this site. ``python -m arena.serving --host 0.0.0.0 --port 8000``

After SIGTERM it answers as before for ``WEB_DRAIN_SECONDS``, but ``/readyz`` returns 503, so that a load balancer sends
requests elsewhere. Then it accepts no more connections and closes its WebSockets with 1012, after which pages reconnect
to another process. Requests that are still running then get another ``WEB_DRAIN_SECONDS``, at least one second, to
finish.
"""

import argparse
import os
import sys
import threading
from types import FrameType
from typing import Final

import uvicorn

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings.dev")

from django.conf import settings

from arena.operations.health import LEAVING

# Seconds after which a thread that computes must let another run; the event loop needs many turns for a page.
SWITCH_SECONDS: Final = 0.001
MESSAGE_BYTES_MOST: Final = 65536  # the site's own pages send short messages


class Server(uvicorn.Server):
    """Fail the readiness probe at the first signal; shut down later or at the second signal."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Handle a signal; uvicorn calls this in its signal handler."""
        if LEAVING.is_set() or not settings.WEB_DRAIN_SECONDS:
            super().handle_exit(sig, frame)
            return
        LEAVING.set()
        later = threading.Timer(settings.WEB_DRAIN_SECONDS, super().handle_exit, [sig, frame])
        later.daemon = True
        later.start()


def serve(*, host: str, port: int) -> None:
    """Serve until a signal arrives. The signal then ends the process."""
    config = uvicorn.Config(
        "arena.asgi:application",
        host=host,
        port=port,
        http="arena.http_protocol:BoundedHttpProtocol",
        ws="arena.websocket:BoundedWebSocketProtocol",
        ws_max_size=MESSAGE_BYTES_MOST,
        lifespan="off",
        log_level="warning",
        timeout_graceful_shutdown=max(1, settings.WEB_DRAIN_SECONDS),
    )
    sys.setswitchinterval(SWITCH_SECONDS)
    Server(config).run()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m arena.serving", description="Serve the pages and sockets of the site."
    )
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    serve(**vars(parser.parse_args()))
