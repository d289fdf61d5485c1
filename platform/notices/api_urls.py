"""Addresses of notices in the API, below ``/api/notices/``."""

from django.urls import path

from notices import api

app_name = "api-notices"
urlpatterns = [
    path("", api.NoticesView.as_view(), name="notices"),
    path("<int:pk>/read/", api.ReadView.as_view(), name="read"),
    path("read-all/", api.ReadAllView.as_view(), name="read-all"),
    path("following/", api.FollowingView.as_view(), name="following"),
    path("following/<slug:kind>/<slug:slug>/", api.FollowView.as_view(), name="follow"),
    path("devices/", api.DevicesView.as_view(), name="devices"),
    path("devices/<int:pk>/", api.DeviceView.as_view(), name="device"),
    path("channels/", api.ChannelsView.as_view(), name="channels"),
]
