"""Settings shared by development, production and tests. Only modules of this package read the environment."""

import os
from datetime import timedelta
from typing import Any

from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _
from kombu import Exchange, Queue
from whitenoise.compress import Compressor

from arena.settings.environment import (
    environment_choice,
    environment_error_tracker,
    environment_number,
    environment_object_storage,
    environment_page_address,
    environment_vapid_key,
)
from arena.settings.limits import *
from arena.settings.limits import SESSION_DAYS
from arena.settings.people import *
from arena.settings.stores import *
from arena.settings.stores import BASE_DIR, BROKER_ADDRESS, BROKER_RETRIES, BROKER_TIMEOUTS, VAR_DIR
from games.catalogue import catalogue_game_folders

# Set before numpy is imported. With threads on all cores, a fit of ratings would take the cores from matches, and would
# not be faster.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

DEBUG = False
ALLOWED_HOSTS: list[str] = []
ROOT_URLCONF = "arena.urls"
ASGI_APPLICATION = "arena.asgi.application"
WSGI_APPLICATION = None
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "accounts.User"
# Needed for links in emails, because these are made without a request.
SITE_URL = os.environ.get("SITE_URL", "").rstrip("/")
# In the footer of every page
PRIVACY_URL, CONTACT_URL = (environment_page_address("PRIVACY_URL"), environment_page_address("CONTACT_URL"))

INSTALLED_APPS = [
    "arena.accounts",
    "arena.site",
    "arena.operations",
    "series",
    "tournaments",
    "leagues",
    "assignments",
    "contests",
    "matches",
    "bots",
    "announcements",
    "notices",
    "groups",
    "teams",
    "hooks",
    "puzzles",
    "web",
    "channels",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.forms",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "arena.logs.RequestIdMiddleware",
    "arena.operations.health.ProbeMiddleware",
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "web.cors.PublicReads",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "web.page_cache.PublicPages",
    "arena.site.error_pages.AwayMiddleware",
    "arena.accounts.second_factor.SecondFactorMiddleware",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        # The templates of tournament formats and game packages are in their own folders.
        "DIRS": [BASE_DIR / "templates", BASE_DIR / "tournaments"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    [
                        "django.template.loaders.filesystem.Loader",
                        "django.template.loaders.app_directories.Loader",
                        "web.game_files.GameTemplates",
                    ],
                ),
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "arena.site.context.site_context_frame",
            ],
        },
    },
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

# --- work --------------------------------------------------------------------------------------
CELERY_BROKER_URL = BROKER_ADDRESS
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_DB_REUSE_MAX = 2**62  # arena.celery_app closes database connections by age
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 3600, **BROKER_TIMEOUTS}
CELERY_TASK_PUBLISH_RETRY_POLICY = BROKER_RETRIES
# Tasks of different queues never wait for each other: see docs/decisions/0007 and 0017. A worker without arguments
# serves all queues.
CELERY_TASK_QUEUES = [
    Queue(name, Exchange(name), routing_key=name) for name in ("matches", "checks", "housekeeping", "books", "hooks")
]
CELERY_TASK_DEFAULT_QUEUE = "books"
CELERY_TASK_ROUTES = {
    "matches.play": {"queue": "matches"},
    "matches.analyse": {"queue": "matches"},  # only workers without a match to play run it, so that no result waits
    "puzzles.tend": {"queue": "matches"},  # likewise
    "matches.prepare_files": {"queue": "matches"},
    "matches.qualify*": {"queue": "checks"},
    "matches.sweep": {"queue": "housekeeping"},
    "matches.end_broadcasts": {"queue": "housekeeping"},
    "hooks.deliver": {"queue": "hooks"},
    "notices.email": {"queue": "hooks"},  # a slow mail server must not delay results
    "notices.push": {"queue": "hooks"},
}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat")
CELERY_BEAT_SCHEDULE: dict[str, dict[str, object]] = {
    # A periodic task that no worker has started before the next one is due expires, because the next one does the same.
    "return expired leases": {"task": "matches.sweep", "schedule": 5.0, "options": {"expires": 10}},
    "end broadcasts": {"task": "matches.end_broadcasts", "schedule": 1.0, "options": {"expires": 2}},
    "drop what is not kept": {"task": "matches.retain", "schedule": 300.0, "options": {"expires": 300}},
    "analyse what is featured": {"task": "site.analyse_featured", "schedule": 60.0, "options": {"expires": 60}},
    "move tournaments on": {"task": "tournaments.sweep", "schedule": 10.0, "options": {"expires": 10}},
    "keep leagues playing": {"task": "leagues.tend", "schedule": 5.0, "options": {"expires": 10}},
    "forget answers of the API": {"task": "web.forget_answers", "schedule": 3600.0, "options": {"expires": 3600}},
    "give names their keys": {"task": "web.fill_keys", "schedule": 300.0, "options": {"expires": 300}},
    "measure the tables": {"task": "operations.measure", "schedule": 21600.0, "options": {"expires": 21600}},
    "drop stray packages": {"task": "site.drop_stray_packages", "schedule": 21600.0, "options": {"expires": 21600}},
    "forget what has ended": {"task": "accounts.forget_ended", "schedule": 21600.0, "options": {"expires": 21600}},
    "send webhooks": {"task": "hooks.deliver", "schedule": 10.0, "options": {"expires": 10}},
    "look after assignments": {"task": "assignments.tend", "schedule": 10.0, "options": {"expires": 20}},
    "write to who is invited to groups": {"task": "groups.write", "schedule": 30.0, "options": {"expires": 30}},
    "drop old deliveries": {"task": "hooks.retain", "schedule": 3600.0, "options": {"expires": 3600}},
    "send emails about notices": {"task": "notices.email", "schedule": 60.0, "options": {"expires": 60}},
    "send notices to devices": {"task": "notices.push", "schedule": 60.0, "options": {"expires": 60}},
    "publish announcements": {"task": "announcements.publish", "schedule": 60.0, "options": {"expires": 60}},
    "drop old notices": {"task": "notices.retain", "schedule": 3600.0, "options": {"expires": 3600}},
    "make puzzles": {"task": "puzzles.tend", "schedule": 60.0, "options": {"expires": 60}},
    "look after prepared files": {"task": "web.tend_files", "schedule": 60.0, "options": {"expires": 60}},
    "refit the ladders": {"task": "leagues.refit", "schedule": 20.0, "options": {"expires": 20}},
    "refit luck-adjusted ratings": {"task": "leagues.refit_less_luck", "schedule": 120.0, "options": {"expires": 120}},
    "send digests of leagues": {
        "task": "leagues.digest",
        "schedule": crontab(minute=20),
        "options": {"expires": 3000},
    },
    "check the ladders": {
        "task": "leagues.check",
        "schedule": crontab(hour=3, minute=40),
        "options": {"expires": 3600},
    },
}
# The name of a task of a higher room. Lower rooms may send it only by its name.
QUALIFY_TASK = "matches.qualify_version"
LEASE_SECONDS = 20
# After SIGTERM, a worker returns matches that would take more than ``DRAIN_SECONDS``. A web process runs on for
# ``WEB_DRAIN_SECONDS`` while its readiness probe fails.
DRAIN_SECONDS = environment_number("DRAIN_SECONDS", 20)
WEB_DRAIN_SECONDS = environment_number("WEB_DRAIN_SECONDS", 5)
CHECK_SECONDS = 60  # seconds of wall-clock time for all games of an upload's check together

# --- API ---------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["arena.accounts.tokens.PersonalToken"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.PageNumberPagination",
    "PAGE_SIZE": 50,
    "DEFAULT_THROTTLE_RATES": {
        "upload": "60/hour",
        "hooks": "60/hour",
        "datasets": "12/hour",
        "preparing": "12/hour",
        "puzzles": "600/hour",
    },
}
REST_KNOX = {"TOKEN_TTL": timedelta(days=365), "TOKEN_PREFIX": "peck_"}
KNOX_TOKEN_MODEL = "accounts.AccessToken"  # noqa: S105  a model's name
SPECTACULAR_SETTINGS = {
    "TITLE": "Pecking Order API",
    "DESCRIPTION": "All that the pages show, as JSON, and uploads of bots. Lists come a page at a time. Whatever goes"
    " wrong is answered by a problem document (RFC 9457): a code, what was wrong and what to do, and each field it is"
    " about.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,  # separate schemas for requests and responses, with files as binary
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "docExpansion": "none"},  # closed: open sections delay the first paint
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "web.api_examples.api_examples_show",
        "arena.site.api.api_groups_describe",
    ],
    # Enums that would otherwise get the same name in the schema, because fields with the same name have different
    # choices.
    "ENUM_NAME_OVERRIDES": {
        "GameName": "web.serializers.GAME_CHOICES",
        "VersionState": "bots.models.VersionState",
        "Authorship": "bots.authorship.AUTHORSHIPS",
        "Verdict": "web.serializers.VERDICTS",
        "DeliveryState": "hooks.models.DeliveryState",
        "MessageFormat": "hooks.serializers.FORMATS",
        "MarkOutcome": "assignments.selectors.marks.MarkOutcome",
        "MarkRuling": "assignments.serializers.RULINGS",
        "StudentStatus": "assignments.selectors.marks.StudentStatus",
        "GroupKind": "groups.models.GroupKind",
        "GroupRole": "groups.models.GroupRole",
        "InvitationKind": "groups.models.InvitationKind",
        "OfferedInvitation": "groups.serializers.OFFERED_KINDS",
        "OfferedRole": "groups.serializers.OFFERED_ROLES",
        "SeriesScoring": "series.models.SeriesScoring",
        "MatchState": "matches.models.MatchState",
        "ChallengeState": "matches.models.ChallengeState",
        "AnswerEnum": "matches.sparring.api.ANSWERS",
        "ChallengeAnswer": "matches.challenges.api.ANSWER_CHOICES",
        "ChallengedBy": "bots.models.ChallengedBy",
        "DatasetLicenceEnum": "matches.datasets.rows.DatasetLicence",
        "KindEnum": "tournaments.models.ruling.RULING_CHOICES",  # named when only rulings had kinds
        "OfferedFormat": "tournaments.settings_api.OFFERED",
        "TournamentState": "tournaments.models.TournamentState",
        "LeagueState": "leagues.models.LeagueState",
        "SeasonState": "leagues.models.SeasonState",
    },
}

# --- language and time -------------------------------------------------------------------------
LANGUAGE_CODE = "en"
LOCALE_DIR = BASE_DIR / "platform" / "arena" / "locale"
LOCALE_PATHS = [LOCALE_DIR, *catalogue_game_folders("locale")]
# Only languages with a complete catalogue are offered.
LANGUAGES = [
    (code, name)
    for code, name in (("en", _("English")), ("de", _("German")), ("fr", _("French")), ("it", _("Italian")))
    if code == LANGUAGE_CODE or (LOCALE_DIR / code / "LC_MESSAGES" / "django.mo").exists()
]
USE_I18N = True
FORMAT_MODULE_PATH = "arena.formats"
USE_TZ = True
TIME_ZONE = "UTC"

# --- files and headers -------------------------------------------------------------------------
STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_FINDERS = [
    "web.bundles.BundleFinder",
    "web.pyodide.PyodideFinder",
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "web.game_files.BoardFinder",
]
# Bundles: each is served as one file with all its imports.
STATIC_BUNDLES = [
    "site/css/site.css",
    "site/css/lists.css",
    "site/css/display.css",
    "site/js/site.js",
    "matches/match.css",
    "matches/match.js",
    "web/live-cells.js",
    "matches/replay/later.css",
    "matches/replay/later.js",
    "matches/replay/luck/luck.css",
    "matches/replay/luck/index.js",
    "matches/replay/boards/*/board.css",
    "matches/replay/boards/*/index.js",
    "matches/replay/boards/*/choices.js",
    "matches/replay/boards/*/later.js",
    "playground/write.js",
    "playground/play.js",
    "playground/save.js",
]
STATIC_BUNDLES_AFTER = {
    "matches/match.js": [
        "matches/replay/later.js",
        "matches/replay/luck/index.js",
        "matches/replay/boards/*/later.js",
    ],
}
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = (*Compressor.SKIP_COMPRESS_EXTENSIONS, "map")
STORAGES: dict[str, Any] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "web.pyodide.SiteStaticStorage"},
}
if packages := environment_object_storage("PACKAGES_URL"):  # else the uploads are stored in the database
    STORAGES["packages"] = packages
VAPID_PRIVATE_KEY = environment_vapid_key("VAPID_PRIVATE_KEY")  # signs web push messages; "": no notices on devices
METRICS_TOKEN = os.environ.get("METRICS_TOKEN", "")  # bearer token of Prometheus for /metrics
SESSION_COOKIE_AGE = SESSION_DAYS * 24 * 3600
DATA_UPLOAD_MAX_MEMORY_SIZE = 3 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 3 * 1024 * 1024
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "worker-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        # The origins of single sign-on, because browsers also check where a form is redirected.
        "form-action": [SELF, *OIDC_ORIGINS],
        "frame-ancestors": [NONE],
    },
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_HTTPONLY = True

SENTRY_DSN = environment_error_tracker("SENTRY_DSN")  # "": no error reports
# The header in which our proxy sends a request id; "": none.
REQUEST_ID_HEADER = os.environ.get("REQUEST_ID_HEADER", "")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"()": "arena.logs.LogFormatter", "kind": environment_choice("LOG_FORMAT", "text", ("text", "json"))}
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        "django.channels.server": {"level": "WARNING"},
        "httpx": {"level": "WARNING"},
        # The default handlers of Django and uvicorn would log password reset keys and socket tickets.
        **{
            name: {"handlers": [], "propagate": True}
            for name in ("django", "django.server", "uvicorn", "uvicorn.access")
        },
    },
}
