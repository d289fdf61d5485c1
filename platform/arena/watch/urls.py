"""Addresses of the pages that show what is on."""

from django.urls import path

from arena.watch import views

app_name = "watch"
urlpatterns = [
    path("", views.watch_page, name="all"),
    path("cells/", views.watch_cells_view, name="all-cells"),
    path("timetable.ics", views.watch_timetable_file_view, name="timetable"),
    path("<slug:name>/", views.watch_page, name="channel"),
    path("<slug:name>/cells/", views.watch_cells_view, name="channel-cells"),
]
