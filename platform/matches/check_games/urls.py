"""Addresses below ``/bots/``, in the namespace of bots."""

from django.urls import path

from matches.check_games import views

_CHECK = "<slug:slug>/versions/<int:number>/check/<slug:stage>/"
urlpatterns = [
    path("<slug:slug>/versions/<int:number>/check/failure.zip", views.check_failure, name="check-failure"),
    path(_CHECK, views.check_page, name="check"),
    path(f"{_CHECK}<int:index>/frames.json", views.check_frames, name="check-frames"),
]
