"""Pages of assignments, below those of their group."""

from django.urls import path

from assignments.views import exports, marks, pages

app_name = "assignments"
urlpatterns = [
    path("groups/<slug:slug>/assignments/new/", pages.create, name="create"),
    path("groups/<slug:slug>/assignments/<int:pk>/", pages.detail, name="detail"),
    path("groups/<slug:slug>/assignments/<int:pk>/edit/", pages.edit, name="edit"),
    path("groups/<slug:slug>/assignments/<int:pk>/delete/", pages.delete, name="delete"),
    path("groups/<slug:slug>/assignments/<int:pk>/hand-in/", pages.hand_in, name="hand-in"),
    path("groups/<slug:slug>/assignments/<int:pk>/marks/", marks.marks, name="marks"),
    path("groups/<slug:slug>/assignments/<int:pk>/marks/publish/", marks.publish, name="publish"),
    path("groups/<slug:slug>/assignments/<int:pk>/marks/<int:user_id>/", marks.student, name="student"),
    path("groups/<slug:slug>/assignments/<int:pk>/marks.csv", exports.marks_file, name="marks-file"),
    path("groups/<slug:slug>/assignments/<int:pk>/sources.zip", exports.sources, name="sources"),
    path("groups/<slug:slug>/assignments/<int:pk>/similar/", exports.similar, name="similar"),
    path(
        "groups/<slug:slug>/assignments/<int:pk>/similar/<int:user_id>/<int:other_id>/", exports.beside, name="beside"
    ),
]
