"""Every address of the site; each app keeps its own below its own prefix."""

from django.contrib import admin
from django.urls import include, path
from django.views.i18n import JavaScriptCatalog

urlpatterns = [
    path("", include("arena.site.urls")),
    path("accounts/", include("arena.accounts.urls")),
    path("accounts/", include("allauth.urls")),
    path("bots/", include("bots.urls")),
    path("matches/", include("matches.urls")),
    path("tournaments/", include("tournaments.urls")),
    path("api/", include("bots.api_urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("jsi18n/", JavaScriptCatalog.as_view(), name="javascript-catalog"),
    path("admin/", admin.site.urls),
]
