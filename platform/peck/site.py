"""Client for a site's API, with a method for each request of ``peck``."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from time import monotonic, sleep
from typing import Any, Final, Self
from urllib.parse import quote, urlencode

from games.untrusted import untrusted_field, untrusted_items
from peck.bots import peck_bots_packed
from peck.connection import Connection, connection_address

HERE: Final = "http://127.0.0.1:8000"  # the address of `make run`
VERDICT_WITHIN: Final = 120  # seconds
OPEN: Final = ("queued", "checking")
OUTPUT_PAGE: Final = 25  # games in one request


@dataclass(frozen=True, slots=True)
class Site(Connection):
    """A site's API. Each method is an operation."""

    @classmethod
    def named(cls, environment: Mapping[str, str]) -> Self:
        """Create a client from ``PECK_SITE`` and ``PECK_TOKEN``.

        Raises:
            SiteError: see ``connection_address``.
        """
        return cls(connection_address(environment.get("PECK_SITE") or HERE), environment.get("PECK_TOKEN", ""))

    def upload(self, bot: str, file: Path, **fields: str) -> dict[str, Any]:
        """Upload a version and return it. If an earlier version has the same content, return that version. The verdict
        is included if it is available in time. ``fields`` are further fields of the version, see the API; a field with
        the value "" is not sent.

        Raises:
            SiteError: see ``_request``.
            NoBotError: there is no bot at ``file``, which may be a folder.
            UntrustedError: the file is larger than any site accepts.
            OSError: the file cannot be read.
        """
        own, data = peck_bots_packed(file)
        boundary, name = token_hex(16), "".join(one if one.isalnum() or one in "._-" else "_" for one in own)
        head = f"--{boundary}\r\nContent-Disposition: form-data; name="
        parts = "".join(f'{head}"{name}"\r\n\r\n{text}\r\n' for name, text in fields.items() if text)
        body = (
            f'{parts}{head}"file"; filename="{name}"\r\n\r\n'.encode("utf-8", "replace")
            + data
            + f"\r\n--{boundary}--\r\n".encode()
        )
        path = f"bots/{quote(bot, safe='')}/versions/"
        version = self._request("POST", path, body, f"multipart/form-data; boundary={boundary}")
        deadline = monotonic() + VERDICT_WITHIN
        while untrusted_field(version, "state", str) in OPEN and monotonic() < deadline:
            sleep(0.5)
            version = self._request("GET", f"{path}{untrusted_field(version, 'number', int)}/")
        return version

    def bot(self, bot: str) -> dict[str, Any]:
        """Return a bot; ``current`` is the number of the version that new matches use."""
        return self._request("GET", f"bots/{_part(bot)}/")

    def make_current(self, bot: str, number: int) -> dict[str, Any]:
        """Let new matches use an accepted version."""
        return self._request("POST", f"bots/{_part(bot)}/versions/{number}/make-current/")

    def me(self) -> dict[str, Any]:
        """Return the owner of the token."""
        return self._request("GET", "me/")

    def bots(self) -> list[dict[str, Any]]:
        """Return the owner's bots, newest first, at most a hundred."""
        return self._list("bots/", page_size=100)

    def contest(self, kind: str, name: str) -> dict[str, Any]:
        """Return a league or tournament; ``kind`` is ``leagues`` or ``tournaments``."""
        return self._request("GET", f"{kind}/{_part(name)}/")

    def contests(self, kind: str, most: int = 100) -> list[dict[str, Any]]:
        """Return the ``leagues`` or ``tournaments``, newest first, at most a hundred."""
        return self._list(f"{kind}/", page_size=most)

    def versions(self, bot: str, most: int = 100) -> list[dict[str, Any]]:
        """Return the versions of a bot, newest first, at most a hundred."""
        return self._list(f"bots/{_part(bot)}/versions/", page_size=most)

    def create(self, name: str, game: str, group: str = "", team: str = "") -> dict[str, Any]:
        """Create a bot, for a ``team`` or with the alias in a ``group`` if these are given."""
        under = {key: value for key, value in (("group", group), ("team", team)) if value}
        return self._send("POST", "bots/", name=name, game=game, **under)

    def groups(self, most: int = 100) -> list[dict[str, Any]]:
        """Return the owner's groups, followed by listed groups, in which ``role`` is null."""
        return self._list("groups/", page_size=most)

    def group(self, group: str) -> dict[str, Any]:
        """Return a group."""
        return self._request("GET", f"groups/{_part(group)}/")

    def group_members(self, group: str, most: int = 100) -> list[dict[str, Any]]:
        """Return the members of a group."""
        return self._list(f"groups/{_part(group)}/members/", page_size=most)

    def group_roster(self, group: str, most: int = 100) -> list[dict[str, Any]]:
        """Return the people on a group's roster who have not joined. Only for its staff."""
        return self._list(f"groups/{_part(group)}/roster/", page_size=most)

    def join_group(self, code: str) -> dict[str, Any]:
        """Join a group by a code or a link."""
        return self._send("POST", "groups/join/", code=code.rstrip("/").rpartition("/")[2])

    def follow(self, kind: str, name: str) -> dict[str, Any]:
        """Follow a bot, a person, a team, a tournament, a league or a series. Return it."""
        return self._request("PUT", _follow_path(kind, name))

    def unfollow(self, kind: str, name: str) -> None:
        """Stop following a bot, a person, a team, a tournament, a league or a series."""
        self._request("DELETE", _follow_path(kind, name))

    def following(self, most: int = 100) -> list[dict[str, Any]]:
        """Return what the owner follows, newest first, at most a hundred."""
        return self._list("notices/following/", page_size=most)

    def league(self, league: str) -> dict[str, Any]:
        """Return a league with its terms."""
        return self._request("GET", f"leagues/{_part(league)}/")

    def ladder(self, league: str, most: int = 100, division: int | None = None) -> list[dict[str, Any]]:
        """Return at most a hundred first places on the ladder of a league's last season, or of one ``division``."""
        return self._of_season(league, "ladder", most, division)

    def head_to_head(self, league: str, most: int = 100, division: int | None = None) -> list[dict[str, Any]]:
        """Return each bot's results against the first ten of the same ladder, by default of division 1."""
        return self._of_season(league, "head-to-head", most, division)

    def comparison(self, league: str, one: str, other: str) -> dict[str, Any]:
        """Return a comparison of two bots in the last season; empty if there has been no season."""
        season = self.league(league).get("season")
        path = f"leagues/{_part(league)}/seasons/{season}/compare/{_part(one)}/{_part(other)}/"
        return self._request("GET", path) if isinstance(season, int) else {}

    def _of_season(self, league: str, what: str, most: int, division: int | None) -> list[dict[str, Any]]:
        season = self.league(league).get("season")
        path = f"leagues/{_part(league)}/seasons/{season}/{what}/"
        parameters = {} if division is None else {"division": division}
        return self._list(path, page_size=most, **parameters) if isinstance(season, int) else []

    def standings(self, tournament: str, most: int = 100) -> list[dict[str, Any]]:
        """Return the first places in the standings of a tournament, at most a hundred."""
        return self._list(f"tournaments/{_part(tournament)}/standings/", page_size=most)

    def join(self, league: str, bot: str) -> dict[str, Any]:
        """Let a bot join a league."""
        return self._send("POST", f"leagues/{_part(league)}/members/", bot=bot)

    def leave(self, league: str, bot: str) -> dict[str, Any]:
        """Take a bot out of a league."""
        return self._request("DELETE", f"leagues/{_part(league)}/members/{_part(bot)}/")

    def enter(
        self,
        tournament: str,
        bot: str,
        invitation: str = "",
        answers: Mapping[str, str] | None = None,
        agrees: bool = False,
    ) -> dict[str, Any]:
        """Enter a bot in a tournament. ``answers`` are the answers to the tournament's questions, by number. ``agrees``
        tells that the author agrees to the release of the source at the end.
        """
        more: dict[str, Any] = {"answers": dict(answers)} if answers else {}
        if agrees:
            more["agrees_to_release"] = True
        return self._send("POST", f"tournaments/{_part(tournament)}/entries/", bot=bot, invitation=invitation, **more)

    def withdraw(self, tournament: str, bot: str) -> dict[str, Any]:
        """Withdraw a bot from a tournament."""
        return self._request("DELETE", f"tournaments/{_part(tournament)}/entries/{_part(bot)}/")

    def results(self, bot: str, most: int, *, lost: bool = False) -> list[dict[str, Any]]:
        """Return the bot's last matches, newest first, or only those that it has ``lost``."""
        asked = {"lost": "true"} if lost else {}  # older sites ignore the parameter
        return self._list(f"bots/{quote(bot, safe='')}/results/", page_size=most, **asked)

    def failure(self, bot: str, match: int | None = None) -> dict[str, Any] | None:
        """Return the bot's last failure, or its last failure in ``match``."""
        query = {} if match is None else {"match": match}
        return next(iter(self._list(f"bots/{quote(bot, safe='')}/failures/", page_size=1, **query)), None)

    def failure_file(self, bot: str, match: int, game: int) -> bytes:
        """Return the zip with which ``peck replay`` repeats that failure. ``game`` counts from 0.

        Raises:
            SiteError: see ``_request``; ``status`` is 404 if the file is no longer stored.
        """
        return self._file(f"bots/{_part(bot)}/failures/{match}/{game}/failure.zip")

    def source(self, bot: str, number: int) -> bytes:
        """Return the file of a version as it was uploaded, a ``.py`` file or a zip.

        Raises:
            SiteError: see ``failure_file``.
        """
        return self._file(f"bots/{_part(bot)}/versions/{number}/source/")

    def newest_version(self, bot: str) -> dict[str, Any] | None:
        """Return the newest version, with the report of its check; None if there is none."""
        newest = next(iter(self.versions(bot, 1)), None)
        return newest and self._request("GET", f"bots/{_part(bot)}/versions/{untrusted_field(newest, 'number', int)}/")

    def check_failure_file(self, bot: str, number: int) -> bytes:
        """Return the zip with which ``peck replay`` repeats the failure of a version's check.

        Raises:
            SiteError: see ``failure_file``.
        """
        return self._file(f"bots/{_part(bot)}/versions/{number}/failure.zip")

    def output(self, bot: str, most: int, match: int | None = None, text: str = "") -> list[dict[str, Any]]:
        """Return the bot's last ``most`` games with its output, optionally only in ``match``, or only with ``text`` in
        the output.
        """
        query = {"page_size": min(most, OUTPUT_PAGE), **({"match": match} if match else {}), "text": text}
        games: list[dict[str, Any]] = []
        page = 1
        while len(games) < most:
            answer = self._request("GET", f"bots/{_part(bot)}/output/?{urlencode(query | {'page': page})}")
            games += untrusted_items(answer, "results", dict)
            if answer.get("next") is None:
                break
            page += 1
        return games[:most]

    def spar(self, **fields: object) -> dict[str, Any]:
        """Request a private match."""
        return self._send("POST", "sparring/", **fields)

    def sparring(self, match: int) -> dict[str, Any]:
        """Return one of the owner's private matches with its results."""
        return self._request("GET", f"sparring/{match}/")

    def challenge(self, bot: str, opponent: str) -> dict[str, Any]:
        """Let one of the owner's bots challenge another author's bot."""
        return self._send("POST", f"bots/{_part(opponent)}/challenges/", bot=bot)

    def challenge_now(self, opponent: str, challenge: int) -> dict[str, Any]:
        """Return the state of a challenge."""
        return self._request("GET", f"bots/{_part(opponent)}/challenges/{challenge}/")


def _follow_path(kind: str, name: str) -> str:
    return f"notices/following/{kind}/{_part(name)}/"


def _part(name: str) -> str:
    return quote(name, safe="")
