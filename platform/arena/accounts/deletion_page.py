"""The page on which a person deletes the account."""

from typing import cast

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from arena.accounts.deletion import DeletionRefused, person_delete
from arena.accounts.models import User
from bots.forms import DeleteForm


@never_cache
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]  # allauth is untyped
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest) -> HttpResponse:
    """Delete one's own account: the password was typed a moment ago, the name is typed now."""
    person = cast(User, request.user)
    form = DeleteForm(request.POST or None, name=person.username)
    if request.method == "POST" and form.is_valid():
        try:
            person_delete(person=person)
        except DeletionRefused as error:
            form.add_error(None, str(error))
        else:
            logout(request)
            messages.success(request, _("Your account is deleted."))
            return redirect("home")
    return render(request, "accounts/delete.html", {"form": form}, status=422 if form.errors else 200)
