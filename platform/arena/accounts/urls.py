"""A person's own pages; signing in and out is allauth's, under the same prefix."""

from django.urls import path

from arena.accounts import views

app_name = "accounts"
urlpatterns = [
    path("tokens/", views.tokens, name="tokens"),
    path("tokens/<slug:key>/revoke/", views.revoke, name="token-revoke"),
    path("people/<str:username>/", views.profile, name="profile"),
]
