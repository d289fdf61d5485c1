"""Asking to become an organiser, below ``/api/organiser-request/``."""

from django.urls import path

from contests.api import OrganiserRequestView

app_name = "api-organisers"
urlpatterns = [path("", OrganiserRequestView.as_view(), name="request")]
