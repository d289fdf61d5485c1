"""Read settings from environment variables. An invalid value ends the process with one sentence that names the
variable.

``manage.py``, Celery and uvicorn read the settings, and each would show an exception with a long traceback. So the
process exits here, with the exit code for a configuration error.
"""

import os
import re
import sys
from base64 import urlsafe_b64decode
from collections.abc import Sequence
from typing import Any, Final, NoReturn
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from bots.uploads import KIB, WIDEST, UploadLimits

# Exit codes of sysexits.h. Supervisors restart a program after EX_TEMPFAIL, but not after EX_CONFIG.
EX_CONFIG: Final = 78
EX_TEMPFAIL: Final = 75
ENGINES: Final = {"sqlite": "django.db.backends.sqlite3"} | dict.fromkeys(
    ("postgres", "postgresql", "pgsql"), "django.db.backends.postgresql"
)
VAPID_KEY: Final = re.compile(r"[A-Za-z0-9_-]{43}")
P256_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
SERVER_SCHEMES: Final = ("redis", "rediss", "unix")


def environment_refuse(sentence: str, status: int = EX_CONFIG) -> NoReturn:
    """Exit with ``sentence``, which says what to set. The status is ``EX_TEMPFAIL`` if the same settings may work
    later."""
    sys.stderr.write(f"{sentence}\n")
    sys.exit(status)


def environment_required(name: str, remedy: str) -> str:
    """Return the variable's value, or exit if it is not set."""
    return os.environ.get(name) or environment_refuse(f"{name} is not set: {remedy}.")


def environment_number(name: str, default: int, *, least: int = 0) -> int:
    """Return the variable's value as a number, or exit if it is below ``least``."""
    text = os.environ.get(name) or str(default)
    if not text.isdecimal():
        environment_refuse(f"{name} is {text!r}: set it to a number.")
    return int(text) if int(text) >= least else environment_refuse(f"{name} is {text}: set it to {least} or more.")


def environment_switch(name: str) -> bool:
    """Return whether the variable is 1. Exit for any other value than 0 and 1: a misspelt one could silently turn off
    TLS, for example.
    """
    return environment_choice(name, "0", ("0", "1")) == "1"


def environment_list(text: str) -> list[str]:
    """Return the comma-separated parts of ``text``, stripped, without empty ones."""
    return [part for one in text.split(",") if (part := one.strip())]


def environment_upload_limits(prefix: str, default: UploadLimits, least: UploadLimits) -> UploadLimits:
    """Return the upload limits of the variables that begin with ``prefix``. The limits cannot be below ``least`` or
    above what the cage allows. A default below ``least`` is raised to it.
    """
    found: dict[str, int] = {}
    for field, suffix, unit in (
        ("source", "SOURCE_KIB", KIB),
        ("zip", "ZIP_KIB", KIB),
        ("unpacked", "UNPACKED_KIB", KIB),
        ("files", "FILES", 1),
    ):
        name, low, high = f"{prefix}_{suffix}", getattr(least, field), getattr(WIDEST, field)
        value = environment_number(name, max(getattr(default, field), low) // unit) * unit
        if not low <= value <= high:
            environment_refuse(f"{name} is {value // unit}: set it to a number from {low // unit} to {high // unit}.")
        found[field] = value
    return UploadLimits(**found)


def environment_page_address(name: str) -> str:
    """Return the variable's value, an http(s) or mailto address; "" if it is not set."""
    address = os.environ.get(name, "")
    if address and not address.startswith(("https://", "http://", "mailto:")):
        environment_refuse(f"{name} is {address!r}: set it to an address that begins with https:// or mailto:.")
    return address


def environment_vapid_key(name: str) -> str:
    """Return the variable's value, a private key of RFC 8292 (32 bytes, base64url); "" if it is not set."""
    key = os.environ.get(name, "")
    if key and not (VAPID_KEY.fullmatch(key) and 0 < int.from_bytes(urlsafe_b64decode(f"{key}="), "big") < P256_ORDER):
        environment_refuse(
            f"{name} is no key: set it to what python3 -c 'import secrets; print(secrets.token_urlsafe(32))' prints."
        )
    return key


def environment_pairs(name: str) -> dict[str, str]:
    """Return the variable's value, comma-separated ``key=value`` pairs, as a mapping; empty if it is not set."""
    parts = environment_list(os.environ.get(name, ""))
    if not all("=" in one.strip("=") for one in parts):
        environment_refuse(f"{name} is not of the form key=value,key=value: correct it.")
    return {key.strip(): value.strip() for key, _sign, value in (one.rpartition("=") for one in parts)}


def environment_choice(name: str, default: str, choices: Sequence[str]) -> str:
    """Return the variable's value, which must be one of ``choices``."""
    text = os.environ.get(name) or default
    return (
        text if text in choices else environment_refuse(f"{name} is {text!r}: set it to one of {', '.join(choices)}.")
    )


def environment_database(name: str, default: str) -> Any:
    """Return the entry of ``DATABASES`` for the URL in the variable. Its password is never shown."""
    address = os.environ.get(name) or default
    scheme = address.partition(":")[0]
    if scheme not in ENGINES:
        environment_refuse(
            f"{name} begins with {scheme!r}: set it to postgres://user:password@host/name or sqlite:////path/to/file."
        )
    try:
        found = _database_at(address)
    except ValueError:  # which could contain a part of the password
        environment_refuse(
            f"{name} is no address of a database: characters such as / and @ in a name or password are %2F and %40."
        )
    if scheme != "sqlite":
        _require_driver(name)
    return found


def _database_at(address: str) -> dict[str, Any]:
    """Return the entry for a URL. Its query contains options of the driver.

    Raises:
        ValueError: the URL cannot be parsed.
    """
    if address == "sqlite://:memory:":  # urlsplit would read a port
        return {"ENGINE": ENGINES["sqlite"], "NAME": ":memory:"}
    parts = urlsplit(address)
    query = {key: [_option(value) for value in values] for key, values in parse_qs(parts.query).items()}
    options: dict[str, Any] = {key: values if len(values) > 1 else values[0] for key, values in query.items()}
    if parts.scheme != "sqlite" and (schema := options.pop("currentSchema", None)):
        options["options"] = f"-c search_path={schema}"
    found = {
        "ENGINE": ENGINES[parts.scheme],
        "NAME": unquote(parts.path[1:]) or (":memory:" if parts.scheme == "sqlite" else ""),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": _host(parts),
        "PORT": parts.port or "",
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
    }
    return found | ({"OPTIONS": options} if options else {})


def _host(parts: SplitResult) -> str:
    """Return the host in the URL. A host with escaped characters is the path of a socket; its upper and lower case are
    kept.
    """
    host = parts.netloc.rpartition("@")[2].partition(":")[0]
    return unquote(host if "%" in host else parts.hostname or "")


def _option(value: str) -> int | bool | str:
    if value.isdigit():
        return int(value)
    return value.lower() == "true" if value.lower() in ("true", "false") else value


def environment_server(names: Sequence[str], default: str) -> tuple[str, str]:
    """Return the URL of a Redis or Valkey server, and the first of the variables ``names`` that is set; "" if none
    is."""
    variable = next((name for name in names if os.environ.get(name)), "")
    address = os.environ[variable] if variable else default
    try:
        parts = urlsplit(address)
        named = bool(parts.path if parts.scheme == "unix" else parts.hostname)
        known = parts.scheme in SERVER_SCHEMES and named and parts.port != 0
    except ValueError:  # the port is not a number
        known = False
    if not known:
        environment_refuse(f"{variable} is no address of a Redis or Valkey server: set it as in redis://host:6379/0.")
    return address, variable


def environment_object_storage(name: str) -> dict[str, Any] | None:
    """Return the entry of ``STORAGES`` for the bucket in the variable; None if it is not set.

    Objects are private and never overwritten. The S3 client finds its credentials as usual.
    """
    address = os.environ.get(name)
    if not address:
        return None
    parts = urlsplit(address)
    more = {key: values[-1] for key, values in parse_qs(parts.query).items()}
    if parts.scheme != "s3" or not parts.hostname or not set(more) <= {"endpoint", "region"}:
        environment_refuse(
            f"{name} is no address of a bucket: set it as in s3://bucket/folder?endpoint=https://s3.example.org."
        )
    try:
        import boto3  # noqa: F401  an optional dependency
    except ImportError:
        environment_refuse(f"{name} names an object storage, which needs a client: pip install -e '.[storage]'.")
    return {
        "BACKEND": "bots.bucket.BucketStorage",
        "OPTIONS": {
            "bucket": parts.netloc,
            "folder": parts.path.strip("/"),
            "endpoint": more.get("endpoint"),
            "region": more.get("region"),
        },
    }


def environment_range_service(name: str) -> str:
    """Return the URL of a range API of breached passwords, with a slash at its end; "" if it is not set."""
    address = os.environ.get(name, "")
    if not address:
        return ""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        environment_refuse(f"{name} is no address of a service: set it as in https://api.pwnedpasswords.com/range/.")
    try:
        import pwned_passwords_django  # noqa: F401  an optional dependency
    except ImportError:
        environment_refuse(f"{name} names a service, which needs a client: pip install -e '.[server]'.")
    return address.rstrip("/") + "/"


def environment_error_tracker(name: str) -> str:
    """Return the DSN of a Sentry; "" if it is not set. Its key is never shown."""
    address = os.environ.get(name, "")
    if not address:
        return ""
    try:
        from sentry_sdk.utils import BadDsn, Dsn  # an optional dependency
    except ImportError:
        environment_refuse(f"{name} names a Sentry, which needs a client: pip install -e '.[server]'.")
    try:
        return str(Dsn(address))
    except (BadDsn, ValueError):
        environment_refuse(f"{name} is no DSN of a Sentry: set it as in https://KEY@sentry.example.org/1.")


def environment_broker_address(address: str) -> str:
    """Return ``address`` in kombu's notation, which has its own scheme for sockets."""
    if not address.startswith("unix://"):
        return address
    parts = urlsplit(address)
    number_of = parse_qs(parts.query).get("db", ["0"])[0]
    return f"redis+socket://{parts.netloc}{parts.path}?virtual_host={number_of}"


def _require_driver(name: str) -> None:
    try:
        import psycopg  # noqa: F401  an optional dependency
    except ImportError:
        environment_refuse(f"{name} names a PostgreSQL, which needs a driver: pip install -e '.[postgres]'.")
