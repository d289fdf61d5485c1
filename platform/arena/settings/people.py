"""Settings of accounts: sign-up and sign-in, passwords, second factors, single sign-on, and email."""

import os
from typing import Any
from urllib.parse import urlsplit

from arena.settings.environment import (
    environment_choice,
    environment_list,
    environment_number,
    environment_page_address,
    environment_pairs,
    environment_range_service,
    environment_refuse,
    environment_required,
    environment_switch,
)

SITE_NAME = "Pecking Order"
AUTHENTICATION_BACKENDS = ["arena.accounts.backends.SpellingBackend"]
# The first hasher is used; passwords hashed by the second, Django's default, are rehashed at the next sign-in.
PASSWORD_HASHERS = ["arena.accounts.backends.PasswordHasher", "django.contrib.auth.hashers.PBKDF2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
if BREACHED_PASSWORDS_URL := environment_range_service("BREACHED_PASSWORDS_URL"):
    AUTH_PASSWORD_VALIDATORS.append({"NAME": "arena.accounts.breached.BreachedPasswordValidator"})
LOGIN_REDIRECT_URL = "/"
ACCOUNT_SIGNUP_REDIRECT_URL = "/bots/"  # the next step of a new author
LOGIN_URL = "/accounts/login/"  # an address, not a URL name: the handler compares it before URLs are resolved
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
EMAIL_VERIFICATION_CHOICES = ("none", "optional", "mandatory")
ACCOUNT_EMAIL_VERIFICATION = environment_choice("EMAIL_VERIFICATION", "optional", EMAIL_VERIFICATION_CHOICES)
ACCOUNT_USERNAME_BLACKLIST = ["admin", "house", "staff", "root", "api"]
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_USERNAME_VALIDATORS = "arena.accounts.forms.USERNAME_VALIDATORS"
ACCOUNT_LOGOUT_ON_GET = False
# Changing an email address requires the password: else somebody with an open session could take over the account.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_ADAPTER = "arena.accounts.adapter.Adapter"
ACCOUNT_FORMS = {
    "change_password": "arena.accounts.forms.ChangePasswordForm",
    "login": "arena.accounts.forms.LoginForm",
    "reset_password": "arena.accounts.forms.ResetPasswordForm",
    "signup": "arena.accounts.forms.SignupForm",
}
ACCOUNT_RATE_LIMITS = {
    # Off, because a lecture hall shares one IP address: see arena.accounts.views. Wrong passwords have their own limit.
    "signup": "",
    "signup_tries": "300/m/ip",
    "signup_done": "60/m/ip,600/h/ip",
    "signup_invited": "200/m/key,2000/d/key",
    "login": "300/m/ip",
    "single_sign_on": "300/m/ip",
    "login_failed": "30/m/ip,5/5m/key",  # key: account and IP address together
}
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False  # send no email to addresses without an account
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Pecking Order] "
DEFAULT_FROM_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL") or "pecking-order@localhost"
EMAIL_BACKEND = "web.email.SmtpBackend"
EMAIL_HOST = os.environ.get("EMAIL_HOST") or "localhost"
EMAIL_PORT = environment_number("EMAIL_PORT", 25)
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = environment_switch("EMAIL_USE_TLS")
EMAIL_USE_SSL = environment_switch("EMAIL_USE_SSL")
if EMAIL_USE_TLS and EMAIL_USE_SSL:
    environment_refuse("EMAIL_USE_TLS and EMAIL_USE_SSL are both 1: set the one that the mail server wants.")
EMAIL_TIMEOUT = 10  # seconds for which a page or worker waits for the mail server

SECRET_KEY_FALLBACKS = environment_list(os.environ.get("SECRET_KEY_FALLBACKS", ""))
OIDC_URL = environment_page_address("OIDC_URL").rstrip("/")  # the issuer; the other settings are then required
OIDC_NAME = os.environ.get("OIDC_NAME") or "OpenID Connect"  # the name of the provider on the button
OIDC_GROUPS_CLAIM, OIDC_GROUPS = os.environ.get("OIDC_GROUPS_CLAIM") or "groups", environment_pairs("OIDC_GROUPS")
SOCIALACCOUNT_ADAPTER = "arena.accounts.single_sign_on.SingleSignOnAdapter"
SOCIALACCOUNT_AUTO_SIGNUP = False  # users choose their public name here
SOCIALACCOUNT_FORMS = {"signup": "arena.accounts.forms.SingleSignOnForm"}
SOCIALACCOUNT_PROVIDERS: dict[str, Any] = {}
OIDC_ORIGINS: list[str] = []
if OIDC_URL:
    OIDC_ORIGINS.append("{0.scheme}://{0.netloc}".format(urlsplit(os.environ.get("OIDC_SIGN_IN_URL") or OIDC_URL)))
    SOCIALACCOUNT_PROVIDERS["openid_connect"] = {
        "OAUTH_PKCE_ENABLED": True,
        "APPS": [
            {
                "provider_id": "sso",
                "name": OIDC_NAME,
                "client_id": environment_required("OIDC_CLIENT_ID", "set it to what the provider calls this site"),
                "secret": environment_required(
                    "OIDC_CLIENT_SECRET", "set it to the secret that the provider gave for this site"
                ),
                "settings": {"server_url": OIDC_URL},
            }
        ],
    }
MFA_ADAPTER = "arena.accounts.second_factor.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["webauthn", "totp", "recovery_codes"]
MFA_FORMS = {
    "add_webauthn": "arena.accounts.passkeys.AddPasskeyForm",
    "edit_webauthn": "arena.accounts.passkeys.EditPasskeyForm",
    "authenticate_webauthn": "arena.accounts.passkeys.AuthenticatePasskeyForm",
    "reauthenticate_webauthn": "arena.accounts.passkeys.ReauthenticatePasskeyForm",
}
MFA_TOTP_ISSUER = SITE_NAME
MFA_REQUIRED_OF_CHOICES = ("nobody", "staff", "organisers")  # organisers: organisers and staff
MFA_REQUIRED_OF = environment_choice("MFA_REQUIRED_OF", "nobody", MFA_REQUIRED_OF_CHOICES)
