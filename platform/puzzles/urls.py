"""Pages of puzzles, below ``/puzzles/``."""

from django.urls import path

from puzzles import views

app_name = "puzzles"
urlpatterns = [
    path("", views.puzzle_list, name="list"),
    path("next/<slug:name>/", views.upcoming, name="next"),
    path("<int:pk>/", views.detail, name="detail"),
]
