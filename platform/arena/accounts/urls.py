"""A person's own pages; signing in and out is allauth's, under the same prefix."""

from django.urls import path, re_path

from arena.accounts import deletion, export, views

app_name = "accounts"
urlpatterns = [
    path("export/", export.export, name="export"),
    path("delete/", deletion.delete, name="delete"),
    path("tokens/", views.tokens, name="tokens"),
    path("tokens/<slug:key>/revoke/", views.revoke, name="token-revoke"),
    re_path(r"^people/(?P<username>[\w .@+-]{1,150})/$", views.profile, name="profile"),  # all that a name may hold
]
