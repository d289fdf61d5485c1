"""A person's own pages."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.accounts.models import User


@require_safe
def profile(request: HttpRequest, username: str) -> HttpResponse:
    """Who somebody is here: the name and the bots."""
    person = get_object_or_404(User, username=username, is_active=True)
    return render(request, "accounts/profile.html", {"person": person})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    return render(request, "accounts/tokens.html")


@login_required
@require_POST
def token_revoke(request: HttpRequest, digest: str) -> HttpResponse:
    return redirect("accounts:tokens")
