"""Templates: save a tournament as a template, and list the templates that an organiser may use."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from contests.permissions import organiser_permission_require
from tournaments.copying import CopyForm
from tournaments.errors import TemplateRefused
from tournaments.selectors.entering.visible import tournament_templates_visible
from tournaments.services import tournament_copy, tournament_template_delete, tournament_template_rename
from tournaments.template_settings import TemplateForm, template_settings_save
from tournaments.views.lookups import own_tournament, tournament_template_or_404
from web.errors import Refusal
from web.requests import request_user


@require_safe
@login_required
def tournament_template_list_view(request: HttpRequest) -> HttpResponse:
    """Show the templates that the organiser may use."""
    organiser_permission_require(request.user)
    return render(request, "tournaments/templates.html", {"templates": tournament_templates_visible(request.user)})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def tournament_template_save_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Save a tournament as a template."""
    tournament, organiser = own_tournament(request, slug), request_user(request)
    organiser_permission_require(organiser)
    form = TemplateForm(request.POST or None, organiser=organiser, name=tournament.name)
    if request.method == "POST" and form.is_valid():
        try:
            template_settings_save(tournament=tournament, by=organiser, **form.cleaned_data)
        except TemplateRefused as error:
            form.add_error(error.field if error.field in form.fields else None, str(error))
        else:
            messages.success(request, _("The template is saved."))
            return redirect("tournaments:templates")
    context = {"tournament": tournament, "form": form}
    return render(request, "tournaments/template_form.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def tournament_template_rename_view(request: HttpRequest, template_id: int) -> HttpResponse:
    """Rename a template."""
    template = tournament_template_or_404(request, template_id)
    form = TemplateForm(request.POST or None, organiser=request_user(request), name=template.name)
    del form.fields["group"]
    if request.method == "POST" and form.is_valid():
        try:
            tournament_template_rename(template=template, name=form.cleaned_data["name"])
            return redirect("tournaments:templates")
        except TemplateRefused as error:
            form.add_error("name", str(error))
    context = {"template": template, "form": form}
    return render(request, "tournaments/template_form.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def tournament_template_delete_view(request: HttpRequest, template_id: int) -> HttpResponse:
    """Delete a template."""
    tournament_template_delete(template=tournament_template_or_404(request, template_id))
    return redirect("tournaments:templates")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def tournament_copy_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form for the name and the date of a copy, and create the copy."""
    tournament = own_tournament(request, slug)
    form = CopyForm(request.POST or None, tournament=tournament)
    if request.method == "POST" and form.is_valid():
        try:
            made = tournament_copy(tournament=tournament, **form.cleaned_data)
        except Refusal as error:
            form.add_error(error.field if error.field in form.fields else None, str(error))
        else:
            messages.success(request, _("This is the draft. Check it, then open entries."))
            return redirect("tournaments:detail", made.slug)
    context = {"tournament": tournament, "form": form}
    return render(request, "tournaments/copy.html", context, status=422 if form.errors else 200)
