"""Addresses of the cups of a league in the API, below the league's."""

from django.urls import path

from tournaments import ladder_cup_api

app_name = "api-cups"
urlpatterns = [
    path("", ladder_cup_api.LadderCupsView.as_view(), name="list"),
    path("field/", ladder_cup_api.LadderFieldView.as_view(), name="field"),
]
