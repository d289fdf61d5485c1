"""Asking to become an organiser, below ``/organisers/``."""

from django.urls import path

from contests import views

app_name = "organisers"
urlpatterns = [path("", views.ask, name="ask")]
