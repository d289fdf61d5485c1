"""The package index from which pip installs the kit and the packages of games (PEP 503 and PEP 691): ``pip install
--index-url SITE/docs/simple/ pecking``."""

from functools import cache
from hashlib import sha256
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers
from packaging.utils import canonicalize_name

from arena.site import author_kit
from arena.site.game_packages import Wheel, game_packages_given

JSON: Final = "application/vnd.pypi.simple.v1+json"
META: Final = {"api-version": "1.0"}


def package_index_offered() -> dict[str, Wheel]:
    """Return the wheels that pip can install, by name, the kit first."""
    kit = author_kit.kit_wheel()
    return {kit.name: kit} | game_packages_given().wheels


@cache
def package_index_wheel(name: str) -> bytes:
    """Return the wheel of the package ``name``, with the same bytes each time.

    Raises:
        KeyError: the package is not offered.
    """
    return package_index_offered()[name].data()


@vary_on_headers("Accept")
@require_safe
def package_index_projects_view(request: HttpRequest) -> HttpResponse:
    """List all packages."""
    names = [*package_index_offered()]
    if _wants_json(request):
        return _json({"meta": META, "projects": [{"name": name} for name in names]})
    links = [(reverse("package", args=[name]), name, "") for name in names]
    return render(request, "site/simple_index.html", {"title": "Packages", "links": links})


@vary_on_headers("Accept")
@require_safe
def package_index_project_view(request: HttpRequest, name: str) -> HttpResponse:
    """List the files of a package: one wheel, of the version installed here."""
    if (usual := canonicalize_name(name)) != name and usual in package_index_offered():
        return redirect("package", usual)
    wheel = _offered(name)
    data = package_index_wheel(name)
    digest = sha256(data).hexdigest()
    address = reverse("package-file", args=[name, wheel.file_name])
    if _wants_json(request):
        file = {
            "filename": wheel.file_name,
            "url": address,
            "hashes": {"sha256": digest},
            "size": len(data),
        } | ({"requires-python": wheel.pythons} if wheel.pythons else {})
        return _json({"meta": META, "name": name, "versions": [wheel.version], "files": [file]})
    links = [(f"{address}#sha256={digest}", wheel.file_name, wheel.pythons)]
    return render(request, "site/simple_index.html", {"title": name, "links": links})


@require_safe
def package_index_file_view(request: HttpRequest, name: str, file: str) -> HttpResponse:
    """Send a wheel."""
    if file != _offered(name).file_name:
        raise Http404(f"there is no file {file}")
    return HttpResponse(package_index_wheel(name), content_type="application/octet-stream")


def _offered(name: str) -> Wheel:
    try:
        return package_index_offered()[name]
    except KeyError:
        raise Http404(f"there is no package {name}") from None


def _wants_json(request: HttpRequest) -> bool:
    return request.get_preferred_type(["text/html", JSON]) == JSON


def _json(content: dict[str, Any]) -> HttpResponse:
    return JsonResponse(content, content_type=JSON)
