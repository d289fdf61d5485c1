"""Addresses of announcements in the API, below ``/api/announcements/``."""

from django.urls import path

from announcements import api

app_name = "api-announcements"
urlpatterns = [
    path("<int:pk>/", api.AnnouncementView.as_view(), name="detail"),
    path("<slug:subject>/<slug:slug>/", api.AnnouncementsView.as_view(), name="list"),
]
