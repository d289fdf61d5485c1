"""Addresses of announcements and questions in the API, below ``/api/announcements/``."""

from django.urls import path

from announcements import api
from announcements.questions import api as questions

app_name = "api-announcements"
urlpatterns = [
    path("<int:pk>/", api.AnnouncementView.as_view(), name="detail"),
    path("questions/<int:question_id>/", questions.QuestionView.as_view(), name="question"),
    path("<slug:subject>/<slug:slug>/questions/", questions.QuestionsView.as_view(), name="questions"),
    path("<slug:subject>/<slug:slug>/", api.AnnouncementsView.as_view(), name="list"),
]
