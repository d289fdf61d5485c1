"""The root URL configuration. Each app has its own prefix."""

from allauth.account.decorators import secure_admin_login
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.views import view_recovery_codes
from allauth.mfa.totp.views import activate_totp
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.socialaccount.providers.openid_connect.views import login as openid_connect_login
from django.contrib import admin
from django.templatetags.static import static
from django.urls import include, path, re_path
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.generic import RedirectView

from announcements.urls import api_urlpatterns as announcements_api
from arena.accounts.passkeys import AddPasskeyView, ReauthenticatePasskeyView
from arena.accounts.single_sign_on import single_sign_on_callback_view as openid_connect_callback
from arena.accounts.single_sign_on import single_sign_on_provider_wrapped
from arena.accounts.views import SignUpView, account_language_view
from arena.site.api import NowhereView
from assignments.urls import api_urlpatterns as assignments_api
from bots.urls import api_urlpatterns as bots_api
from bots.urls import urlpatterns as bots_pages
from contests.urls import api_urlpatterns as contests_api
from groups.urls import api_urlpatterns as groups_api
from hooks.urls import api_urlpatterns as hooks_api
from leagues.urls import api_urlpatterns as leagues_api
from matches.bot_urls import api_urlpatterns as bot_matches_api
from matches.bot_urls import urlpatterns as bot_matches
from matches.pages.urls import api_urlpatterns as matches_api
from notices.urls import api_urlpatterns as notices_api
from puzzles.urls import api_urlpatterns as puzzles_api
from series.urls import api_urlpatterns as series_api
from teams.urls import api_urlpatterns as teams_api
from tournaments.api_urls import cup_urlpatterns as cup_api
from tournaments.urls import cup_urlpatterns as cup_pages
from tournaments.urls import honours_urlpatterns as honours_pages
from web.bundles import BundleCatalog
from web.page_cache import TEXT_SECONDS, public_page

# Staff sign in by the same page as everyone else, so the limits for guessing apply.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.unregister(Authenticator)  # its page would show secrets; an action of user accounts deletes second factors
for model in (SocialAccount, SocialApp, SocialToken):  # the provider is in the settings, and no tokens are stored
    admin.site.unregister(model)

admin.site.site_header = admin.site.site_title = "Pecking Order"


class Favicon(RedirectView):
    """Redirect /favicon.ico, for pages that do not name the icon."""

    def get_redirect_url(self, *args: object, **kwargs: object) -> str:
        return static("site/img/favicon.svg")


handler500 = "arena.site.error_pages.error_page_broken"
handler429 = "web.limits.limit_exceeded_of_accounts"  # for allauth's rate limits
urlpatterns = [
    path("favicon.ico", Favicon.as_view()),
    path("", include("arena.site.urls")),
    path("", include("arena.operations.urls")),
    path("accounts/", include("arena.accounts.urls")),
    # These precede allauth's own addresses, because pages with secrets and challenges must not be cached, and because
    # passkeys are listed with the other factors.
    path("accounts/2fa/webauthn/", RedirectView.as_view(pattern_name="mfa_index"), name="mfa_list_webauthn"),
    path("accounts/2fa/webauthn/add/", never_cache(AddPasskeyView.as_view()), name="mfa_add_webauthn"),
    path(
        "accounts/2fa/webauthn/reauthenticate/",
        never_cache(ReauthenticatePasskeyView.as_view()),
        name="mfa_reauthenticate_webauthn",
    ),
    path("accounts/2fa/recovery-codes/", never_cache(view_recovery_codes), name="mfa_view_recovery_codes"),
    path("accounts/2fa/totp/activate/", never_cache(activate_totp), name="mfa_activate_totp"),
    path("accounts/signup/", SignUpView.as_view(), name="account_signup"),
    path(
        "accounts/oidc/<slug:provider_id>/login/",
        single_sign_on_provider_wrapped(openid_connect_login),
        name="openid_connect_login",
    ),
    path(
        "accounts/oidc/<slug:provider_id>/login/callback/",
        single_sign_on_provider_wrapped(openid_connect_callback),
        name="openid_connect_callback",
    ),
    path("accounts/", include("allauth.urls")),
    path("bots/", include(([*bots_pages, *bot_matches], "bots"))),
    path("matches/", include("matches.pages.urls")),
    path("watch/", include("arena.watch.urls")),
    path("playground/", include("arena.playground.urls")),
    path("tournaments/", include("tournaments.urls")),
    path("honours/", include((honours_pages, "honours"))),
    path("series/", include("series.urls")),
    path("leagues/<slug:slug>/cups/", include((cup_pages, "cups"))),
    path("leagues/", include("leagues.urls")),
    path("announcements/", include("announcements.urls")),
    path("notices/", include("notices.urls")),
    path("hooks/", include("hooks.urls")),
    path("puzzles/", include("puzzles.urls")),
    path("teams/", include("teams.urls")),
    path("", include("groups.urls")),
    path("", include("assignments.urls")),
    path("organisers/", include("contests.urls")),
    path("api/", include(([*bots_api, *bot_matches_api], "api"))),
    path("api/matches/", include((matches_api, "api-matches"))),
    path("api/tournaments/", include("tournaments.api_urls")),
    path("api/organiser-request/", include((contests_api, "api-organisers"))),
    path("api/announcements/", include((announcements_api, "api-announcements"))),
    path("api/notices/", include((notices_api, "api-notices"))),
    path("api/hooks/", include((hooks_api, "api-hooks"))),
    path("api/groups/", include((groups_api, "api-groups"))),
    path("api/assignments/", include((assignments_api, "api-assignments"))),
    path("api/honours/", include("tournaments.honours_api")),
    path("api/series/", include((series_api, "api-series"))),
    path("api/puzzles/", include((puzzles_api, "api-puzzles"))),
    path("api/teams/", include((teams_api, "api-teams"))),
    path("api/leagues/<slug:slug>/cups/", include((cup_api, "api-cups"))),
    path("api/leagues/", include((leagues_api, "api-leagues"))),
    # Otherwise Django would redirect an address with a line break, or of a missing file, to the same address with a
    # slash.
    re_path(r"^api/(?:[\s\S]*/|[\s\S]*[\r\n][\s\S]*|[\s\S]*\.[^/]*)?\Z", NowhereView.as_view()),
    path("i18n/setlang/", account_language_view, name="set_language"),
    path(
        "jsi18n/",
        public_page(max_age=TEXT_SECONDS, query=("of",))(gzip_page(BundleCatalog.as_view())),
        name="javascript-catalog",
    ),
    path("admin/", admin.site.urls),
]
