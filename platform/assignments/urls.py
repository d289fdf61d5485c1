"""URLs of assignments, below those of their group."""

from django.urls import path

from assignments import api
from assignments.views import marks, pages, sources
from assignments.views.marks import assignment_marks_export_view

app_name = "assignments"
urlpatterns = [
    path("groups/<slug:slug>/assignments/new/", pages.assignment_create_view, name="create"),
    path("groups/<slug:slug>/assignments/<int:pk>/", pages.assignment_detail_view, name="detail"),
    path("groups/<slug:slug>/assignments/<int:pk>/edit/", pages.assignment_edit_view, name="edit"),
    path("groups/<slug:slug>/assignments/<int:pk>/delete/", pages.assignment_delete_view, name="delete"),
    path("groups/<slug:slug>/assignments/<int:pk>/hand-in/", pages.assignment_hand_in_view, name="hand-in"),
    path("groups/<slug:slug>/assignments/<int:pk>/marks/", marks.assignment_marks_view, name="marks"),
    path("groups/<slug:slug>/assignments/<int:pk>/marks/publish/", marks.assignment_marks_publish_view, name="publish"),
    path(
        "groups/<slug:slug>/assignments/<int:pk>/marks/<int:user_id>/",
        marks.assignment_marks_student_view,
        name="student",
    ),
    path("groups/<slug:slug>/assignments/<int:pk>/marks.csv", assignment_marks_export_view, name="marks-file"),
    path("groups/<slug:slug>/assignments/<int:pk>/sources.zip", sources.assignment_sources_export_view, name="sources"),
    path("groups/<slug:slug>/assignments/<int:pk>/similar/", sources.assignment_sources_similar_view, name="similar"),
    path(
        "groups/<slug:slug>/assignments/<int:pk>/similar/<int:user_id>/<int:other_id>/",
        sources.assignment_sources_compared_view,
        name="beside",
    ),
]


api_urlpatterns = [
    path("", api.AssignmentsView.as_view(), name="list"),
    path("<int:pk>/", api.AssignmentView.as_view(), name="assignment"),
    path("<int:pk>/hand-in/", api.HandInView.as_view(), name="hand-in"),
    path("<int:pk>/extensions/", api.ExtensionsView.as_view(), name="extensions"),
    path("<int:pk>/marks/", api.MarksView.as_view(), name="marks"),
    path("<int:pk>/marks/decide-all/", api.MarksDecideView.as_view(), name="decide-all"),
    path("<int:pk>/marks/publish/", api.MarksPublishView.as_view(), name="publish"),
    path("<int:pk>/marks/<str:username>/renew/", api.MarkingRenewView.as_view(), name="renew"),
    path("<int:pk>/marks/<str:username>/<int:reference_id>/decide/", api.MarkDecideView.as_view(), name="decide"),
]
