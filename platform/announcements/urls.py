"""Pages of announcements, below ``/announcements/``."""

from django.urls import path

from announcements import views

app_name = "announcements"
urlpatterns = [
    path("<int:pk>/edit/", views.edit, name="edit"),
    path("<int:pk>/delete/", views.delete, name="delete"),
    path("<slug:subject>/<slug:slug>/", views.announcement_list, name="list"),
    path("<slug:subject>/<slug:slug>/new/", views.create, name="create"),
]
