"""Addresses below ``/bots/`` and, as ``api_urlpatterns``, below ``/api/``, in the namespaces of bots."""

from django.urls import path

from matches.sparring import api, views

urlpatterns = [
    path("<slug:slug>/spar/", views.spar, name="spar"),
    path("sparring/<int:pk>/stop/", views.stop, name="spar-stop"),
]
api_urlpatterns = [
    path("sparring/", api.SparringsView.as_view(), name="sparrings"),
    path("sparring/<int:pk>/", api.SparringView.as_view(), name="sparring"),
]
