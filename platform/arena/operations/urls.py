"""Addresses for those who run the site."""

from django.urls import path

from arena.operations.metrics import metrics
from arena.operations.views import operations

app_name = "operations"
urlpatterns = [path("operations/", operations, name="page"), path("metrics", metrics, name="metrics")]
