"""Addresses for those who run the site, and what it tells everyone of itself."""

from django.urls import path

from arena.operations.views import metrics_view, operations_page, operations_status_page

app_name = "operations"
urlpatterns = [
    path("operations/", operations_page, name="page"),
    path("status/", operations_status_page, name="status"),
    path("metrics", metrics_view, name="metrics"),
]
