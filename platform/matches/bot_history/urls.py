"""Addresses below ``/bots/`` and, as ``api_urlpatterns``, below ``/api/``, in the namespaces of bots."""

from django.urls import path

from matches.bot_history import api, views

urlpatterns = [
    path("<slug:slug>/", views.detail, name="detail"),
    path("<slug:slug>/preview.png", views.preview, name="preview"),
    path("<slug:slug>/output/", views.output, name="output"),
    path("<slug:slug>/failures/", views.failures, name="failures"),
    path("<slug:slug>/failures/<int:pk>/<int:index>/failure.zip", views.failure_file, name="failure-file"),
    path("<slug:slug>/decisions/<int:pk>/<int:index>/<int:seat>/<int:step>.json", views.decision, name="decision"),
    path(
        "<slug:slug>/decisions/<int:pk>/<int:index>/<int:seat>/<int:step>.zip",
        views.decision_file,
        name="decision-file",
    ),
]
api_urlpatterns = [
    path("bots/<slug:slug>/results/", api.ResultsView.as_view(), name="results"),
    path("bots/<slug:slug>/output/", api.OutputView.as_view(), name="output"),
    path("bots/<slug:slug>/timings/", api.TimingsView.as_view(), name="timings"),
    path(
        "bots/<slug:slug>/failures/<int:pk>/<int:index>/failure.zip",
        api.FailureFileView.as_view(),
        name="failure-file",
    ),
    path(
        "bots/<slug:slug>/versions/<int:number>/failure.zip", api.CheckFailureFileView.as_view(), name="check-failure"
    ),
    path("bots/<slug:slug>/failures/", api.FailuresView.as_view(), name="failures"),
]
