"""Builders: a bot, and a version that passed its check."""

import hashlib
from collections.abc import Sequence
from typing import Any

import factory
from django.conf import settings
from django.db.models import OuterRef, Subquery
from django.utils import timezone
from factory.django import DjangoModelFactory

from bots.models import Bot, BotPackage, BotVersion, VersionState

SOURCE = b'def act(view):\n    return view["actions"][0]\n'


class AuthorFactory(DjangoModelFactory[Any]):
    class Meta:
        model = settings.AUTH_USER_MODEL

    username = factory.Sequence(lambda n: f"author{n}")
    email = factory.LazyAttribute(lambda person: f"{person.username}@example.org")


class BotFactory(DjangoModelFactory[Bot]):
    class Meta:
        model = Bot

    owner = factory.SubFactory(AuthorFactory)
    name = factory.Sequence(lambda n: f"Bot {n}")
    slug = factory.Sequence(lambda n: f"bot-{n}")
    game = "pickomino"


class BotVersionFactory(DjangoModelFactory[BotVersion]):
    """Accepted and current, its bytes unlike any other's; with ``open=True`` it waits for its check."""

    class Meta:
        model = BotVersion
        skip_postgeneration_save = True

    class Params:
        open = factory.Trait(state=VersionState.QUEUED, checked_at=None, lease_expires_at=None)
        refused = factory.Trait(state=VersionState.REFUSED)
        source = SOURCE

    bot = factory.SubFactory(BotFactory)
    number = factory.LazyAttribute(lambda version: version.bot.versions.count() + 1)
    filename = "bot.py"
    package = factory.LazyAttributeSequence(lambda version, n: version.source + b"# version %d\n" % n)
    sha256 = factory.LazyAttribute(lambda version: hashlib.sha256(version.package).hexdigest())
    size = factory.LazyAttribute(lambda version: len(version.package))
    kept = factory.LazyAttribute(lambda version: version.size)
    state = VersionState.ACCEPTED
    checked_at = factory.LazyFunction(timezone.now)

    @classmethod
    def _create(cls, model_class: type[BotVersion], *args: Any, package: bytes, **kwargs: Any) -> BotVersion:
        version: BotVersion = super()._create(model_class, *args, **kwargs)
        if version.kept:
            BotPackage.objects.create(version=version, content=package)
        return version

    @classmethod
    def _build(cls, model_class: type[BotVersion], *args: Any, package: bytes, **kwargs: Any) -> BotVersion:
        version: BotVersion = super()._build(model_class, *args, **kwargs)
        version.package = BotPackage(version=version, content=package)
        return version

    @factory.post_generation
    def current(self: BotVersion, create: bool, extracted: bool | None, **_kwargs: Any) -> None:
        """The newest accepted version is the bot's current one, unless ``current=False``."""
        if create and extracted is not False and self.state == VersionState.ACCEPTED:
            self.bot.current = self
            self.bot.save(update_fields=["current"])


def bots_of(owners: Sequence[Any]) -> list[Bot]:
    """A new bot with one accepted, current version for each of some people who are not saved yet, all of them in a few
    queries."""
    type(owners[0]).objects.bulk_create(owners)
    bots = Bot.objects.bulk_create(BotFactory.build(owner=owner) for owner in owners)
    versions = BotVersion.objects.bulk_create(BotVersionFactory.build(bot=bot, number=1) for bot in bots)
    BotPackage.objects.bulk_create(version.package for version in versions)
    for bot, version in zip(bots, versions, strict=True):
        bot.current = version
    only = BotVersion.objects.filter(bot=OuterRef("pk")).values("pk")
    Bot.objects.filter(pk__in=[bot.pk for bot in bots]).update(current=Subquery(only))
    return bots
