"""Addresses of the cups of a league, below the league's."""

from django.urls import path

from tournaments.views import ladder_cups

app_name = "cups"
urlpatterns = [
    path("", ladder_cups.cups, name="list"),
    path("new/", ladder_cups.create, name="create"),
    path("weekly/end/", ladder_cups.end_weekly, name="end-weekly"),
]
