"""Settings for production behind a TLS proxy. Secrets and local values come from the environment, or the start
fails."""

import os

from arena.settings.base import *
from arena.settings.base import EMAIL_VERIFICATION_CHOICES, MFA_REQUIRED_OF_CHOICES
from arena.settings.environment import (
    environment_choice,
    environment_list,
    environment_number,
    environment_refuse,
    environment_required,
)

SITE_URL = environment_required(
    "SITE_URL", "give it the address of the site, as in https://pecking.example.org"
).rstrip("/")
SECRET_KEY = environment_required(
    "SECRET_KEY", "give it fifty random characters, the same for every process of the site"
)
ALLOWED_HOSTS = environment_list(os.environ.get("ALLOWED_HOSTS", "")) or environment_refuse(
    "ALLOWED_HOSTS is not set: name the hosts of the site, with commas between."
)
if any("*" in host or host.startswith(".") for host in ALLOWED_HOSTS):
    environment_refuse(
        "ALLOWED_HOSTS has a wildcard: name each host of the site, or a forged one could stand in its links."
    )
CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# The number of proxies, with which rate limits read X-Forwarded-For.
ALLAUTH_TRUSTED_PROXY_COUNT = environment_number("TRUSTED_PROXIES", 1)
SECURE_SSL_REDIRECT = True
SECURE_HSTS_SECONDS = 31_536_000
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
ACCOUNT_EMAIL_VERIFICATION = environment_choice("EMAIL_VERIFICATION", "mandatory", EMAIL_VERIFICATION_CHOICES)
MFA_REQUIRED_OF = environment_choice("MFA_REQUIRED_OF", "staff", MFA_REQUIRED_OF_CHOICES)
