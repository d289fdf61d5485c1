"""Addresses for those who run the site, and what it tells everyone of itself."""

from django.urls import path

from arena.operations.readings import metrics
from arena.operations.views import operations, status

app_name = "operations"
urlpatterns = [
    path("operations/", operations, name="page"),
    path("status/", status, name="status"),
    path("metrics", metrics, name="metrics"),
]
