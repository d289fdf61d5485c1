"""Writing bots and versions. A version's state changes by one conditional update; a second delivery changes nothing.

queued -> checking -> accepted | refused        and, when the platform failed, checking -> queued
"""

import hashlib
import logging
from collections.abc import Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.db import IntegrityError, transaction
from django.db.models import F, Max, Q, QuerySet
from django.db.models.expressions import Combinable
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from bots import archive
from bots.aliases import AuthorAlias, alias_keep
from bots.check_queue import check_send
from bots.deletion import BotDeleted, bot_hold
from bots.hook_events import verdict_tell
from bots.models import CHECK_FAULTS_AT_MOST, Bot, BotVersion, VersionState
from bots.names import BadName, name_check
from bots.packages import package_keep, quota_require
from bots.similarity import sketch_of
from bots.upload_errors import Problem, UploadError
from games.catalogue import GAMES
from games.catalogue.code import code_of
from web.database import database_after, database_now
from web.sanitize import clean

logger = logging.getLogger(__name__)

RETRY_AFTER: Final = timedelta(seconds=60)  # for a version whose checks keep failing us
GAME_FAULT_KEPT: Final = 300  # letters
RELEASED_AT_ONCE: Final = 100  # versions that are held for the code of their game
QUICK_RETRIES: Final = 3  # checks that failed through us and are repeated at once
MAX_WAITING: Final = 20  # unchecked versions of one author
RESERVED_SLUGS: Final = frozenset({"", "new", "mine"})


class NameTaken(BadName):
    """The author has another bot of that name."""

    code = "name_taken"
    status = 409

    def __init__(self, name: str) -> None:
        super().__init__(_("You already have a bot named %(name)s. Choose another name.") % {"name": name})
        self.name = name


def bot_create(
    *,
    owner: AbstractUser,
    name: str,
    game: str,
    blurb: str = "",
    is_house: bool = False,
    alias: AuthorAlias | None = None,
) -> Bot:
    """Create a bot without versions, at an address made of its name. With an ``alias`` of ``author_aliases`` its author
    is known by that, and it plays in the alias's group alone.

    Raises:
        NameTaken: the owner has a bot of that name.
        BadName: it cannot be read, can be taken for another's, or tells who is behind the alias.
    """
    if not is_house:
        name_check(name, owner_id=owner.pk)
    if alias:
        alias_keep(owner.pk, name, blurb)
    known_as = {"author_alias": alias.name, "alias_group_id": alias.group.pk} if alias else {}
    if Bot.objects.filter(owner_id=owner.pk, name=name).exists():
        raise NameTaken(name)
    try:
        with transaction.atomic():
            return Bot.objects.create(
                owner_id=owner.pk,
                name=name,
                slug=_free_slug(name),
                game=game,
                blurb=blurb,
                is_house=is_house,
                **known_as,
            )
    except IntegrityError as error:  # somebody took the name or the address since we looked
        raise NameTaken(name) from error


def bot_update(
    *,
    bot: Bot,
    name: str,
    blurb: str,
    organisers_may_enter: bool | None = None,
    challenged_by: str | None = None,
    notes_shown: bool | None = None,
) -> Bot:
    """Rename the bot or change its line, or say whether organisers may enter it in their tournaments, who may challenge
    it and whether what it says of its moves is public (None: as before); its address stays, so that links hold.

    Raises:
        NameTaken: the owner has another bot of that name.
        BadName: it cannot be read, can be taken for another's, or tells who is behind the alias.
        BotDeleted: it is deleted.
    """
    if bot.author_alias:
        alias_keep(bot.owner_id, name, blurb)
    kept = Bot.objects.filter(pk=bot.pk, name=name).exists()  # from before names were checked, perhaps
    if not (kept or bot.is_house):
        name_check(name, owner_id=bot.owner_id)
    bot.name, bot.blurb = name, blurb
    if organisers_may_enter is not None:
        bot.organisers_may_enter = organisers_may_enter
    if challenged_by is not None:
        bot.challenged_by = challenged_by
    if notes_shown is not None:
        bot.notes_shown = notes_shown
    try:
        with transaction.atomic():
            bot_hold(bot=bot)
            bot.save(update_fields=["name", "blurb", "organisers_may_enter", "challenged_by", "notes_shown"])
    except IntegrityError as error:
        raise NameTaken(name) from error
    return bot


def bot_submit(
    *,
    owner: AbstractUser,
    name: str,
    game: str,
    blurb: str,
    filename: str,
    data: bytes,
    by: AbstractUser | None = None,
    alias: AuthorAlias | None = None,
    **said: str,
) -> BotVersion:
    """Create a bot with its first version: both, or neither. ``by``: who uploads it for a team, else the owner.
    ``said``: see ``version_upload``.

    Raises:
        BadName, UploadError: see ``bot_create`` and ``version_upload``.
    """
    by = by or owner
    archive.unpack(filename, data, by.pk)
    with transaction.atomic():
        bot = bot_create(owner=owner, name=name, game=game, blurb=blurb, alias=alias)
        return _add_version(bot, filename, data, by.pk, **said)[0]


def version_upload(
    *, bot: Bot, filename: str, data: bytes, by: AbstractUser | None = None, **said: str
) -> tuple[BotVersion, bool]:
    """Return the version with this content, and whether it is new; a new one is queued and its check sent on commit.
    One that was there before is left as it is, current or not, with its message. ``by``: who uploads it for a team,
    else the owner. ``said``: ``message``, one line about what changed, ``authorship`` and ``model``, all optional.

    Raises:
        UploadError: the content is refused, or the author has too many versions waiting; nothing is written.
        BotDeleted: it is deleted, or its author is.
    """
    # Before the transaction: it may take seconds, and SQLite has one writer.
    by_id = bot.owner_id if by is None else by.pk
    archive.unpack(filename, data, by_id)
    with transaction.atomic():
        return _add_version(bot, filename, data, by_id, **said)


def version_make_current(*, version: BotVersion) -> bool:
    """Let new matches use ``version``; False, and no change, unless it was accepted."""
    accepted = Q(versions=version.pk, versions__state=VersionState.ACCEPTED)
    return bool(Bot.objects.filter(accepted, pk=version.bot_id, deleted_at=None).update(current=version.pk))


def version_check_beat(*, version_id: int, attempt: int) -> bool:
    """Keep the lease; False when it was lost, and whatever the attempt finds will not count."""
    until = database_after(timedelta(seconds=settings.LEASE_SECONDS))
    return bool(_held(version_id, attempt).update(lease_expires_at=until))


def version_accept(*, version_id: int, attempt: int, report: Mapping[str, Any]) -> bool:
    """Close the check; the version becomes current where none newer is. False when the attempt no longer holds it."""
    with transaction.atomic():
        # The bot before its version, as its deletion locks them: else each could wait for the other.
        bool(Bot.objects.select_for_update(no_key=True).filter(versions=version_id))
        if not _close(version_id, attempt, VersionState.ACCEPTED, report):
            return False
        version = BotVersion.objects.only("bot_id", "number").get(pk=version_id)
        older = Q(current=None) | Q(current__number__lt=version.number)
        Bot.objects.filter(older, pk=version.bot_id).update(current=version)
        verdict_tell(version_id=version_id)
    return True


def version_refuse(*, version_id: int, attempt: int, report: Mapping[str, Any]) -> bool:
    """Close the check with the bot's fault. False when the attempt no longer holds the version."""
    with transaction.atomic():
        if not _close(version_id, attempt, VersionState.REFUSED, report):
            return False
        verdict_tell(version_id=version_id)
    return True


def version_requeue(*, version_id: int, attempt: int, is_fault: bool = True, game_fault: str = "") -> bool:
    """Return the version to the queue after a fault of the platform. False when the attempt no longer holds it.

    A version whose checks keep failing us waits for a minute before the next, so that it does not cost a worker. With
    ``is_fault`` that is counted: at the ``CHECK_FAULTS_AT_MOST``th it is held for staff to look at, for it may be the
    version that makes its checks fail. ``game_fault``: what went wrong, if it was in the code of its game; then it is
    held until that is another (``checks_release``), at once if another version is held for the same code.
    """
    held = Q(pk=version_id, state=VersionState.CHECKING, check_attempt=attempt)
    report, faults = {}, int(is_fault)
    if game_fault:
        game = Bot.objects.values_list("game", flat=True).get(versions=version_id)
        report = {"game_fault": game_fault[:GAME_FAULT_KEPT], "game_code": _game_code(game)}
        if _held_for_games().filter(bot__game=game, report__game_code=report["game_code"]).exists():
            faults = CHECK_FAULTS_AT_MOST
    not_before = None if attempt <= QUICK_RETRIES else database_after(RETRY_AFTER)
    return _requeue(held, not_before, faults=faults, report=report)


def version_check_again(*, version_id: int) -> bool:
    """Let a version be checked that was held, its faults forgiven; False, and no change, if it was not."""
    held = BotVersion.objects.filter(pk=version_id, state=VersionState.QUEUED, check_faults__gte=CHECK_FAULTS_AT_MOST)
    with transaction.atomic():
        let_go = bool(held.update(check_faults=0, lease_expires_at=None, report={}))
        if let_go:
            check_send()
    return let_go


def checks_release() -> int:
    """Check again the versions that were held for the code of their game, where that has changed. Return how many."""
    held = _held_for_games()
    same = Q()  # the code that they failed by, or none: those of other games do not wait behind these
    for game in held.order_by().values_list("bot__game", flat=True).distinct():
        same |= Q(bot__game=game, report__game_code=_game_code(game)) if game in GAMES else Q(bot__game=game)
    released = held.exclude(same).order_by("pk").values_list("pk", flat=True)[:RELEASED_AT_ONCE]
    return sum(version_check_again(version_id=pk) for pk in list(released))


def checks_expire() -> int:
    """Queue again the versions whose worker fell silent, which is counted as a fault. How many were."""
    overdue = Q(state=VersionState.CHECKING, lease_expires_at__lt=database_now())
    ids = list(BotVersion.objects.filter(overdue).values_list("pk", flat=True))
    return sum(_requeue(overdue & Q(pk=version_id), None, faults=1) for version_id in ids)


def _add_version(bot: Bot, filename: str, data: bytes, by_id: int, **said: str) -> tuple[BotVersion, bool]:
    # Two uploads at once get two numbers, and those of one author are counted one after the other. Rows that refer to
    # the author may be written meanwhile.
    if not get_user_model().objects.select_for_update(no_key=True).filter(pk=bot.owner_id):
        raise BotDeleted
    bot_hold(bot=bot)
    sha256 = hashlib.sha256(data).hexdigest()
    known = BotVersion.objects.filter(bot=bot, sha256=sha256).first()
    if known is not None:
        return known, False
    _check_waiting(bot, by_id)
    quota_require(owner_id=bot.owner_id, size=len(data))
    last = BotVersion.objects.filter(bot=bot).aggregate(last=Max("number"))["last"] or 0
    files = archive.read(filename, data)
    version = BotVersion.objects.create(
        bot=bot,
        number=last + 1,
        sha256=sha256,
        content_key=archive.content_key(files),
        filename=_kept_filename(filename),
        uploaded_by_id=None if bot.is_house else by_id,
        size=len(data),
        kept=len(data),
        **said,
    )
    package_keep(version_id=version.pk, data=data, sketch=sketch_of(files))
    check_send()
    return version, True


def _held(version_id: int, attempt: int) -> Any:
    return BotVersion.objects.filter(pk=version_id, state=VersionState.CHECKING, check_attempt=attempt)


def _close(version_id: int, attempt: int, state: VersionState, report: Mapping[str, Any]) -> bool:
    return bool(
        _held(version_id, attempt).update(
            state=state, report=clean(report), checked_at=timezone.now(), lease_expires_at=None, checked_for=None
        )
    )


def _held_for_games() -> QuerySet[BotVersion]:
    held = BotVersion.objects.filter(state=VersionState.QUEUED, check_faults__gte=CHECK_FAULTS_AT_MOST)
    return held.filter(report__game_fault__isnull=False)


def _game_code(game: str) -> str:
    """Return the code of a game here, "" if that is not installed."""
    return str(code_of(game)) if game in GAMES else ""


def _requeue(
    which: Q, not_before: Combinable | None, *, faults: int, report: Mapping[str, str] = MappingProxyType({})
) -> bool:
    with transaction.atomic():
        versions = list(BotVersion.objects.select_for_update().filter(which).only("pk", "check_faults"))
        waits = {"state": VersionState.QUEUED, "lease_expires_at": not_before, "checked_for": None}
        now = {"check_faults": F("check_faults") + faults, "report": clean(dict(report))}
        changed = bool(BotVersion.objects.filter(which).update(**waits, **now))
        for version in versions:
            if faults and version.check_faults + faults >= CHECK_FAULTS_AT_MOST:
                logger.error("version %d is held: %d of its checks were void", version.pk, CHECK_FAULTS_AT_MOST)
        if changed and not_before is None:
            check_send()
    return changed


def _check_waiting(bot: Bot, by_id: int) -> None:
    """Refuse more than wait already, for the owner or of the person: several teams do not add up."""
    if bot.is_house:  # the catalogue's, however many they are: nobody can send more of those
        return
    waits = BotVersion.objects.filter(state__in=[VersionState.QUEUED, VersionState.CHECKING])
    waiting = waits.filter(Q(bot__owner=by_id) | Q(uploaded_by=by_id)).count()
    if bot.owner_id != by_id:
        waiting = max(waiting, waits.filter(bot__owner=bot.owner_id).count())
    if waiting >= MAX_WAITING:
        raise UploadError(
            Problem.TOO_MANY_WAITING,
            _("%(count)d of your uploads still wait to be checked. Upload again when they have their verdict.")
            % {"count": waiting},
        )


def _kept_filename(name: str) -> str:
    """Return the last part of an untrusted file name, printable, with its extension."""
    last = name.replace("\\", "/").rpartition("/")[2]
    stem, _dot, kind = "".join(letter for letter in last if letter.isprintable()).rpartition(".")
    return f"{stem[:90]}.{kind}"


def _free_slug(name: str) -> str:
    base = slugify(name)[:50].strip("-")
    base = f"{base}-bot".strip("-") if base in RESERVED_SLUGS else base
    taken = set(Bot.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    return next(slug for n in range(1, len(taken) + 2) if (slug := base if n == 1 else f"{base}-{n}") not in taken)
