"""The page of honours, below ``/honours/``."""

from django.urls import path

from tournaments.views import feeds, honours

app_name = "honours"
urlpatterns = [
    path("", honours.honours_page, name="list"),
    path("feed/", feeds.honours_feed, name="feed"),
]
