"""Addresses of webhooks in the API, below ``/api/hooks/``."""

from django.urls import path

from hooks import api

app_name = "api-hooks"
urlpatterns = [
    path("", api.HooksView.as_view(), name="hooks"),
    path("<int:pk>/", api.HookView.as_view(), name="hook"),
    path("<int:pk>/rotate/", api.RotateView.as_view(), name="rotate"),
    path("<int:pk>/pause/", api.PauseView.as_view(), name="pause"),
    path("<int:pk>/resume/", api.ResumeView.as_view(), name="resume"),
    path("<int:pk>/test/", api.TestView.as_view(), name="test"),
    path("<int:pk>/deliveries/", api.DeliveriesView.as_view(), name="deliveries"),
    path("<int:pk>/deliveries/<int:delivery>/send-again/", api.SendAgainView.as_view(), name="send-again"),
]
