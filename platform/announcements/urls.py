"""URLs of announcements and questions, below ``/announcements/``."""

from django.urls import path

from announcements import api, views
from announcements.questions import api as questions_api
from announcements.questions import views as questions

app_name = "announcements"
urlpatterns = [
    path("<int:pk>/edit/", views.announcement_edit_view, name="edit"),
    path("<int:pk>/delete/", views.announcement_delete_view, name="delete"),
    path("questions/<int:question_id>/", questions.question_answer_view, name="answer"),
    path("questions/<int:question_id>/delete/", questions.question_delete_view, name="question-delete"),
    path("<slug:subject>/<slug:slug>/questions/", questions.question_list_view, name="questions"),
    path("<slug:subject>/<slug:slug>/questions/ask/", questions.question_ask_view, name="ask"),
    path("<slug:subject>/<slug:slug>/", views.announcement_list_view, name="list"),
    path("<slug:subject>/<slug:slug>/new/", views.announcement_create_view, name="create"),
]


api_urlpatterns = [
    path("<int:pk>/", api.AnnouncementView.as_view(), name="detail"),
    path("questions/<int:question_id>/", questions_api.QuestionView.as_view(), name="question"),
    path("<slug:subject>/<slug:slug>/questions/", questions_api.QuestionsView.as_view(), name="questions"),
    path("<slug:subject>/<slug:slug>/", api.AnnouncementsView.as_view(), name="list"),
]
