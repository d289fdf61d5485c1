"""Bots and their versions. A bot has a name and a rating; a version is the code that plays."""

from typing import ClassVar, Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from bots import uploads
from bots.authorship import DECLARED, MODEL_MOST, Authorship
from bots.package_objects import object_fetched
from groups.models import Group
from web.name_keys import Keyed, KeyedManager, KeyField

AUTHOR_ALIAS_MOST: Final = 200  # characters; an alias of a team joins several
MESSAGE_MOST: Final = 200  # characters


def validate_printable(text: str) -> None:
    """Validate that a text has only visible characters and spaces, and none that reorder or hide other text.

    Raises:
        ValidationError: the text has a control or formatting character.
    """
    if not text.isprintable():
        raise ValidationError(_("Use visible characters only, on one line."), code="not_printable")


class ChallengedBy(models.TextChoices):
    """Who may challenge a bot, see ``matches.challenges``."""

    DEFAULT = "", _("everyone while it plays in a league, otherwise nobody")
    EVERYONE = "everyone", _("everyone")
    ASK = "ask", _("ask me first")
    NOBODY = "nobody", _("nobody")


class Bot(Keyed):
    """An author's bot for one game. ``current`` is the version that new matches use."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="bots")
    name = models.CharField(_("name"), max_length=40, validators=[validate_printable])
    name_key = KeyField(of="name")
    slug = models.SlugField(max_length=60, unique=True)
    game = models.CharField(_("game"), max_length=20)
    blurb = models.CharField(_("one line about it"), max_length=140, blank=True, validators=[validate_printable])
    current = models.ForeignKey("BotVersion", models.PROTECT, null=True, blank=True, related_name="+")
    is_house = models.BooleanField(default=False)
    organisers_may_enter = models.BooleanField(_("organisers may enter it"), default=False, db_default=False)
    # ``author_alias`` is the author's alias, or "". ``alias_group`` is then the only group in which the bot plays. Both
    # are set when the bot is created, and never changed.
    author_alias = models.CharField(max_length=AUTHOR_ALIAS_MOST, blank=True, default="", db_default="", editable=False)
    alias_group = models.ForeignKey(Group, models.PROTECT, null=True, editable=False, related_name="+")
    challenged_by = models.CharField(
        _("who may challenge it"), max_length=10, choices=ChallengedBy.choices, blank=True, default="", db_default=""
    )
    notes_shown = models.BooleanField(_("what it says of its moves is public"), default=False, db_default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    # When the author deleted the bot. Only its number and its results remain then.
    deleted_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[KeyedManager["Bot"]] = KeyedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint("owner", "name", name="bot_name_unique_per_owner"),
            models.CheckConstraint(
                condition=Q(deleted_at__isnull=True) | Q(current__isnull=True), name="bot_deleted_plays_no_more"
            ),
            models.CheckConstraint(
                condition=Q(author_alias="") | Q(alias_group__isnull=False), name="bot_alias_is_of_a_group"
            ),
            models.CheckConstraint(condition=Q(challenged_by__in=ChallengedBy.values), name="bot_challenged_by_known"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def author_name(self) -> str:
        """The author's public name."""
        return self.author_alias or self.owner.get_username()


class VersionState(models.TextChoices):
    """queued -> checking -> accepted | refused; checking -> queued after a fault of the platform; any -> deleted."""

    QUEUED = "queued", _("waiting to be checked")
    CHECKING = "checking", _("being checked")
    ACCEPTED = "accepted", _("accepted")
    REFUSED = "refused", _("refused")
    DELETED = "deleted", _("deleted")


# Faults of the platform in checks of one version, after which the version is held for staff.
CHECK_FAULTS_AT_MOST: Final = 5


class BotVersion(models.Model):
    """An upload, identified by the SHA-256 of its bytes. It never changes.

    Its file is in a ``BotPackage`` (``bots.packages``). ``kept`` is the number of bytes that are stored: equal to
    ``size``, or 0 if the file is no longer stored and has no ``BotPackage``.

    ``report`` is for the owner only. Keys, all optional: ``verdict`` (a games.protocol.Verdict), ``stage`` ("start" |
    "mirror" | "house"), ``exception``, ``detail`` (traceback), ``line``, ``view`` (the bot's input), ``answer``,
    ``output``, ``cpu``, ``wall`` and ``limit`` in seconds, ``games``, ``slowest_action`` in seconds, ``act_idle`` (True
    if a class Bot is used and a function act beside it is not). A version that waits because its check failed in the
    code of its game has two more keys: ``game_fault``, the error, and ``game_code``, the version of that code.
    """

    bot = models.ForeignKey(Bot, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    # This is equal for files that differ only in blank lines, comments and line endings; "" for older uploads.
    content_key = models.CharField(max_length=64, blank=True, default="", db_default="", editable=False)
    filename = models.CharField(max_length=100)
    size = models.PositiveIntegerField()
    kept = models.PositiveIntegerField(default=0)
    state = models.CharField(max_length=10, choices=VersionState.choices, default=VersionState.QUEUED)
    check_attempt = models.PositiveIntegerField(default=0)
    check_faults = models.PositiveSmallIntegerField(default=0, db_default=0)  # faults of the platform during checks
    # While checking: the end of the worker's lease. While queued: the earliest time of the next check.
    lease_expires_at = models.DateTimeField(null=True, blank=True)
    check_started_at = models.DateTimeField(null=True, blank=True)  # start of the last check
    # The author while the version is being checked, null otherwise. It is unique, so that only one version of each
    # author is checked at a time. It is null for house bots.
    checked_for = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+")
    # The person who uploaded the version. Null for house bots, older uploads and deleted accounts. Shown to the team
    # that owns the bot.
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    # What changed, according to its author. Shown to those who may read the report.
    message = models.CharField(
        _("what changed"),
        max_length=MESSAGE_MOST,
        blank=True,
        default="",
        db_default="",
        validators=[validate_printable],
    )
    # ``authorship`` and ``model`` are declared by the author and public.
    authorship = models.CharField(
        _("written"), max_length=10, choices=Authorship.choices, blank=True, default="", db_default=""
    )
    model = models.CharField(
        _("model"), max_length=MODEL_MOST, blank=True, default="", db_default="", validators=[validate_printable]
    )
    report = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    checked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint("bot", "number", name="version_number_unique_per_bot"),
            models.UniqueConstraint("bot", "sha256", name="version_content_unique_per_bot"),
            models.CheckConstraint(condition=Q(state__in=VersionState.values), name="version_state_known"),
            models.CheckConstraint(
                condition=Q(checked_at__isnull=False) | ~Q(state__in=["accepted", "refused"]),
                name="version_verdict_has_a_time",
            ),
            models.UniqueConstraint("checked_for", name="version_checked_one_per_author"),
            models.CheckConstraint(
                condition=Q(checked_for__isnull=True) | Q(state="checking"), name="version_checked_for_while_checked"
            ),
            models.CheckConstraint(
                condition=Q(lease_expires_at__isnull=True) | Q(state__in=["queued", "checking"]),
                name="version_leased_only_while_open",
            ),
            models.CheckConstraint(condition=DECLARED, name="version_authorship_declared"),
            models.CheckConstraint(condition=Q(kept=F("size")) | Q(kept=0), name="version_kept_whole_or_not"),
        ]
        indexes = [
            models.Index(F("state"), name="version_by_state", condition=Q(state__in=["queued", "checking"])),
            models.Index(
                F("state"), name="version_to_prune", condition=Q(kept__gt=0, state__in=["refused", "deleted"])
            ),
        ]

    def __str__(self) -> str:
        return f"{self.bot} v{self.number}"

    @property
    def is_final(self) -> bool:
        return self.state in (VersionState.ACCEPTED, VersionState.REFUSED, VersionState.DELETED)

    @property
    def is_held(self) -> bool:
        """Whether the version is held: it is not checked again until ``checks.version_check_repeat`` releases it."""
        return self.state == VersionState.QUEUED and self.check_faults >= CHECK_FAULTS_AT_MOST

    def files(self) -> dict[str, bytes]:
        """Return the version's source files by path, including ``bot.py``. Never import or run them outside the
        sandbox.

        Raises:
            UploadError: the file is no longer stored.
            PackageAway: the object storage does not answer.
        """
        package = getattr(self, "package", None)  # Django raises a subclass of AttributeError if the row is missing
        return uploads.upload_files(self.filename, package.read() if package else b"")


class CheckTurn(models.Model):
    """When the last check of an author's uploads began.

    This cannot be derived from the versions, because versions of deleted bots have no author.
    """

    author = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+")
    served_at = models.DateTimeField()


class BotPackage(models.Model):
    """The bytes of an uploaded version.

    The bytes have their own table, because lists read thousands of versions without them. They are in ``content``, or
    in the object ``stored_as`` of a storage (``bots.packages``). ``sketch`` is a sample of the program, see
    ``bots.similarity``; null for older uploads.
    """

    version = models.OneToOneField(BotVersion, models.CASCADE, primary_key=True, related_name="package")
    content = models.BinaryField(null=True)
    stored_as = models.CharField(max_length=100, blank=True, db_default="")
    sketch = models.BinaryField(max_length=1024, null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(content__isnull=True) ^ Q(stored_as=""), name="package_here_or_stored"),
        ]

    def __str__(self) -> str:
        return f"{self.version_id}"

    def read(self) -> bytes:
        """Return the uploaded bytes.

        Raises:
            PackageAway: the object storage does not answer, or has other bytes.
        """
        return object_fetched(self.stored_as) if self.stored_as else bytes(self.content or b"")
