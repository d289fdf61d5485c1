"""URLs of an author's pages, below ``/bots/``."""

from django.urls import path

from bots import api, views

app_name = "bots"
urlpatterns = [
    path("", views.mine, name="list"),
    path("new/", views.create, name="create"),
    path("<slug:slug>/edit/", views.edit, name="edit"),
    path("<slug:slug>/delete/", views.delete, name="delete"),
    path("<slug:slug>/upload/", views.upload, name="upload"),
    path("<slug:slug>/versions/<int:number>/", views.version, name="version"),
    path("<slug:slug>/versions/<int:number>/verdict/", views.verdict, name="verdict"),
    path("<slug:slug>/versions/<int:number>/current/", views.make_current, name="make-current"),
    path("<slug:slug>/versions/<int:number>/delete/", views.version_delete, name="version-delete"),
    path("<slug:slug>/versions/<int:number>/source/", views.source, name="source"),
    path("<slug:slug>/versions/<int:number>/code/", views.code, name="code"),
    path("<slug:slug>/versions/<int:number>/changes/", views.changes, name="changes"),
]


api_urlpatterns = [
    path("bots/", api.BotsView.as_view(), name="bots"),
    path("bots/<slug:slug>/", api.BotView.as_view(), name="bot"),
    path("bots/<slug:slug>/versions/", api.VersionsView.as_view(), name="versions"),
    path("bots/<slug:slug>/versions/<int:number>/", api.VersionView.as_view(), name="version"),
    path("bots/<slug:slug>/versions/<int:number>/source/", api.SourceView.as_view(), name="source"),
    path("bots/<slug:slug>/versions/<int:number>/make-current/", api.MakeCurrentView.as_view(), name="make-current"),
]
