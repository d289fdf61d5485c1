"""The page on which a person asks to become an organiser, and reads what became of it."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from contests.models import MAX_REASON, OrganiserRequest
from contests.permissions import may_organise
from contests.services import RequestRefused, organiser_ask
from web.requests import signed_in


class AskForm(forms.Form):
    reason = forms.CharField(
        label=_("What would you like to organise?"),
        help_text=_("For whom, how often, about how many bots."),
        max_length=MAX_REASON,
        widget=forms.Textarea({"rows": 4}),
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: HttpRequest) -> HttpResponse:
    form = AskForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            organiser_ask(person=signed_in(request), reason=form.cleaned_data["reason"])
        except RequestRefused as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("Your request waits for staff. You will be told by e-mail and on this page."))
            return redirect("organisers:ask")
    return ask_page(request, form, status=422 if form.errors else 200)


def ask_page(request: HttpRequest, form: AskForm | None = None, *, status: int = 403) -> HttpResponse:
    """Show how to become an organiser; also the answer to a person who may not create a tournament or a league."""
    last = OrganiserRequest.objects.filter(person=signed_in(request).pk).first()
    context = {
        "form": form or AskForm(),
        "last": last,
        "may_organise": may_organise(request.user),
        "refused": status == 403,
    }
    return render(request, "contests/ask.html", context, status=status)
