"""Pages of announcements and questions, below ``/announcements/``."""

from django.urls import path

from announcements import api, views
from announcements.questions import api as questions_api
from announcements.questions import views as questions

app_name = "announcements"
urlpatterns = [
    path("<int:pk>/edit/", views.edit, name="edit"),
    path("<int:pk>/delete/", views.delete, name="delete"),
    path("questions/<int:question_id>/", questions.answer, name="answer"),
    path("questions/<int:question_id>/delete/", questions.delete, name="question-delete"),
    path("<slug:subject>/<slug:slug>/questions/", questions.question_list, name="questions"),
    path("<slug:subject>/<slug:slug>/questions/ask/", questions.ask, name="ask"),
    path("<slug:subject>/<slug:slug>/", views.announcement_list, name="list"),
    path("<slug:subject>/<slug:slug>/new/", views.create, name="create"),
]


api_urlpatterns = [
    path("<int:pk>/", api.AnnouncementView.as_view(), name="detail"),
    path("questions/<int:question_id>/", questions_api.QuestionView.as_view(), name="question"),
    path("<slug:subject>/<slug:slug>/questions/", questions_api.QuestionsView.as_view(), name="questions"),
    path("<slug:subject>/<slug:slug>/", api.AnnouncementsView.as_view(), name="list"),
]
