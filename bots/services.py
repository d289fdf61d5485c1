"""Services that create and change bots and add versions."""

import hashlib
import logging
from typing import Final

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.db import IntegrityError, transaction
from django.db.models import Max, Q
from django.utils.text import slugify
from django.utils.translation import gettext as _

from bots import uploads
from bots.aliases import AuthorAlias, alias_secrecy_require
from bots.bot_names import BadName, bot_name_check
from bots.checks import version_check_send, version_checks_held_for_games
from bots.deletion import BotDeleted, bot_lock_against_deletion
from bots.models import Bot, BotVersion, VersionState
from bots.packages import package_quota_require, package_save
from bots.selectors import bot_upload_limits_of
from bots.similarity import similarity_sketch_of
from bots.upload_errors import Problem, UploadError

logger = logging.getLogger(__name__)

MAX_WAITING: Final = 20  # unchecked versions of one author
RESERVED_SLUGS: Final = frozenset({"", "new", "mine"})


class NameTaken(BadName):
    """The author has another bot with this name."""

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
    """Create a bot without versions. Its address is made from its name.

    With an ``alias`` from ``author_aliases``, pages show the author of the bot under the alias, and the bot plays only
    in the group of the alias.

    Raises:
        NameTaken: the owner has a bot with this name.
        BadName: the name is not readable, can be mistaken for another, or reveals who uses the alias.
    """
    if not is_house:
        bot_name_check(name, owner_id=owner.pk)
    if alias:
        alias_secrecy_require(owner.pk, name, blurb)
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
    except IntegrityError as error:  # the name or the address was taken after the check
        raise NameTaken(name) from error


def bot_update(
    *,
    bot: Bot,
    name: str | None = None,
    blurb: str | None = None,
    organisers_may_enter: bool | None = None,
    challenged_by: str | None = None,
    notes_shown: bool | None = None,
) -> Bot:
    """Change the name and the description of a bot, and its owner's settings. Its address does not change.

    The settings are whether organisers may enter it in their tournaments, who may challenge it, and whether its notes
    on moves are public. None leaves a field unchanged.

    Raises:
        NameTaken: the owner has another bot with this name.
        BadName: the name is not readable, can be mistaken for another, or reveals who uses the alias.
        BotDeleted: the bot is deleted.
    """
    if bot.author_alias:
        alias_secrecy_require(bot.owner_id, name or "", blurb or "")
    # An existing name is allowed, because it may be older than the checks of names.
    kept = Bot.objects.filter(pk=bot.pk, name=name).exists()
    if name is not None and not (kept or bot.is_house):
        bot_name_check(name, owner_id=bot.owner_id)
    fields: dict[str, object] = {"name": name, "blurb": blurb, "challenged_by": challenged_by}
    fields |= {"organisers_may_enter": organisers_may_enter, "notes_shown": notes_shown}
    changed = {field: value for field, value in fields.items() if value is not None}
    for field, value in changed.items():
        setattr(bot, field, value)
    try:
        with transaction.atomic():
            bot_lock_against_deletion(bot=bot)
            bot.save(update_fields=[*changed])
    except IntegrityError as error:
        raise NameTaken(bot.name) from error
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
    **declared: str,
) -> BotVersion:
    """Create a bot with its first version: both, or neither.

    ``by`` is the person who uploads the file if the owner is a team. For ``declared`` see ``version_upload``.

    Raises:
        BadName, UploadError: see ``bot_create`` and ``version_upload``.
    """
    by = by or owner
    uploads.upload_unpack(filename, data, by.pk, bot_upload_limits_of(by))
    with transaction.atomic():
        bot = bot_create(owner=owner, name=name, game=game, blurb=blurb, alias=alias)
        return _add_version(bot, filename, data, by.pk, **declared)[0]


def version_upload(
    *, bot: Bot, filename: str, data: bytes, by: AbstractUser | None = None, **declared: str
) -> tuple[BotVersion, bool]:
    """Return the version with this content, and whether it is new.

    A new version is queued for a check after the commit. An existing version and its message stay as they are, whether
    it is current or not. ``by`` is the person who uploads the file if the owner is a team. ``declared`` has optional
    declarations: ``message`` (one line about what changed), ``authorship`` and ``model``.

    Raises:
        UploadError: the content is rejected, or too many versions of the author are waiting; nothing is written.
        BotDeleted: the bot or its author is deleted.
    """
    # Checked before the transaction: it may take seconds, and SQLite has only one writer.
    by = by or bot.owner
    uploads.upload_unpack(filename, data, by.pk, bot_upload_limits_of(by))
    with transaction.atomic():
        return _add_version(bot, filename, data, by.pk, **declared)


def version_make_current(*, version: BotVersion) -> bool:
    """Let new matches use ``version``. Return False, and change nothing, unless it is accepted."""
    with transaction.atomic():
        try:
            bot_lock_against_deletion(bot=version.bot)  # the deletion of a version locks its bot, too
        except BotDeleted:
            return False
        if not BotVersion.objects.filter(pk=version.pk, state=VersionState.ACCEPTED).exists():
            return False
        return bool(Bot.objects.filter(pk=version.bot_id).update(current=version.pk))


def _add_version(bot: Bot, filename: str, data: bytes, by_id: int, **declared: str) -> tuple[BotVersion, bool]:
    # With this lock, concurrent uploads get different numbers and are counted one by one. Rows that refer to the
    # author can still be written.
    if not get_user_model().objects.select_for_update(no_key=True).filter(pk=bot.owner_id):
        raise BotDeleted
    bot_lock_against_deletion(bot=bot)
    sha256 = hashlib.sha256(data).hexdigest()
    known = BotVersion.objects.filter(bot=bot, sha256=sha256).first()
    if known is not None:
        return known, False
    _check_waiting(bot, by_id)
    package_quota_require(owner_id=bot.owner_id, size=len(data))
    last = BotVersion.objects.filter(bot=bot).aggregate(last=Max("number"))["last"] or 0
    files = uploads.upload_files(filename, data)
    version = BotVersion.objects.create(
        bot=bot,
        number=last + 1,
        sha256=sha256,
        content_key=uploads.upload_content_key(files),
        filename=_stored_filename(filename),
        uploaded_by_id=None if bot.is_house else by_id,
        size=len(data),
        kept=len(data),
        **declared,
    )
    package_save(version_id=version.pk, data=data, sketch=similarity_sketch_of(files))
    version_check_send()
    return version, True


def _check_waiting(bot: Bot, by_id: int) -> None:
    """Reject an upload if too many versions of the bot's owner, or of the person who uploads, wait for a check.

    Both limits apply, so that nobody can queue more versions by uploading for several teams. Versions that wait for a
    repair of their game's package do not count.
    """
    if bot.is_house:  # only the site's catalogue adds house bots
        return
    waits = BotVersion.objects.filter(state__in=[VersionState.QUEUED, VersionState.CHECKING])
    waits = waits.exclude(pk__in=version_checks_held_for_games().values("pk"))
    waiting = waits.filter(Q(bot__owner=by_id) | Q(uploaded_by=by_id)).count()
    if bot.owner_id != by_id:
        waiting = max(waiting, waits.filter(bot__owner=bot.owner_id).count())
    if waiting >= MAX_WAITING:
        raise UploadError(
            Problem.TOO_MANY_WAITING,
            _("%(count)d of your uploads are still waiting for their check. Upload again when they have been checked.")
            % {"count": waiting},
        )


def _stored_filename(name: str) -> str:
    """Return the last part of an untrusted file name, printable, with its extension."""
    last = name.replace("\\", "/").rpartition("/")[2]
    stem, _dot, kind = "".join(letter for letter in last if letter.isprintable()).rpartition(".")
    return f"{stem[:90]}.{kind}"


def _free_slug(name: str) -> str:
    base = slugify(name)[:50].strip("-")
    base = f"{base}-bot".strip("-") if base in RESERVED_SLUGS else base
    taken = set(Bot.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    return next(slug for n in range(1, len(taken) + 2) if (slug := base if n == 1 else f"{base}-{n}") not in taken)
