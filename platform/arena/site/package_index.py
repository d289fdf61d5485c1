"""The kit for pip: an index of one package, by PEP 503 and PEP 691.

``pip install --index-url SITE/docs/simple/ pecking``
"""

from hashlib import sha256
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from arena.site.author_kit import NAME, PYTHONS, wheel_file, wheel_name
from games.version import VERSION

JSON: Final = "application/vnd.pypi.simple.v1+json"
META: Final = {"api-version": "1.0"}


@vary_on_headers("Accept")
@require_safe
def projects(request: HttpRequest) -> HttpResponse:
    """List what there is: one package."""
    if _wants_json(request):
        return _json({"meta": META, "projects": [{"name": NAME}]})
    return render(request, "site/simple_index.html", {"links": [(reverse("package", args=[NAME]), NAME, "")]})


@vary_on_headers("Accept")
@require_safe
def package(request: HttpRequest, name: str) -> HttpResponse:
    """List the files of the package: one wheel, of this site's version."""
    if name != NAME:
        raise Http404(f"there is no package {name}")
    digest = sha256(wheel_file()).hexdigest()
    address = reverse("package-file", args=[wheel_name()])
    if _wants_json(request):
        file = {
            "filename": wheel_name(),
            "url": address,
            "hashes": {"sha256": digest},
            "requires-python": PYTHONS,
            "size": len(wheel_file()),
        }
        return _json({"meta": META, "name": NAME, "versions": [VERSION], "files": [file]})
    links = [(f"{address}#sha256={digest}", wheel_name(), PYTHONS)]
    return render(request, "site/simple_index.html", {"links": links})


@require_safe
def package_file(request: HttpRequest, name: str) -> HttpResponse:
    """Send the wheel."""
    if name != wheel_name():
        raise Http404(f"there is no file {name}")
    return HttpResponse(wheel_file(), content_type="application/octet-stream")


def _wants_json(request: HttpRequest) -> bool:
    return request.get_preferred_type(["text/html", JSON]) == JSON


def _json(content: dict[str, Any]) -> HttpResponse:
    return JsonResponse(content, content_type=JSON)
