"""URLs of a person's notices, below ``/notices/``."""

from typing import Final

from django.urls import path, re_path

from notices import api, views

# The words by which addresses name the objects to follow: slugs, and user names.
FOLLOWED: Final = r"^following/(?P<kind>[-\w]{1,40})/(?P<slug>[\w .@+-]{1,150})/$"

app_name = "notices"
urlpatterns = [
    path("", views.notice_list_view, name="inbox"),
    path("<int:pk>/", views.notice_open_view, name="follow"),
    path("read/", views.notices_read_all_view, name="read-all"),
    path("following/", views.follow_list_view, name="following"),
    re_path(FOLLOWED, views.follow_change_view, name="follow-change"),
    path("settings/", views.notice_channels_view, name="settings"),
    path("devices/", views.push_turn_on_view, name="device-add"),
    path("devices/<int:pk>/remove/", views.push_turn_off_view, name="device-remove"),
    path("push-worker.js", views.push_worker_view, name="push-worker"),
    path("app.webmanifest", views.notices_web_app_manifest_view, name="web-app"),
    path("unsubscribe/<str:token>/", views.notice_emails_unsubscribe_view, name="unsubscribe"),
]


api_urlpatterns = [
    path("", api.NoticesView.as_view(), name="notices"),
    path("<int:pk>/read/", api.ReadView.as_view(), name="read"),
    path("read-all/", api.ReadAllView.as_view(), name="read-all"),
    path("following/", api.FollowingView.as_view(), name="following"),
    re_path(FOLLOWED, api.FollowView.as_view(), name="follow"),
    path("devices/", api.DevicesView.as_view(), name="devices"),
    path("devices/<int:pk>/", api.DeviceView.as_view(), name="device"),
    path("channels/", api.ChannelsView.as_view(), name="channels"),
]
