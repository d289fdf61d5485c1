"""Pages of an author's bots, and of the source of their versions. Other users get a 404.

Pages and the API share one count of uploads, so that authors cannot exceed it by using both. Every upload counts, even
a rejected one, because the web server has to parse it. While the cache is unavailable, uploads are not counted. They
are still limited by the number of unchecked versions.
"""

from typing import Any, Final, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe
from rest_framework.request import Request

from bots import deletion, selectors, services
from bots.bot_names import BadName
from bots.failure import Failure
from bots.forms import BotForm, DeleteForm, NewBotForm, VersionForm
from bots.models import Bot, BotVersion, VersionState
from bots.selectors import bot_versions_stored_of
from bots.source_listing import source_file_listed, source_files_changed, source_paths_sorted
from bots.upload_errors import Problem, UploadError
from games.catalogue.code import game_code_read
from games.protocol import Limits
from teams.selectors import acts_for_owner, team_owners_of
from web.limits import AuthorThrottle
from web.page_cache import LIST_SECONDS, public_page
from web.requests import request_user

SCOPE: Final = "upload"  # throttle scope in the settings, shared with the API's views that write


class _Page:
    """Replaces the API view from which the throttle reads its scope."""

    throttle_scope = SCOPE


def _bot_upload_note(request: HttpRequest) -> None:
    """Count an upload of the signed-in user.

    Raises:
        UploadError: the user has uploaded too often.
    """
    throttle, rest_request = AuthorThrottle(), Request(request)
    rest_request.user = request.user
    if not throttle.allow_request(rest_request, _Page()):
        minutes = int(throttle.wait() // 60) + 1
        raise UploadError(
            Problem.TOO_OFTEN,
            ngettext(
                "You have uploaded very often. Upload again in %(minutes)d minute.",
                "You have uploaded very often. Upload again in %(minutes)d minutes.",
                minutes,
            )
            % {"minutes": minutes},
        )


UNPROCESSABLE = 422  # the status of a form with errors
UNAVAILABLE = 503  # the status of a form that was not processed because the site is busy


@login_required
@require_safe
def bot_list_view(request: HttpRequest) -> HttpResponse:
    return render(
        request, "bots/list.html", {"bots": selectors.bots_of_user_and_teams(request.user), "section": "bots"}
    )


@login_required
def bot_create_view(request: HttpRequest) -> HttpResponse:
    author = cast(AbstractUser, request.user)
    initial = {"owner": request.GET.get("owner")}
    form = NewBotForm(request.POST or None, request.FILES or None, author=author, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            _bot_upload_note(request)
            new = services.bot_submit(by=author, **form.author, **form.described(), **form.upload)
        except BadName as error:
            form.add_error("name", str(error))
        except UploadError as error:
            form.refuse(error)
        else:
            return redirect(_address("bots:version", new))
    return _form_page(request, "bots/create.html", form, {})


@login_required
def bot_upload_view(request: HttpRequest, slug: str) -> HttpResponse:
    bot = own_bot(request, slug)
    author = request_user(request)
    form = VersionForm(request.POST or None, request.FILES or None, author=author)
    if request.method == "POST" and form.is_valid():
        try:
            _bot_upload_note(request)
            version, is_new = services.version_upload(bot=bot, by=author, **form.upload)
        except deletion.BotDeleted as error:
            raise Http404 from error
        except UploadError as error:
            form.refuse(error)
        else:
            if not is_new:
                messages.info(request, _known(version))
            return redirect(_address("bots:version", version))
    return _form_page(request, "bots/upload.html", form, {"bot": bot})


@login_required
def bot_edit_view(request: HttpRequest, slug: str) -> HttpResponse:
    bot = own_bot(request, slug)
    form = BotForm(request.POST or None, instance=bot)
    if request.method == "POST" and form.is_valid():
        try:
            services.bot_update(bot=bot, **form.cleaned_data)
        except deletion.BotDeleted as error:
            raise Http404 from error
        except BadName as error:
            form.add_error("name", str(error))
        else:
            return redirect("bots:detail", slug)
    return _form_page(request, "bots/edit.html", form, {"bot": bot})


@public_page(max_age=LIST_SECONDS)
@require_safe
def bot_version_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    context = bot_version_context(request.user, _version(slug, number))
    earlier = _earlier(context["bot"], number) if context["is_owner"] and context["version"].kept else None
    return render(request, "bots/version.html", {**context, "earlier": earlier})


@require_safe
def bot_version_verdict_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Render the part of the version's page that changes."""
    return render(request, "bots/verdict.html", bot_version_context(request.user, _version(slug, number)))


@login_required
@require_POST
def bot_version_make_current_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    chosen = get_object_or_404(own_bot(request, slug).versions, number=number)
    if services.version_make_current(version=chosen):
        messages.success(request, _("Version %(number)d is current now: new matches use it.") % {"number": number})
    else:
        messages.error(request, _("Only an accepted version can be made current."))
    return redirect("bots:detail", slug)


@login_required
def bot_delete_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete a bot. Its name must be typed, so that it cannot be deleted by an accidental click."""
    bot = own_bot(request, slug)
    form = DeleteForm(request.POST or None, name=bot.name)
    if request.method == "POST" and form.is_valid():
        deletion.bot_delete(bot=bot)
        messages.success(request, _("%(name)s is deleted. Its results stay without its name.") % {"name": bot.name})
        return redirect("bots:list")
    return _form_page(request, "bots/delete.html", form, {"bot": bot})


@login_required
@require_POST
def bot_version_delete_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    chosen = get_object_or_404(own_bot(request, slug).versions, number=number)
    if deletion.version_delete(version=chosen):
        messages.success(request, _("Version %(number)d is deleted.") % {"number": number})
    else:
        messages.error(request, _("The current version cannot be deleted: make another one current first."))
    return redirect("bots:detail", slug)


@login_required
@require_safe
def bot_version_source_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Send the uploaded file to the owner, as a download that browsers neither show nor run."""
    versions = own_bot(request, slug).versions.select_related("package")
    version = get_object_or_404(versions.filter(kept__gt=0), number=number)
    return bot_source_response(version, slug)


def own_bot(request: HttpRequest, slug: str) -> Bot:
    return get_object_or_404(selectors.bots_public(), slug=slug, owner__in=team_owners_of(request.user))


def _version(slug: str, number: int) -> BotVersion:
    return get_object_or_404(
        BotVersion.objects.select_related("bot__owner", "bot__current", "uploaded_by"), bot__slug=slug, number=number
    )


def _known(version: BotVersion) -> str:
    """Return the message for an upload whose content is a version already. On the next page, the author can make that
    version current.
    """
    bot = Bot.objects.select_related("current").get(pk=version.bot_id)
    numbers = {"number": version.number, "current": bot.current.number if bot.current else None}
    if version.state == VersionState.ACCEPTED and bot.current and bot.current_id != version.pk:
        text = _(
            "This file is already version %(number)d; version %(current)d is current: make version %(number)d current?"
        )
        return text % numbers
    return _("This is version %(number)d already.") % numbers


def _address(name: str, version: BotVersion) -> str:
    return reverse(name, args=[version.bot.slug, version.number])


def _form_page(request: HttpRequest, template: str, form: Any, context: dict[str, Any]) -> HttpResponse:
    status = UNPROCESSABLE if form.is_bound and form.errors else 200
    if "file" in form.files and "file" not in form.errors and "written_in" not in request.POST:
        # The file must be chosen again, because browsers clear file inputs.
        form.add_error("file", _("Choose the file again."))
    wait = getattr(form, "wait", 0)
    if wait:
        status = UNAVAILABLE
    response = render(request, template, {"form": form, **context}, status=status)
    if wait:
        response["Retry-After"] = str(wait)
    return response


def bot_version_context(viewer: Any, version: BotVersion) -> dict[str, Any]:
    """Return the context of the version's page. ``report`` and ``failure`` are None except for the author and staff."""
    is_owner = acts_for_owner(viewer, version.bot.owner_id)
    may_read = is_owner or viewer.is_staff
    refused = version.state == VersionState.REFUSED
    files = version.files() if version.kept else {}
    code = game_code_read(version.report.get("game_code", ""))
    return {
        "version": version,
        "bot": version.bot,
        "is_owner": is_owner,
        "may_read": may_read,
        "is_current": version.bot.current_id == version.pk,
        "report": version.report if may_read else None,
        "failure": Failure.of(version.report, files if is_owner else {}) if refused and may_read else None,
        "game_package": f"{code.distribution} {code.version}:" if code else "",
        "action_limit": version.report.get("limit") or Limits().act_cpu,
    }


def bot_source_response(version: BotVersion, slug: str) -> HttpResponse:
    """Return the uploaded file. Only use it for users who may read it; it is not cached."""
    kind = "application/zip" if version.filename.lower().endswith(".zip") else "text/plain; charset=utf-8"
    response = HttpResponse(version.package.read(), content_type=kind)
    ending = version.filename.lower().rpartition(".")[2]
    response["Content-Disposition"] = f'attachment; filename="{slug}-v{version.number}.{ending}"'
    response["X-Content-Type-Options"] = "nosniff"
    response["Cache-Control"] = "private, no-store"
    return response


@login_required
@require_safe
def bot_version_code_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a file of a version, by default ``bot.py``."""
    bot = own_bot(request, slug)
    version = _version_with_files_or_404(bot, number)
    files = version.files()
    paths = source_paths_sorted(files)
    path = request.GET.get("file", paths[0])
    if path not in files:
        raise Http404
    context = {"bot": bot, "version": version, "paths": paths, "file": source_file_listed(path, files[path])}
    return _private(request, "bots/code.html", {**context, "earlier": _earlier(bot, number)})


@login_required
@require_safe
def bot_version_changes_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the changes from another version of the bot, by default the last accepted one before it."""
    bot = own_bot(request, slug)
    version = _version_with_files_or_404(bot, number)
    others = dict(bot_versions_stored_of(bot).exclude(number=number).values_list("number", "state"))
    chosen = request.GET.get("since", "")
    since = int(chosen) if chosen.isdecimal() and len(chosen) < 10 else _earlier(bot, number)
    if since not in others:
        raise Http404
    other = _version_with_files_or_404(bot, since)
    files = source_files_changed(other.files(), version.files())
    context = {"bot": bot, "version": version, "other": other, "others": others, "files": files}
    return _private(request, "bots/changes.html", context)


def _version_with_files_or_404(bot: Bot, number: int) -> BotVersion:
    return get_object_or_404(bot_versions_stored_of(bot).select_related("package"), number=number)


def _earlier(bot: Bot, number: int) -> int | None:
    """Return the number of the last earlier version whose file is stored. An accepted version is preferred to
    others.
    """
    numbers = bot_versions_stored_of(bot).filter(number__lt=number).values_list("number", flat=True)
    return numbers.filter(state=VersionState.ACCEPTED).first() or numbers.first()


def _private(request: HttpRequest, template: str, context: dict[str, object]) -> HttpResponse:
    response = render(request, template, context)
    patch_cache_control(response, private=True, no_store=True)
    return response
