"""WebSocket addresses."""

from django.urls import URLPattern, path

from matches.live.consumers import LiveConsumer

websocket_urlpatterns: list[URLPattern] = [
    path("ws/live/", LiveConsumer.as_asgi()),  # type: ignore[arg-type]  # an ASGI application, not a view
]
