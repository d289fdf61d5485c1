"""Addresses of this app."""

from django.urls import URLPattern

app_name = "matches"
urlpatterns: list[URLPattern] = []
