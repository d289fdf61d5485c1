"""Addresses of this app."""

from django.urls import URLPattern

app_name = "bots"
urlpatterns: list[URLPattern] = []
