"""Site-wide pages."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from arena.site.theme import theme_remember


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return render(request, "site/home.html")


@require_safe
def docs_bots(request: HttpRequest) -> HttpResponse:
    return render(request, "site/home.html")


@require_safe
def docs_rules(request: HttpRequest, name: str) -> HttpResponse:
    return render(request, "site/home.html")


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """The theme menu of a page without JavaScript: remembers, and goes back to where it was chosen."""
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure()):
        back = "/"
    response = redirect(back)
    theme_remember(response, theme=request.POST.get("theme", ""))
    return response
