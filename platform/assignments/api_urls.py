"""Addresses of assignments in the API, below ``/api/assignments/``."""

from django.urls import path

from assignments import api

app_name = "api-assignments"
urlpatterns = [
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
