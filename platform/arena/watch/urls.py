"""Addresses of what is on."""

from django.urls import path

from arena.watch import views

app_name = "watch"
urlpatterns = [
    path("", views.watch, name="all"),
    path("cells/", views.cells, name="all-cells"),
    path("timetable.ics", views.timetable_file, name="timetable"),
    path("<slug:name>/", views.watch, name="channel"),
    path("<slug:name>/cells/", views.cells, name="channel-cells"),
]
