"""Pages of series, below ``/series/``."""

from django.urls import path

from series.views import certificates, organising, pages

app_name = "series"
urlpatterns = [
    path("", pages.series_list, name="list"),
    path("new/", organising.create, name="create"),
    path("<slug:slug>/", pages.detail, name="detail"),
    path("<slug:slug>/end/", organising.end, name="end"),
    path("<slug:slug>/certificates/", certificates.certificates, name="certificates"),
    path("<slug:slug>/certificates/<int:bot_id>/", certificates.certificate, name="certificate"),
    path("<slug:slug>/edit/", organising.edit, name="edit"),
    path("<slug:slug>/delete/", organising.delete, name="delete"),
    path("<slug:slug>/add/", organising.add, name="add"),
    path("<slug:slug>/remove/<slug:tournament>/", organising.remove, name="remove"),
]
