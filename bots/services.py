"""Create and change bots, and add versions to them."""

import hashlib
import logging
from typing import Final

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.db import IntegrityError, transaction
from django.db.models import Max, Q
from django.utils.text import slugify
from django.utils.translation import gettext as _

from bots import archive
from bots.aliases import AuthorAlias, alias_keep
from bots.checks import check_send, held_for_games
from bots.deletion import BotDeleted, bot_hold
from bots.models import Bot, BotVersion, VersionState
from bots.names import BadName, name_check
from bots.packages import package_keep, quota_require
from bots.selectors import upload_limits_of
from bots.similarity import sketch_of
from bots.upload_errors import Problem, UploadError

logger = logging.getLogger(__name__)

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
    archive.upload_unpack(filename, data, by.pk, upload_limits_of(by))
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
    by = by or bot.owner
    archive.upload_unpack(filename, data, by.pk, upload_limits_of(by))
    with transaction.atomic():
        return _add_version(bot, filename, data, by.pk, **said)


def version_make_current(*, version: BotVersion) -> bool:
    """Let new matches use ``version``; False, and no change, unless it was accepted."""
    accepted = Q(versions=version.pk, versions__state=VersionState.ACCEPTED)
    return bool(Bot.objects.filter(accepted, pk=version.bot_id, deleted_at=None).update(current=version.pk))


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
    files = archive.upload_files(filename, data)
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


def _check_waiting(bot: Bot, by_id: int) -> None:
    """Refuse more than wait already, for the owner or of the person: several teams do not add up. What is held for the
    code of its game does not count."""
    if bot.is_house:  # the catalogue's, however many they are: nobody can send more of those
        return
    waits = BotVersion.objects.filter(state__in=[VersionState.QUEUED, VersionState.CHECKING])
    waits = waits.exclude(pk__in=held_for_games().values("pk"))
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
