"""Addresses of a user's own account pages. allauth's pages have the same prefix."""

from django.urls import path, re_path

from arena.accounts import export, views
from arena.accounts.views import account_delete_view

app_name = "accounts"
urlpatterns = [
    path("export/", export.account_export_page, name="export"),
    path("delete/", account_delete_view, name="delete"),
    path("tokens/", views.account_tokens_view, name="tokens"),
    path("tokens/<slug:key>/revoke/", views.account_token_revoke_view, name="token-revoke"),
    re_path(
        r"^people/(?P<username>[\w .@+-]{1,150})/$", views.account_profile_view, name="profile"
    ),  # every character that a user name may contain
]
