"""The pages with the source of versions, for whom the bot belongs to; a 404 for everybody else."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from bots.changes import changed_files
from bots.listing import listed_file, paths_in_order
from bots.models import Bot, BotVersion
from bots.selectors import versions_kept
from bots.views import own_bot


@login_required
@require_safe
def code(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show one file of a version, ``bot.py`` unless another is chosen."""
    bot = own_bot(request, slug)
    version = _kept(bot, number)
    files = version.files()
    paths = paths_in_order(files)
    path = request.GET.get("file", paths[0])
    if path not in files:
        raise Http404
    context = {"bot": bot, "version": version, "paths": paths, "file": listed_file(path, files[path])}
    return _private(request, "bots/code.html", {**context, "earlier": _earlier(bot, number)})


@login_required
@require_safe
def changes(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show what changed from another version of the bot, the one before unless another is chosen."""
    bot = own_bot(request, slug)
    version = _kept(bot, number)
    others = list(versions_kept(bot).exclude(number=number).values_list("number", flat=True))
    chosen = request.GET.get("since", "")
    since = int(chosen) if chosen.isdecimal() and len(chosen) < 10 else _earlier(bot, number)
    if since not in others:
        raise Http404
    other = _kept(bot, since)
    files = changed_files(other.files(), version.files())
    context = {"bot": bot, "version": version, "other": other, "others": others, "files": files}
    return _private(request, "bots/changes.html", context)


def _kept(bot: Bot, number: int) -> BotVersion:
    return get_object_or_404(versions_kept(bot).select_related("package"), number=number)


def _earlier(bot: Bot, number: int) -> int | None:
    """Return the number of the last version before this one of which the file is kept."""
    return versions_kept(bot).filter(number__lt=number).values_list("number", flat=True).first()


def _private(request: HttpRequest, template: str, context: dict[str, object]) -> HttpResponse:
    response = render(request, template, context)
    patch_cache_control(response, private=True, no_store=True)
    return response
