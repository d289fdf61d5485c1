"""Addresses of puzzles in the API, below ``/api/puzzles/``."""

from django.urls import path

from puzzles import api

app_name = "api-puzzles"
urlpatterns = [
    path("", api.PuzzleListView.as_view(), name="list"),
    path("<int:pk>/", api.PuzzleView.as_view(), name="detail"),
    path("<int:pk>/answer/", api.PuzzleAnswerView.as_view(), name="answer"),
]
