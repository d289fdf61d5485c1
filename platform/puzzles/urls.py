"""Pages of puzzles, below ``/puzzles/``."""

from django.urls import path

from puzzles import api, views

app_name = "puzzles"
urlpatterns = [
    path("", views.puzzle_list_view, name="list"),
    path("next/<slug:name>/", views.puzzle_next_view, name="next"),
    path("<int:pk>/", views.puzzle_detail_view, name="detail"),
]


api_urlpatterns = [
    path("", api.PuzzleListView.as_view(), name="list"),
    path("<int:pk>/", api.PuzzleView.as_view(), name="detail"),
    path("<int:pk>/answer/", api.PuzzleAnswerView.as_view(), name="answer"),
]
