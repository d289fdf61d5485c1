"""Account pages: sign-up, profile, access tokens, language and deletion; and ``/api/me``.

A lecture hall shares one IP address. So the limit of sign-ups counts successful ones only. Sign-ups after following the
invitation link of an event are counted for that event. Refused forms count only for a separate limit against floods.
"""

from typing import Any, cast

from allauth.account import app_settings
from allauth.account.decorators import reauthentication_required
from allauth.account.views import SignupView
from allauth.core.internal import ratelimit
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError
from django.db.models import F, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.i18n import set_language
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated

from arena.accounts.account_email import account_email_language_set
from arena.accounts.deletion import DeletionRefused, account_delete
from arena.accounts.forms import TokenForm
from arena.accounts.models import User
from arena.accounts.tokens import SCOPES, TooManyTokens, token_create, token_revoke, tokens_of
from bots.forms import DeleteForm
from bots.selectors import bot_upload_limits_of, bots_shown_of
from teams.models import Team
from teams.selectors import is_in_any_team, teams_of, with_teams
from tournaments.views.invitations import last_tournament_invitation_opened
from web.api_examples import SITE, api_example_shown
from web.api_view import Item
from web.limits import ACCOUNTS, limit_exceeded_response, limit_seconds_left
from web.page_cache import LIST_SECONDS, public_page
from web.requests import visitor_choice_view
from web.serializers import serializer_address


class SignUpView(SignupView):  # type: ignore[misc]  # allauth is untyped
    """allauth's sign-up, whose own rate limit (``signup``) is off."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Handle the form, unless the limit against floods is reached."""
        if answer := self._refused("signup_tries"):
            return answer
        taken: HttpResponse = super().post(request, *args, **kwargs)
        return taken

    def form_valid(self, form: Any) -> HttpResponse:
        """Create the account, unless the limit of sign-ups is reached."""
        event = last_tournament_invitation_opened(self.request)
        if answer := self._refused("signup_invited", str(event)) if event else self._refused("signup_done"):
            return answer
        try:
            made: HttpResponse = super().form_valid(form)
        except IntegrityError:  # another request took the name or the address after our check
            form.add_error(None, _("Somebody took this name or address just now. Choose another, or sign in."))
            made = self.form_invalid(form)
        return made

    def _refused(self, action: str, key: str = "") -> HttpResponse | None:
        """Count one more ``action``. Return the error response if its limit is reached."""
        if ratelimit.consume(self.request, app=ACCOUNTS, action=action, key=key) is not None:
            return None
        return limit_exceeded_response(
            self.request,
            limit_seconds_left(self.request, app=ACCOUNTS, action=action, config=app_settings.RATE_LIMITS, key=key),
        )


@public_page(max_age=LIST_SECONDS)
@require_safe
def account_profile_view(request: HttpRequest, username: str) -> HttpResponse:
    """Show a user's public profile: the name, the teams and the bots. The account of a team redirects to the team's
    page."""
    people = User.objects.filter(Q(is_active=True) | Q(is_team=True)).annotate(slug=F("username"))  # for following
    person = get_object_or_404(with_teams(people), username=username)
    if person.is_team:
        return redirect("teams:detail", get_object_or_404(Team, pk=person.pk).slug)
    bots = bots_shown_of(person.pk, request.user).order_by("created_at")
    teams = teams_of(person) if is_in_any_team(person) else ()
    return render(request, "accounts/profile.html", {"person": person, "bots": bots, "teams": teams})


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def account_tokens_view(request: HttpRequest) -> HttpResponse:
    """List one's own tokens. A POST creates one and shows its secret once."""
    owner = cast(User, request.user)
    form = TokenForm(request.POST or None)
    secret = ""
    if request.method == "POST" and form.is_valid():
        try:
            secret = token_create(owner=owner, **form.cleaned_data)
            form = TokenForm()
        except TooManyTokens as error:
            form.add_error(None, str(error))
    context = {"form": form, "secret": secret, "tokens": tokens_of(owner)}
    return render(request, "accounts/tokens.html", context)


@visitor_choice_view
def account_language_view(request: HttpRequest) -> HttpResponse:
    """Store the chosen language: in a cookie, and for emails in the account of a signed-in user."""
    if request.method == "POST" and request.user.is_authenticated:
        account_email_language_set(person=request.user, language=request.POST.get("language", ""))
    return set_language(request)


@login_required
@require_POST
def account_token_revoke_view(request: HttpRequest, key: str) -> HttpResponse:
    """Revoke one's own token; return 404 for another user's."""
    if not token_revoke(owner=cast(User, request.user), key=key):
        raise Http404
    messages.success(request, _("The token is revoked: nothing can be done with it any more."))
    return redirect("accounts:tokens")


@api_example_shown(source=2**20, zip=2 * 2**20, unpacked=4 * 2**20, files=200)
class UploadLimitsSerializer(serializers.Serializer[Any]):
    """The largest upload that I may make, to a bot of my own or of a team."""

    source = serializers.IntegerField(  # type: ignore[assignment]  # a field of that name is declared
        help_text="Bytes of a .py file, and of bot.py in a zip."
    )
    zip = serializers.IntegerField(help_text="Bytes of a zip.")
    unpacked = serializers.IntegerField(help_text="Bytes of all files in a zip together.")
    files = serializers.IntegerField(help_text="Files of a zip.")


@api_example_shown(username="ada", page=f"{SITE}/authors/ada/")
class MeSerializer(serializers.ModelSerializer[User]):
    """The owner of the token."""

    scopes = serializers.SerializerMethodField(help_text="What the token may.")
    upload_limits = serializers.SerializerMethodField()
    page = serializers.SerializerMethodField(help_text="The same for people, as everyone sees it.")

    class Meta:
        model = User
        fields = ("username", "is_organiser", "scopes", "upload_limits", "page")
        read_only_fields = fields

    @extend_schema_field(serializers.ListField(child=serializers.ChoiceField(choices=["read", *SCOPES])))
    def get_scopes(self, _user: User) -> list[str]:
        scopes: list[str] = self.context["request"].auth.scopes
        return scopes

    @extend_schema_field(UploadLimitsSerializer)
    def get_upload_limits(self, user: User) -> dict[str, int]:
        return dict(UploadLimitsSerializer(bot_upload_limits_of(user)).data)

    def get_page(self, user: User) -> str:
        return serializer_address(self, "accounts:profile", user.username)


class MeView(Item):
    """The owner of the token: name, scopes and limits."""

    serializer_class: Any = MeSerializer
    permission_classes = (IsAuthenticated,)

    def get_object(self) -> User:
        return cast(User, self.request.user)


@never_cache
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]  # allauth is untyped
@require_http_methods(["GET", "HEAD", "POST"])
def account_delete_view(request: HttpRequest) -> HttpResponse:
    """Delete one's own account. The user has just typed the password, and types the name to confirm."""
    person = cast(User, request.user)
    form = DeleteForm(request.POST or None, name=person.username)
    if request.method == "POST" and form.is_valid():
        try:
            account_delete(person=person)
        except DeletionRefused as error:
            form.add_error(None, str(error))
        else:
            logout(request)
            messages.success(request, _("Your account is deleted."))
            return redirect("home")
    return render(request, "accounts/delete.html", {"form": form}, status=422 if form.errors else 200)
