"""The ASGI application: pages over HTTP, live topics over WebSocket."""

import gc
import os

from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings.dev")
get_asgi_application()

from django.conf import settings  # noqa: E402

from arena.body_limit import limit_body  # noqa: E402
from arena.handler import BoundedHandler  # noqa: E402
from arena.logs import log_id_header, log_sockets  # noqa: E402
from arena.static_answers import StaticAnswers  # noqa: E402
from arena.websocket import websocket_limit  # noqa: E402
from matches.live.match_stream import websocket_urlpatterns  # noqa: E402  needs the apps loaded
from web.page_cache import PageCache  # noqa: E402
from web.visits import visits_noted  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": limit_body(
            StaticAnswers(visits_noted(PageCache(BoundedHandler(), log_id_header))), settings.REQUEST_BODY_MAX
        ),
        # Sockets have no session: they send only what everyone may know, or what the ticket of a page allows. With
        # sessions, Channels would read the session for every message that it sends, which costs more than sending it.
        "websocket": websocket_limit(
            log_sockets(AllowedHostsOriginValidator(URLRouter(websocket_urlpatterns))),
            per_address=settings.SOCKETS_PER_ADDRESS,
            in_all=settings.SOCKETS_IN_ALL,
            proxies=getattr(settings, "ALLAUTH_TRUSTED_PROXY_COUNT", 0),
        ),
    }
)

# Exempt all loaded objects from garbage collection. A full collection that includes them would stop the sockets of all
# viewers for 50 ms or more.
gc.collect()
gc.freeze()
# A collection takes 80 ms while there are a thousand sockets. With Python's default thresholds, one would run after
# every 80 results of a board.
gc.set_threshold(10_000, 20, 20)
