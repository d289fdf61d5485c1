"""URLs of an author's pages, below ``/bots/``."""

from django.urls import path

from bots import api, views

app_name = "bots"
urlpatterns = [
    path("", views.bot_list_view, name="list"),
    path("new/", views.bot_create_view, name="create"),
    path("<slug:slug>/edit/", views.bot_edit_view, name="edit"),
    path("<slug:slug>/delete/", views.bot_delete_view, name="delete"),
    path("<slug:slug>/upload/", views.bot_upload_view, name="upload"),
    path("<slug:slug>/versions/<int:number>/", views.bot_version_view, name="version"),
    path("<slug:slug>/versions/<int:number>/verdict/", views.bot_version_verdict_view, name="verdict"),
    path("<slug:slug>/versions/<int:number>/current/", views.bot_version_make_current_view, name="make-current"),
    path("<slug:slug>/versions/<int:number>/delete/", views.bot_version_delete_view, name="version-delete"),
    path("<slug:slug>/versions/<int:number>/source/", views.bot_version_source_view, name="source"),
    path("<slug:slug>/versions/<int:number>/code/", views.bot_version_code_view, name="code"),
    path("<slug:slug>/versions/<int:number>/changes/", views.bot_version_changes_view, name="changes"),
]


api_urlpatterns = [
    path("bots/", api.BotsView.as_view(), name="bots"),
    path("bots/<slug:slug>/", api.BotView.as_view(), name="bot"),
    path("bots/<slug:slug>/versions/", api.VersionsView.as_view(), name="versions"),
    path("bots/<slug:slug>/versions/<int:number>/", api.VersionView.as_view(), name="version"),
    path("bots/<slug:slug>/versions/<int:number>/source/", api.SourceView.as_view(), name="source"),
    path("bots/<slug:slug>/versions/<int:number>/make-current/", api.MakeCurrentView.as_view(), name="make-current"),
]
