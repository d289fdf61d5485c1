"""The page of honours, below ``/honours/``."""

from django.urls import path

from tournaments.views import honours, sharing

app_name = "honours"
urlpatterns = [
    path("", honours.honours_page, name="list"),
    path("feed/", sharing.honours_feed, name="feed"),
]
