"""Pages of a user's webhooks: the form, the deliveries, and buttons to change, pause, test and delete a hook."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from hooks import services
from hooks.filters import NothingToBeAbout, hook_about_read
from hooks.http_post import BadAddress, hook_url_check
from hooks.kinds import hook_kinds_by_section
from hooks.messages import hook_format_expected, hook_message_secret_of, hook_test_body
from hooks.models import Hook, MessageFormat
from hooks.selectors import hook_deliveries_of, hooks_of
from web.errors import Refusal
from web.requests import request_user


class HookForm(forms.Form):
    """The address of a webhook, and the kinds of events that it gets."""

    url = forms.CharField(
        label=gettext_lazy("Address"),
        help_text=gettext_lazy("The HTTPS address of your server. It receives a POST request for each event."),
        max_length=500,
        widget=forms.URLInput({"autocomplete": "off", "placeholder": "https://example.org/pecking"}),
    )
    format = forms.ChoiceField(
        label=gettext_lazy("Format"),
        choices=MessageFormat.choices,
        initial=MessageFormat.JSON,
        required=False,
        help_text=gettext_lazy(
            "Chat services need their own. Create an incoming webhook there and paste its address above."
        ),
    )
    about = forms.CharField(
        label=gettext_lazy("Only about"),
        required=False,
        max_length=300,
        help_text=gettext_lazy(
            "The address of a tournament, league, series or group, to get its events only. Leave it empty for all "
            "your events."
        ),
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    kinds = forms.MultipleChoiceField(
        label=gettext_lazy("Events"), widget=forms.CheckboxSelectMultiple({"class": "in-sections"})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["kinds"].choices = hook_kinds_by_section()  # type: ignore[attr-defined]

    def clean_url(self) -> str:
        try:
            return hook_url_check(self.cleaned_data["url"])
        except BadAddress as error:
            raise forms.ValidationError(str(error)) from error

    def clean_about(self) -> str:
        try:
            return hook_about_read(self.cleaned_data["about"])
        except NothingToBeAbout as error:
            raise forms.ValidationError(str(error)) from error

    def clean_format(self) -> str:
        """Return the format: by default JSON, or that of the chat service at the address."""
        chosen = self.cleaned_data["format"] or MessageFormat.JSON
        expected = hook_format_expected(self.cleaned_data.get("url", ""))
        if expected is not None and chosen != expected:
            raise forms.ValidationError(
                gettext_lazy("This is an address of %(service)s.") % {"service": expected.label}
            )
        return str(chosen)


ROWS: Final = 25


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def hook_list_view(request: HttpRequest) -> HttpResponse:
    """List the user's webhooks. A POST creates one and shows its secret, which is never shown again."""
    form, secret = HookForm(request.POST or None), ""
    if request.method == "POST" and form.is_valid():
        try:
            hook = services.hook_create(owner=request_user(request), **form.cleaned_data)
            form, secret = HookForm(), hook_message_secret_of(hook.salt)
        except Refusal as error:
            form.add_error(None, str(error))
    context = {"form": form, "secret": secret, "hooks": hooks_of(request.user)}
    return render(request, "hooks/list.html", context, status=422 if form.errors else 200)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def hook_detail_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a hook with its deliveries. A POST changes it."""
    found = get_object_or_404(hooks_of(request.user), pk=pk)
    form = HookForm(request.POST or None, initial=_initial(found))
    if request.method == "POST" and form.is_valid():
        services.hook_update(hook=found, **form.cleaned_data)
        messages.success(request, _("The webhook was changed."))
        return redirect("hooks:detail", pk)
    return _page(request, found, form=form, status=422 if form.errors else 200)


@never_cache
@login_required
@require_POST
def hook_secret_rotate_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Replace the secret and show the new one, which is never shown again."""
    found = services.hook_secret_rotate(hook=get_object_or_404(hooks_of(request.user), pk=pk))
    return _page(request, found, secret=hook_message_secret_of(found.salt))


@login_required
@require_POST
def hook_act_view(request: HttpRequest, pk: int, action: str) -> HttpResponse:
    """Do the action of a button."""
    found = get_object_or_404(hooks_of(request.user), pk=pk)
    if action not in ACTS:
        raise Http404
    try:
        messages.success(request, ACTS[action](found))
    except Refusal as error:
        messages.warning(request, str(error))
    return redirect("hooks:detail", pk)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def hook_delete_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for confirmation. A POST deletes the hook."""
    found = get_object_or_404(hooks_of(request.user), pk=pk)
    if request.method != "POST":
        return render(request, "hooks/delete.html", {"hook": found})
    services.hook_delete(hook=found)
    messages.success(request, _("The webhook is deleted."))
    return redirect("hooks:list")


@login_required
@require_POST
def hook_delivery_send_again_view(request: HttpRequest, pk: int, delivery: int) -> HttpResponse:
    """Send a delivery again."""
    found = get_object_or_404(hook_deliveries_of(get_object_or_404(hooks_of(request.user), pk=pk)), pk=delivery)
    try:
        services.hook_delivery_requeue(delivery=found)
        messages.success(request, _("It is sent again, with the same webhook-id."))
    except Refusal as error:
        messages.warning(request, str(error))
    return redirect("hooks:detail", pk)


def _page(
    request: HttpRequest, found: Hook, *, form: HookForm | None = None, secret: str = "", status: int = 200
) -> HttpResponse:
    context = {
        "hook": found,
        "form": form or HookForm(initial=_initial(found)),
        "secret": secret,
        "page": Paginator(hook_deliveries_of(found), ROWS).get_page(request.GET.get("page")),
        "preview": hook_test_body(found),
    }
    return render(request, "hooks/detail.html", context, status=status)


def _initial(hook: Hook) -> dict[str, object]:
    return {"url": hook.url, "kinds": hook.kinds, "format": hook.format, "about": hook.about}


def _test(hook: Hook) -> str:
    services.hook_test_send(hook=hook)
    return _("A test is on its way: reload the page to see what was answered.")


def _pause(hook: Hook) -> str:
    services.hook_pause(hook_id=hook.pk)
    return _("The webhook is paused: nothing is sent to it.")


def _resume(hook: Hook) -> str:
    services.hook_resume(hook=hook)
    return _("The webhook is active again.")


ACTS: Final[Mapping[str, Callable[[Hook], str]]] = {
    "test": _test,
    "pause": _pause,
    "resume": _resume,
}
