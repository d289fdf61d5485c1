"""Addresses below ``/bots/`` and, as ``api_urlpatterns``, below ``/api/``, in the namespaces of bots."""

from django.urls import path

from matches.challenges import api, views

urlpatterns = [
    path("<slug:slug>/challenges/", views.challenges, name="challenges"),
    path("challenges/<int:pk>/", views.answer, name="challenge-answer"),
]
api_urlpatterns = [
    path("bots/<slug:slug>/challenges/", api.ChallengesView.as_view(), name="challenges"),
    path("bots/<slug:slug>/challenges/<int:challenge_id>/", api.ChallengeView.as_view(), name="challenge"),
]
