"""Addresses of the cups of a league in the API, below the league's."""

from django.urls import path

from tournaments import ladder_cup_api

app_name = "api-cups"
urlpatterns = [
    path("", ladder_cup_api.LadderCupsView.as_view(), name="list"),
    path("weekly/", ladder_cup_api.WeeklyCupView.as_view(), name="weekly"),
    path("field/", ladder_cup_api.LadderFieldView.as_view(), name="field"),
]
