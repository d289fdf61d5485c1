"""URLs of requests to become an organiser, below ``/organisers/``."""

from django.urls import path

from contests import views
from contests.views import OrganiserRequestView

app_name = "organisers"
urlpatterns = [path("", views.organiser_request_view, name="ask")]


api_urlpatterns = [path("", OrganiserRequestView.as_view(), name="request")]
