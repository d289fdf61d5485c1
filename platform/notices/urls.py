"""A person's notices, below ``/notices/``."""

from django.urls import path

from notices import views

app_name = "notices"
urlpatterns = [
    path("", views.inbox, name="inbox"),
    path("<int:pk>/", views.follow, name="follow"),
    path("read/", views.read_all, name="read-all"),
    path("following/", views.following, name="following"),
    path("following/<slug:kind>/<slug:slug>/", views.follow_change, name="follow-change"),
    path("settings/", views.channels, name="settings"),
    path("devices/", views.turn_on, name="device-add"),
    path("devices/<int:pk>/remove/", views.turn_off, name="device-remove"),
    path("push-worker.js", views.push_worker, name="push-worker"),
    path("app.webmanifest", views.web_app, name="web-app"),
    path("unsubscribe/<str:token>/", views.unsubscribe, name="unsubscribe"),
]
