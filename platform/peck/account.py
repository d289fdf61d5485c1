"""Which site, and with which token: what ``peck login`` noted, unless the environment says otherwise."""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from games.untrusted import UntrustedError, parse_json, read_file
from peck.site import Site, address_of

FILE: Final = "login.json"


def account_path(environment: Mapping[str, str]) -> Path:
    """Return where a login is noted, in the folder that the system has for such things."""
    place = environment.get("XDG_CONFIG_HOME") or environment.get("APPDATA")
    return (Path(place) if place else Path.home() / ".config") / "peck" / FILE


def account_note(site: Site, environment: Mapping[str, str]) -> Path:
    """Note the site and its token in a file that its owner alone can read, whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    path = account_path(environment)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.part")
    try:
        with open(beside, "w", encoding="utf-8", opener=_own) as file:
            json.dump({"site": site.address, "token": site.token}, file)
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink()
        raise
    return path


def site_of(environment: Mapping[str, str]) -> Site:
    """Return the site that the environment names, or else the one that was logged in to.

    Raises:
        SiteError: it names none.
    """
    return Site.named(_environment_of(environment))


def _environment_of(environment: Mapping[str, str]) -> Mapping[str, str]:
    """Return ``PECK_SITE`` and ``PECK_TOKEN`` as they are, or as they were noted: a token is for its site alone."""
    try:
        account = parse_json(read_file(account_path(environment), 4096))
        site, token = str(account["site"]), str(account["token"])
    except (OSError, UntrustedError, LookupError, TypeError):
        return environment
    asked = address_of(environment.get("PECK_SITE") or site)
    return {**({"PECK_TOKEN": token} if asked == site else {}), **environment, "PECK_SITE": asked}


def _own(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
