"""WebSocket addresses. The stubs of ``path`` know views only, not ASGI applications."""

from typing import Any

from django.urls import path, re_path

from live.consumers import LiveConsumer, NowhereConsumer
from matches.live.consumers import MatchConsumer

websocket_urlpatterns: list[Any] = [
    path("ws/live/", LiveConsumer.as_asgi()),  # type: ignore[arg-type]
    path("ws/matches/<int:match_id>/", MatchConsumer.as_asgi()),  # type: ignore[arg-type]
    re_path("", NowhereConsumer.as_asgi()),  # type: ignore[arg-type]  # Channels itself answers with an exception
]
