"""Addresses of the operators' page, the public status and the metrics."""

from django.urls import path

from arena.operations.views import metrics_view, operations_page, operations_status_page

app_name = "operations"
urlpatterns = [
    path("operations/", operations_page, name="page"),
    path("status/", operations_status_page, name="status"),
    path("metrics", metrics_view, name="metrics"),
]
